"""What a parser still waits for, as bits. How the next lines may be read depends on them.

============================  =============================================  ==========================
bit                           what is open                                   set by
============================  =============================================  ==========================
``OPEN_WRAPPING``             a notebook or recording, or what may begin     ``text.normalize``
                              one; a mail, a hunk of a diff, a cut line
``OPEN_REPORT``               a report                                       ``parse.reports.assembler``
``OPEN_HALF_LINE``            a line that may be half of a wrapped one, or   ``parse.reports.dispatch``
                              a report's first after an unknown prefix
``FORMAT_IN_FORCE``           a format that a command asked for              ``parse.reports.assembler``
``SEVERAL_STREAMS``           reports of more streams than one               ``parse.reports.dispatch``
``OPEN_OBJECT``               an object of JSON that a tool may claim        ``parse.objects``
``OPEN_EVENT``                an event that was torn or wrapped              ``parse.events.traces``
============================  =============================================  ==========================

Four ways of reading do not look at every line. Each of them is forbidden while one of its bits is set:

=============================================================================  ============================
a block that contains only event lines is taken as the scanner found it        ``FORBIDS_BLOCK_SCAN``
patterns search for event lines in pieces of a block without reports           ``FORBIDS_EVENT_SEARCH``
the rows of a file of samples are summed up                                    ``FORBIDS_SAMPLES``
a complete report, or a line of the page, is taken without normalising         ``FORBIDS_COMPLETE_REPORTS``
=============================================================================  ============================
"""

from __future__ import annotations

OPEN_WRAPPING, OPEN_REPORT, OPEN_HALF_LINE, OPEN_EVENT, OPEN_OBJECT, FORMAT_IN_FORCE, SEVERAL_STREAMS = (
    1 << bit for bit in range(7)
)

FORBIDS_EVENT_SEARCH = OPEN_WRAPPING | OPEN_REPORT | OPEN_HALF_LINE | FORMAT_IN_FORCE | OPEN_OBJECT
FORBIDS_BLOCK_SCAN = FORBIDS_EVENT_SEARCH | OPEN_EVENT
FORBIDS_SAMPLES = OPEN_WRAPPING | OPEN_OBJECT
FORBIDS_COMPLETE_REPORTS = OPEN_WRAPPING | OPEN_HALF_LINE | SEVERAL_STREAMS | OPEN_EVENT

MOST_STREAMS = 256  # streams of a source that are read at a time: each takes some KB, and a line may name one by chance
