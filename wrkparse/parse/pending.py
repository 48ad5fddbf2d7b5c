"""What a parser still waits for, as bits: the state on which it depends how the next lines may be read.

======================  =============================================  ====================================
bit                     what is open                                   set by
======================  =============================================  ====================================
``UNWRAP``              a notebook, or what may begin one; a mail, a   ``text.normalize``
                        diff's hunk, a cut line
``REPORT``              a report                                       ``parse.reports.assembler``
``FIRST_HALF``          a line that may be half of a wrapped one       ``parse.reports.dispatch``
``FORMAT``              a format that a command asked for              ``parse.reports.assembler``
``STREAMS``             reports of more streams than one               ``parse.reports.dispatch``
``OBJECT``              an object of JSON that a tool may claim        ``parse.objects``
``EVENT``               an event that was torn or wrapped              ``parse.events.traces``
======================  =============================================  ====================================

Four ways of reading need less than a look at every line. Each is closed while one of its bits is set:

========================================================================  ====================
a block without anything but event lines, taken as the scanner found it  ``BARS_SCAN``
a stretch of a block without reports: event lines searched by patterns    ``BARS_EVENTS``
a file of samples, whose rows are summed up                               ``BARS_SAMPLES``
a complete report, or a line of the page, in one piece                    ``BARS_COMPLETE``
========================================================================  ====================
"""

from __future__ import annotations

UNWRAP, REPORT, FIRST_HALF, FORMAT, STREAMS, EVENT, OBJECT = (1 << bit for bit in range(7))

BARS_EVENTS = UNWRAP | REPORT | FIRST_HALF | FORMAT | OBJECT
BARS_SCAN = BARS_EVENTS | EVENT
BARS_SAMPLES = UNWRAP | OBJECT
BARS_COMPLETE = UNWRAP | FIRST_HALF | STREAMS | EVENT

MOST_STREAMS = 256  # of a source: each takes some KB, and a line may name one by chance
