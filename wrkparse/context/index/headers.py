"""Classifies the header of a column, or a key of JSON: a label, a result, the names of logs, or none of these.

``Conns.`` is the label ``connections``, ``TLS`` is ``tls``, ``p99 (ms)`` is a result, ``Log file`` names logs.
"""

from __future__ import annotations

import functools
import re

from wrkparse.context.titles.settings.setting_extraction import REPEAT_WORDS
from wrkparse.context.titles.vocabulary import LABEL_KEYS, NON_LABEL_KEYS
from wrkparse.tools import metrics

# Headers of a column that names logs, as words.
_FILE_WORDS = frozenset(
    """file filename files log logs logfile run runs test id output out path source raw data job uuid no nr number case
    # datei fichier archivo ファイル 文件 文件名 日志""".split()
)
_ROW_NUMBER_WORDS = frozenset({"#", "no", "nr", "number", "step"})
# Headers of a column that describes the measurement in words.
_DESCRIPTION_WORDS = frozenset(
    "description desc what meaning contents content change changes means explanation 说明 説明 内容".split()
)
# Headers of a column that names the framework, if no other column does.
_FRAMEWORK_WORDS = frozenset(
    """name target variant candidate contender subject impl implementation engine service svc app application library
    lib image build stack allocator""".split()
)
# Words of results, and of facts about a log that distinguish no settings.
_RESULT_WORDS = frozenset(
    """rps qps req reqs request requests hits latency latencies avg mean average median min max best worst stdev stddev
    std sd cov p50 p75 p90 p95 p99 p999 p9999 percentile throughput bandwidth transfer transferred errors error err
    timeouts timeout failed failures fails success score total sum bytes mb kb gb ms us µs speed memory mem rss ok
    rank ratio speedup improvement delta diff gain loss pauses gcs exit code status""".split()
)
_FACT_WORDS = frozenset(
    """note notes comment comments remark remarks date day time started start finished end ended begin began stopped
    timestamp when who by author operator sha sha1 sha224 sha256 sha384 sha512 md5 crc32 xxh32 xxh64 xxh3 xxh128 blake2
    blake3 checksum digest size lines link links url see todo order
    seq sequence index repeat replicate n host hostname machine ip pid owner assignee reviewer priority permissions
    modified created updated mtime uploaded temp temperature uid gid""".split()
)
_FILLER_WORDS = frozenset(
    "number no nr num of concurrent parallel the simultaneous open max used # count http wrk".split()
)
_WORD = re.compile(r"[^\W_]+|#")
_UNIT = re.compile(r"[(\[][^()\[\]]{0,30}[)\]]")  # "(ms)"
# "req/s", "requests per second", "p99", "%"
_RATE_OR_PERCENTILE = re.compile(r"/\s?(?:s|sec|second|min|op)\b|\bper\s|%|\bp[0-9]{2,4}\b", re.IGNORECASE)
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
_RESULT_UNIT = re.compile(r"[(\[]\s?(?:ms|us|µs|ns|%|[kmg]i?b(?:/s)?|req\S{0,10}|rps|1/s)\s?[)\]]", re.IGNORECASE)


@functools.lru_cache(maxsize=4096)  # files of one folder have the same headers
def words_of(header: str) -> tuple[str, ...]:
    """The words of a header in lower case, without a unit in brackets: ``Duration (s)`` → duration."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", _UNIT.sub(" ", header[:200]))  # logFile, numConnections
    return tuple(_WORD.findall(spaced.lower()))


def names_logs(header: str) -> bool:
    """Whether a column with this header names logs; of a header with several words, one must be *file* or *log*."""
    words = words_of(header)
    if len(words) > 1:
        return not {"file", "log", "logfile", "filename"}.isdisjoint(words)
    return header.strip() == "" or bool(words and words[0] in _FILE_WORDS)


def is_row_number(header: str) -> bool:
    """Whether a header says only that rows are numbered: ``#``, ``No.``, or an empty one."""
    return _ROW_NUMBER_WORDS.issuperset(words_of(header))


def is_description(header: str) -> bool:
    """Whether a column with this header describes the measurement in words."""
    return bool(words_of(header)) and _DESCRIPTION_WORDS.issuperset(words_of(header))


def names_framework(header: str) -> bool:
    """Whether a column with this header names the framework, if no other one does."""
    words = words_of(header)
    return len(words) == 1 and words[0] in _FRAMEWORK_WORDS


def is_result(header: str) -> bool:
    """Whether a column with this header has results."""
    words = words_of(header)
    if _known_key(words):
        return False
    if _RATE_OR_PERCENTILE.search(header) or _RESULT_UNIT.search(header) or "_".join(words) in _metric_names():
        return True
    return not _RESULT_WORDS.isdisjoint(words)


def label_key(header: str) -> str:
    """The key of the label that a column with this header gives; empty if it gives none."""
    words = words_of(header)
    if known := _known_key(words):
        return known
    key = "_".join(words)
    if not _KEY.fullmatch(key) or key in NON_LABEL_KEYS or is_result(header) or words[-1] in _FACT_WORDS:
        return ""
    return "" if words[0] in REPEAT_WORDS or words[0] in _FACT_WORDS or names_logs(header) else key


def is_known_key(key: str) -> bool:
    """Whether the vocabulary has this key of a label."""
    return key in _KNOWN_KEYS


_KNOWN_KEYS = frozenset(LABEL_KEYS.values())


def _known_key(words: tuple[str, ...]) -> str:
    """The key in the vocabulary for these words: ``Number of connections`` is connections; empty without one."""
    if "_".join(words) in _KNOWN_KEYS:
        return "_".join(words)
    telling = [word for word in words if word not in _FILLER_WORDS]
    return LABEL_KEYS.get(telling[0], "") if len(telling) == 1 else ""


@functools.cache
def _metric_names() -> frozenset[str]:
    return frozenset(metrics())
