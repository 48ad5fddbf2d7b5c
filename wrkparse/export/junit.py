"""JUnit XML: what continuous integration shows as tests (Apache Ant's JUnit report, as Jenkins and GitLab read it)."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence

import pandas as pd

from wrkparse.analysis.audit.advice import ADVICE
from wrkparse.analysis.audit.audit import audit
from wrkparse.analysis.checks.finding import INVALID, NOTE
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset, QueryError

_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def content(dataset: Dataset, metric: str | Sequence[str] | None) -> bytes:
    """A test case for each check of the audit; it fails if the check finds a run invalid.

    The text of a failure has a line per run, ``path:line: message``. Runs that a check finds suspect stand in the
    case's output, and do not fail it. Raises QueryError if metrics are named: an audit is of whole runs.
    """
    if metric:
        raise QueryError("the audit checks whole runs; leave out --metric")
    found = audit(dataset)
    suite = ET.Element("testsuite", name="wrkparse audit")
    for code in sorted({*ADVICE, *found.findings["code"]}):
        of_code = found.findings[found.findings["code"] == code]
        _case(suite, code, of_code[of_code["severity"] != NOTE])
    failures = str(len(suite.findall("testcase/failure")))
    suite.attrib |= {"tests": str(len(suite)), "failures": failures, "errors": "0", "skipped": "0"}
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
    return _NOT_IN_XML.sub(
        "�", "\n".join(f"{row['source']}:{row['line']}: {row['severity']}: {row['message']}" for row in rows)
    )
