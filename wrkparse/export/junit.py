"""JUnit XML: what continuous integration shows as tests (Apache Ant's JUnit report, as Jenkins and GitLab read it)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence

import pandas as pd

from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.audit.audit import audit
from wrkparse.analysis.checks.finding import INVALID, NOTE
from wrkparse.analysis.comparison.outcome import Gate
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset, QueryError

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # all but `Char` of XML 1.0


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """A test case for each check of the audit; it fails if the check finds a run invalid.

    The text of a failure has one line per run, ``path:line: message``. Runs that a check finds suspect are listed in
    the case's output, and do not fail it. Raises QueryError if metrics are named, because the audit checks whole runs.
    """
    if metric:
        raise QueryError("the audit checks whole runs; leave out --metric")
    found = audit(dataset)
    suite = ET.Element("testsuite", name="wrkparse audit")
    for code in sorted({*ADVICE, *found.findings["code"]}):
        of_code = found.findings[found.findings["code"] == code]
        _case(suite, code, of_code[of_code["severity"] != NOTE])
    return _document(suite)


def gates_content(gates: Iterable[Gate], unread: Sequence[str] = ()) -> bytes:
    """A test case for each limit and setting, and one for the inputs.

    A regression fails its case. If the runs can't decide, the case has an error. The messages in `unread`, about inputs
    that could not be read, are errors too, because the command's exit code is then not 0 either.
    """
    suite = ET.Element("testsuite", name="wrkparse compare")
    for gate in gates:
        case = ET.SubElement(suite, "testcase", classname="wrkparse.compare", name=_visible(_name(gate)))
        # Another outcome is `ok`: the case passes.
        kind = {"regression": "failure", "undecided": "error"}.get(gate.outcome)
        if kind is None:
            ET.SubElement(case, "system-out").text = _visible(gate.reason)
        else:
            _problem(case, kind, gate.outcome, f"{gate.outcome}: {gate.reason}, limit {gate.limit}")
    case = ET.SubElement(suite, "testcase", classname="wrkparse.compare", name="every input can be read")
    if unread:
        _problem(case, "error", "unread", "\n".join(unread))
    return _document(suite)


def _name(gate: Gate) -> str:
    return f"{gate.limit}: {gate.setting}" if gate.setting else gate.limit


def _problem(case: ET.Element, kind: str, of_type: str, text: str) -> None:
    """A failure or an error, whose message is the first line of the text."""
    shown = _visible(text)
    ET.SubElement(case, kind, message=shown.partition("\n")[0], type=of_type).text = shown


def _document(suite: ET.Element) -> bytes:
    """A document with one suite, whose cases are counted in its attributes."""
    failures, errors = (str(len(suite.findall(f"testcase/{kind}"))) for kind in ("failure", "error"))
    suite.attrib |= {"tests": str(len(suite)), "failures": failures, "errors": errors, "skipped": "0"}
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites, " ")
    return f"{ET.tostring(suites, encoding='unicode', xml_declaration=True)}\n".encode()


def _case(suite: ET.Element, code: str, findings: pd.DataFrame) -> None:
    case = ET.SubElement(suite, "testcase", classname="wrkparse.audit", name=code)
    invalid = findings["severity"] == INVALID
    if invalid.any():
        message = f"{counted(findings.loc[invalid, 'run'].nunique(), 'run')} invalid"
        failure = ET.SubElement(case, "failure", message=message, type=INVALID)
        failure.text = f"{_lines(findings[invalid])}\n\n{ADVICE.get(code, '')}"
    if not invalid.all():
        ET.SubElement(case, "system-out").text = _lines(findings[~invalid])


def _lines(findings: pd.DataFrame) -> str:
    rows = findings.to_dict("records")
    return _visible("\n".join(f"{row['source']}:{row['line']}: {row['severity']}: {row['message']}" for row in rows))


def _visible(text: str) -> str:
    """A text with U+FFFD for each character that is not allowed in XML."""
    return _NOT_IN_XML.sub("�", text)
