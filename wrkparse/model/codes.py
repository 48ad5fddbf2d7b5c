"""The meaning of each diagnostic code, and what to do about it.

The table `diagnostics` has these codes. They are stable: programs may rely on them. The findings of the audit have
their own codes (`wrkparse.analysis.audit.advice`).
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """One code, as Markdown for a page in ``docs/reference``: severities, meaning, an example and a remedy."""

    severities: tuple[str, ...]
    meaning: str
    example: str
    remedy: str


# By subject.
CODES: dict[str, dict[str, Code]] = {
    "Files": {
        "missing": Code(
            ("error",),
            meaning="the path or the address does not exist, or can't be reached",
            example="`wrkparse ingest lgos/`",
            remedy="check the spelling; for an address, the credentials",
        ),
        "empty": Code(
            ("error",),
            meaning="a directory without files",
            example="`mkdir logs; wrkparse ingest logs`",
            remedy="check that it is the right directory",
        ),
        "unreadable": Code(
            ("error",),
            meaning="a file or directory can't be opened or read",
            example="a file that belongs to another user",
            remedy="check the permissions and the disk",
        ),
        "not-a-file": Code(
            ("note",),
            meaning="entries of a directory that are not read: links to nothing or to other directories, pipes",
            example="`ln -s /data/runs logs/runs; wrkparse ingest logs`",
            remedy="name the directory to which the link leads: `wrkparse ingest logs /data/runs`",
        ),
        "damaged": Code(
            ("error",),
            meaning="compressed data is damaged or cut off; everything before it was read",
            example="`wrk.log.gz` of a job that was killed",
            remedy="copy the file again, or decompress it elsewhere",
        ),
        "fault": Code(
            ("error",),
            meaning="wrkparse itself failed; the rest of the file is not read",
            example="an exception while a line is read",
            remedy="report it, with the file if you can",
        ),
        "bad-study": Code(
            ("error",),
            meaning="a mistake in a `wrkparse.yaml`",
            example="`lables:` instead of `labels:`",
            remedy="correct the line; `wrkparse label --schema` prints the keys",
        ),
        "unused-rule": Code(
            ("warning",),
            meaning="a rule of a `wrkparse.yaml` labels no run",
            example="`when: {path: old/*}` after the folder was renamed",
            remedy="check its conditions, or delete it",
        ),
        "zeros": Code(
            ("warning",),
            meaning="NUL bytes, because a log was truncated while it was written; they are left out",
            example="a log that `logrotate` truncated while a program kept writing",
            remedy="rotate without `copytruncate`",
        ),
        "long-line": Code(
            ("warning",),
            meaning="a line is longer than the limit, and was cut",
            example="a JSON document of several megabytes in one line",
            remedy="write one record per line",
        ),
        "undecodable": Code(
            ("note",),
            meaning="bytes that are not UTF-8, shown as `U+FFFD`",
            example="a log in Latin-1",
            remedy="convert the file if names look wrong",
        ),
        "not-text": Code(
            ("note",),
            meaning="a binary file",
            example="a picture among the logs",
            remedy="nothing, unless it should be a log",
        ),
        "archive": Code(
            ("warning",),
            meaning="an archive of files, which are not read: zip, tar, 7z, rar",
            example="`logs.tar.gz` among the logs",
            remedy="unpack it, and read the files",
        ),
        "no-runs": Code(
            ("note",),
            meaning="a file that you named has no run; a line that resembles one of a known tool is shown",
            example="a log that has only messages of the server",
            remedy="compare that line with the tool's output: it may have been edited",
        ),
        "resembling": Code(
            ("note",),
            meaning="a line in a file with runs resembles one of a report and is not read; only the first is named",
            example="`kiwi: Requests/sec: 99.1` in a list: wrk prints two decimals",
            remedy="restore the line as the tool printed it, if it was edited",
        ),
        "other-tool": Code(
            ("note",),
            meaning="looks like the output of a load generator that wrkparse does not read",
            example="the summary of a tool that is not among the [formats](../formats.md)",
            remedy="export it in a format that is read, or write [a plug-in](../plugins.md)",
        ),
        "renamed": Code(
            ("note",),
            meaning="a file in the store was renamed; its runs are under the new name",
            example="`mv run.log run-1.log`, and `wrkparse ingest` again",
            remedy="nothing",
        ),
        "copied-file": Code(
            ("note",),
            meaning="the same text as another file; the runs of both are stored",
            example="`cp run.log backup/`",
            remedy="delete one, if it is a copy",
        ),
        "rotated": Code(
            ("note",),
            meaning="a log is shorter or different than when it was last read; it was read from its beginning",
            example="`server.log`, which became `server.log.1`",
            remedy="nothing, if the log was rotated",
        ),
        "taken-in": Code(
            ("note",),
            meaning="rows that an ingest kept beside the store, because another program held it, are in the store now",
            example="the next ingest after `… | wrkparse ingest -` was ended while a query was open",
            remedy="nothing",
        ),
        "replaced": Code(
            ("note",),
            meaning="standard input replaces the earlier runs from standard input",
            example="`… | wrkparse ingest -` twice",
            remedy="name each: `wrkparse ingest run2=-`",
        ),
    },
    "Reports": {
        "bad-cell": Code(
            ("warning",),
            meaning="one number of a line can't be read; the others are kept",
            example="`1,57ms`, `4.2k5`",
            remedy="correct the log, if you know the number",
        ),
        "bad-object": Code(
            ("warning",),
            meaning="a tool's JSON object can't be read to its end, or is not one that the tool writes",
            example="a file that was cut off",
            remedy="look at its first line; write the file again",
        ),
        "bad-index": Code(
            ("warning",),
            meaning=(
                "a mistake in an index in JSON or YAML: it labels no logs, no logs from here on, or not by this value"
            ),
            example=(
                "`runs.yaml` with a tab in front of a key, or an alias `*x` without its `&x`; `runs.json` with a comma "
                "after its last value, or with a repeated key"
            ),
            remedy="correct the line and ingest again",
        ),
        "bad-line": Code(
            ("warning",),
            meaning="a line of a report can't be read, or may be that of another process",
            example="`Latency  193.32us  51.20us`",
            remedy="look at the line; it was cut or edited",
        ),
        "unit-unknown": Code(
            ("warning",),
            meaning="a number could be in one of two units",
            example=(
                "the resident set of busybox' `time -v`, which older versions print four times too large; a "
                "`.hgrm` file, whose values are taken as milliseconds"
            ),
            remedy="use a newer version, or leave the number out",
        ),
        "failed-requests": Code(
            ("warning",),
            meaning="hey counts failed requests in its rate; if all failed, the rate is left out",
            example="`[12] Get …: connection refused`",
            remedy="find out why they failed, and measure again",
        ),
        "kept-responses": Code(
            ("note",),
            meaning=(
                "hey keeps the first 1,000,000 responses of a run and got more; means and sizes, which it computes "
                "wrongly then, are left out"
            ),
            example="`[200] 1000000 responses`, at 40,000 requests/s for 30 s",
            remedy="nothing; for latencies of the whole run, measure for a shorter time",
        ),
        "too-short": Code(
            ("warning",),
            meaning="the elapsed time is too short for siege to print, so its rates are 0; they are left out",
            example="`Elapsed time: 0.00 secs`",
            remedy="measure for longer",
        ),
        "incomplete": Code(
            ("warning", "note"),
            meaning="the report ends before the line that its tool always prints last",
            example="a report without `Transfer/sec`",
            remedy="check whether the log was cut off",
        ),
        "fragment": Code(
            ("warning",),
            meaning="the beginning of a report, without results; it is not a run",
            example="a run stopped with Ctrl-C",
            remedy="measure again",
        ),
        "no-head": Code(
            ("note",),
            meaning=("JMeter's samples have no header; the columns are assumed to be those that it writes by default"),
            example="`1795456630491,56,list,200,OK,users 1-2,…`",
            remedy=(
                "check that the columns named in the note are right; set "
                "`jmeter.save.saveservice.print_field_names=true`"
            ),
        ),
        "unmeasured": Code(
            ("note",),
            meaning=(
                "the numbers were not measured: they are in a template or in a string of source code, or the line "
                "above calls them expected"
            ),
            example="`Requests/sec: {{rps}}`",
            remedy="nothing, unless a run is missing; then look for the log with its numbers",
        ),
        "copy": Code(
            ("note",),
            meaning="all numbers equal those of an earlier run in the file",
            example="a report quoted twice",
            remedy="nothing; comparisons count it once",
        ),
        "mended": Code(
            ("note",),
            meaning="a line was rejoined from pieces, or a number was restored from its neighbours",
            example="a line that a terminal wrapped",
            remedy="if the numbers look wrong, compare the run with the line",
        ),
    },
    "Traces": {
        "bad-event": Code(
            ("warning",),
            meaning="a line of a trace can't be read",
            example="`gc 7 @0.9s 2%: 0.01+1.`",
            remedy="other output tore the line; write the trace to a separate file",
        ),
        "interleaved": Code(
            ("note", "warning"),
            meaning="lines of several processes are interleaved; a warning if some fit two processes",
            example="two servers that write to one terminal",
            remedy="write one log per process",
        ),
        "source-code": Code(
            ("note",),
            meaning="a line in a string literal of source code; it is not a run",
            example='`want := "gc 1 @0.01s …"`',
            remedy="nothing",
        ),
        "torn-limit": Code(
            ("warning",),
            meaning="many torn lines could not be joined, and no more are tried",
            example="a trace and a chatty server that write to one file byte by byte",
            remedy="the same as for `bad-event`",
        ),
    },
    "Labels": {
        "label-conflict": Code(
            ("warning", "note"),
            meaning="two origins disagree, and the stronger one wins; a note if you gave the label yourself",
            example="heading `8 connections`, report `64 connections`",
            remedy="check which is right; overrule with `--label`",
        ),
        "bad-label": Code(
            ("warning",),
            meaning="a label that should be a number is not one; it is left empty",
            example="`cores=many`",
            remedy="correct it at the line in the message",
        ),
        "many-labels": Code(
            ("note",),
            meaning="too many different flags and variables for columns; they are only in the table `labels`",
            example="a script that sets a different variable for each of a thousand runs",
            remedy="query them with `wrkparse sql`",
        ),
    },
}
