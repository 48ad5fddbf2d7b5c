r"""The file of ``jmeter -l`` as XML, with ``jmeter.save.saveservice.output_format=xml``.

It is written by ``setAttributes`` and ``saveSubResults`` of
``org/apache/jmeter/save/converters/SampleResultConverter.java``, with an element for each sample. A real file begins::

    <?xml version="1.0" encoding="UTF-8"?>
    <testResults version="1.2">
    <httpSample t="59" it="0" lt="55" ct="49" ts="1795456622290" s="true" lb="list, all" rc="200" rm="OK" …>
      <java.net.URL>http://127.0.0.1:18480/</java.net.URL>
    </httpSample>

The attributes are the columns of the CSV, and the runs are those of `wrkparse.tools.jmeter.samples`. An element may
contain others. Elements in a transaction controller are its requests, which count as in the CSV. Elements in a
request are its redirects and embedded resources. Its time includes them, so, as in JMeter's Summary Report, they are
not counted.
"""

from __future__ import annotations

import html
import re

from wrkparse.tools.jmeter.samples import TRANSACTION, CsvTable
from wrkparse.tools.samples import LineForm

_COLUMNS = {
    "ts": "timeStamp", "t": "elapsed", "lb": "label", "rc": "responseCode", "rm": "responseMessage", "s": "success",
    "by": "bytes", "sby": "sentBytes", "na": "allThreads", "sc": "SampleCount", "ec": "ErrorCount",
}  # fmt: skip
_SAMPLES = ("<httpSample ", "<sample ")
_ENDS = ("</httpSample>", "</sample>")
_LAST = "</testResults>"
_FENCES = ("```", "~~~")  # of Markdown, around a part of a file
# Attributes from ``sample_variables`` may have any name.
_OPENING = re.compile(r'<(?:httpSample|sample)(?: [^\s="<>/]{1,200}="[^"<]*")+ ?/?>')
_ATTRIBUTE = re.compile(r' ([^\s="<>/]{1,200})="([^"<]*)"')
_DEEPEST = 100  # samples in samples; JMeter writes at most eleven levels of them as CSV


class XmlTable(CsvTable):
    """The samples of one file of XML."""

    def __init__(self, head: str, line: int) -> None:
        super().__init__(",".join(_COLUMNS.values()), line)
        self.ended = False
        self._head = line, head
        self._shorts: tuple[str, ...] = ()  # the attributes that the first sample has
        self._around: list[bool] = []  # for each element that is open: whether it is a transaction

    def is_outside(self, text: str) -> bool:
        """Whether a line is text between samples, or the end of a block of code, where JMeter writes elements."""
        if text.startswith(_FENCES):
            return True
        return not self._around and not text.startswith((" ", "\t", "<")) and bool(text)

    def take(self, text: str, line: int) -> str:
        """Take a line; returns why it can't be read, empty if it can."""
        element = text.strip()
        if element.startswith(_ENDS):
            self._around = self._around[:-1]
        elif element == _LAST:
            self.ended = True
        elif element.startswith(_SAMPLES):
            return self._take_sample(element, line, text)
        return ""

    def lacks(self) -> str:
        """The last line, which JMeter writes at the end of a test."""
        return "" if self.ended else f"the last line {_LAST} is missing: the file is cut off, or the test still runs"

    def _take_sample(self, element: str, line: int, text: str) -> str:
        """Take the element of a sample, with its attributes."""
        if _OPENING.fullmatch(element) is None:
            return "the element of a sample is cut off"
        found = {name: html.unescape(value) for name, value in _ATTRIBUTE.findall(element)}
        counts = all(self._around)
        if not element.endswith("/>") and len(self._around) < _DEEPEST:
            self._around.append(found.get("rm", "").startswith(TRANSACTION))
        if not counts:
            return ""
        if not self._shorts:
            self._shorts = tuple(short for short in _COLUMNS if short in found or short in ("ts", "t"))
            self._columns = {_COLUMNS[short]: at for at, short in enumerate(self._shorts)}
        return self.add([found.get(short, "") for short in self._shorts], line, text)


FORM = LineForm(sign="<testResults", head=re.compile(r'<testResults version="1\.[0-9]">'), table=XmlTable)
