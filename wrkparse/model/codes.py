"""What each code of a diagnostic means, and what to do about it.

The table `diagnostics` has these codes. They are stable: programs may rely on them. The findings of the audit have
codes of their own (`wrkparse.analysis.audit.advice`).
"""

from __future__ import annotations

from typing import NamedTuple


class Code(NamedTuple):
    """What a code means, as Markdown of a page in ``docs/reference``: severities, when, an example, and a remedy."""

    severities: tuple[str, ...]
    meaning: str
    example: str
    remedy: str


# What the codes are about, and the codes.
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
            remedy="see whether it is the right directory",
        ),
        "unreadable": Code(
            ("error",),
            meaning="a file or directory can't be opened or read",
            example="a file of another user",
            remedy="check permissions, and the disk",
        ),
        "damaged": Code(
            ("error",),
            meaning="compressed data is damaged or cut off; all before it was read",
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
            example="`lables:` in place of `labels:`",
            remedy="correct the line that is named; `wrkparse label --schema` prints the keys",
        ),
        "unused-rule": Code(
            ("warning",),
            meaning="a rule of a `wrkparse.yaml` labels no run",
            example="`when: {path: old/*}` after the folder got another name",
            remedy="check its conditions, or delete it",
        ),
        "zeros": Code(
            ("warning",),
            meaning="NUL bytes, as a log has that was cut while it was written; they are left out",
            example="a log that `logrotate` emptied under a program that keeps on writing",
            remedy="rotate without `copytruncate`",
        ),
        "long-line": Code(
            ("warning",),
            meaning="a line is longer than the limit, and was cut",
            example="a JSON document of several megabytes in one line",
            remedy="write the records on lines of their own",
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
            meaning="no output of a known tool in a file that you named. If a line resembles one, it is shown",
            example="a log of the server only",
            remedy="compare that line with the tool's output: it may have been edited",
        ),
        "other-tool": Code(
            ("note",),
            meaning="looks like the output of a load generator that wrkparse does not read",
            example="the summary of a tool that the [formats](../formats.md) lack",
            remedy="export it in a format that is read, or write [a plug-in](../plugins.md)",
        ),
        "renamed": Code(
            ("note",),
            meaning="a file of the store has another name now; its runs are under the new one",
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
            meaning="a log that had been read before is shorter or different now; it was read from its beginning",
            example="`server.log`, which became `server.log.1`",
            remedy="nothing, if the log was rotated",
        ),
        "replaced": Code(
            ("note",),
            meaning="standard input replaces what came from there before",
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
            meaning="a JSON object of a tool can't be read to its end, or is none that the tool writes",
            example="a file that was cut off",
            remedy="look at the line where it begins; write the file again",
        ),
        "bad-index": Code(
            ("warning",),
            meaning=(
                "a mistake in a file in JSON or YAML that names logs: it labels none of them, none from here on, "
                "or not by this value"
            ),
            example=(
                "`runs.yaml` with a tab in front of a key, or an alias `*x` without its `&x`; `runs.json` with a comma "
                "behind its last value, or a key twice"
            ),
            remedy="correct the line, and ingest again",
        ),
        "bad-line": Code(
            ("warning",),
            meaning="a line that should be one of the report can't be read",
            example="`Latency  193.32us  51.20us`",
            remedy="look at the line: it was cut or edited",
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
            remedy="see why they failed, and measure again",
        ),
        "too-short": Code(
            ("warning",),
            meaning="the elapsed time is shorter than siege prints, so that its rates are 0; they are left out",
            example="`Elapsed time: 0.00 secs`",
            remedy="measure for longer",
        ),
        "incomplete": Code(
            ("warning", "note"),
            meaning="the report ends before the line that its tool always prints last",
            example="a report without `Transfer/sec`",
            remedy="look whether the log was cut off",
        ),
        "fragment": Code(
            ("warning",),
            meaning="the beginning of a report without results: no run",
            example="a run stopped with Ctrl-C",
            remedy="measure again",
        ),
        "no-head": Code(
            ("note",),
            meaning=(
                "rows of JMeter's samples begin without the line that names the columns; those that it writes by "
                "default are taken"
            ),
            example="`1795456630491,56,list,200,OK,users 1-2,…`",
            remedy=(
                "see whether the columns that it names are right; set `jmeter.save.saveservice.print_field_names=true`"
            ),
        ),
        "unmeasured": Code(
            ("note",),
            meaning="the numbers are none that were measured, such as a template's",
            example="`Requests/sec: {{rps}}`",
            remedy="nothing, unless a run is missing: then look for the log with its numbers",
        ),
        "expected": Code(
            ("note",),
            meaning="the line above calls the report expected",
            example="`Expected output:`",
            remedy="leave the run out, if it is an example",
        ),
        "copy": Code(
            ("note",),
            meaning="all numbers are those of an earlier run of the file",
            example="a report quoted twice",
            remedy="comparisons count it once",
        ),
        "mended": Code(
            ("note",),
            meaning="a line was put together from pieces, or a number from its neighbours",
            example="a line that a terminal wrapped",
            remedy="compare the run with the line, if its numbers look wrong",
        ),
    },
    "Traces": {
        "bad-event": Code(
            ("warning",),
            meaning="a line of a trace can't be read",
            example="`gc 7 @0.9s 2%: 0.01+1.`",
            remedy="other output tore the line: write the trace to a file of its own",
        ),
        "interleaved": Code(
            ("note", "warning"),
            meaning="lines of several processes stand in turn; a warning if some could be of two",
            example="two servers into one terminal",
            remedy="write a log for each process",
        ),
        "source-code": Code(
            ("note",),
            meaning="a line in a string literal of source code: no run",
            example='`want := "gc 1 @0.01s …"`',
            remedy="nothing",
        ),
        "torn-limit": Code(
            ("warning",),
            meaning="many torn lines could not be joined, and no more are tried",
            example="a trace and a chatty server that write into one file byte by byte",
            remedy="as `bad-event`",
        ),
    },
    "Labels": {
        "label-conflict": Code(
            ("warning", "note"),
            meaning="two origins disagree; the stronger one wins. A note if you said it yourself",
            example="heading `8 connections`, report `64 connections`",
            remedy="see which is right; overrule with `--label`",
        ),
        "bad-label": Code(
            ("warning",),
            meaning="a label is no number where one belongs; it is left empty",
            example="`cores=many`",
            remedy="correct it where the line says",
        ),
        "many-labels": Code(
            ("note",),
            meaning="too many different flags and variables for columns; they are in the table `labels` only",
            example="a script that sets another variable for each of a thousand runs",
            remedy="ask for them with `wrkparse sql`",
        ),
    },
}
