"""From tables to answers: functions of a Dataset that return DataFrames of numbers. Nothing here prints.

The sub-packages, each of which imports only those above it:

* ``shown``: numbers and tables as text for people.
* ``stats``: statistics and interval arithmetic on plain numbers and arrays.
* ``checks``: the checks of the audit, one module for each kind.
* ``runs``: which runs and metrics are analysed, which labels differ between runs, and the latencies that runs print.
* ``audit``: the findings of all checks, the verdict on each run, and Little's law.
* ``go``: garbage collector and scheduler of Go processes, from gctrace and schedtrace.
* ``comparison``: runs compared with each other, cell by cell, and limits on the result.
* ``scaling``: throughput over the number of cores: curves, scalability laws, limits.
* ``summary``: what a set of runs shows, for the first page of a report.
* ``publications``: published tables and claims, checked against raw runs.

`wording` has the words for codes and counts that figures, reports and commands share.
"""
