"""Maps words of titles, paths and environments to labels: ``procs``, ``GOMAXPROCS`` and ``核`` all mean cores.

The key and the value of a label are a pair of texts here, with the value as written.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

from wrkparse.tools.schema import RESERVED

Pairs = list[tuple[str, str]]  # keys and values

# Variables with a meaning for all servers: GOMAXPROCS, GOGC and GOMEMLIMIT are those of the Go package runtime; CPU_NUM
# and NUM_CPUS are common in benchmark scripts.
_VARIABLE_KEYS = {
    "GOMAXPROCS": "cores",
    "CPU_NUM": "cores",
    "NUM_CPUS": "cores",
    "GOGC": "gogc",
    "GOMEMLIMIT": "gomemlimit",
}
_WORDS_BY_KEY = {
    "cores": """cores core cpus cpu vcpus vcpu gomaxprocs procs kern kerne núcleos cœurs rdzenie rdzeni ядро ядра ядер
    コア コア数 核心 核心数 核 核数 코어""",
    "connections": """connections connection conns conn con conc concurrency parallel clients client connexions
    verbindung verbindungen conexiones conexões połączenie połączenia połączeń соединение соединений соединения
    подключение подключений подключения 连接 连接数 連接 接続 接続数 并发 并发数 並列 연결""",
    "threads": """threads thread hilo hilos wątek wątki wątków поток потока потоков 线程 线程数 執行緒 スレッド
    スレッド数 스레드""",
    "workers": "workers worker worker_processes воркер воркера воркеров 工作进程 ワーカー 워커",
    "processes": "processes process prozesse procesos процесс процесса процессов 进程 进程数 プロセス 프로세스",
    "framework": "framework server 框架 服务器 服務器 サーバー サーバ フレームワーク 서버 프레임워크",
    "gogc": "gogc",
    "gomemlimit": "gomemlimit",
    "rate": "rate",
    "environment": "environment",
    "payload_bytes": "payload",
    "port": "port порт порту 端口 ポート 포트",
    "duration_s": "duration 持续时间 時間 時长 时长",
    "branch": "branch",
    "commit": "commit",
    "version": "version",
    "mode": "mode",
    "protocol": "protocol",
}


def _alternatives(words: Iterable[str]) -> str:
    """A regular expression for any of some words, the longest first, because a short word may begin a longer one."""
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


LABEL_KEYS = {word: key for key, words in _WORDS_BY_KEY.items() for word in words.split()}
KEY_WORDS = _alternatives(LABEL_KEYS)
# Keys that a bare line may have for another reason, such as the version of a tool; in headings they are labels.
_HEADING_KEYS = frozenset({"branch", "commit", "version", "mode", "protocol"})
LINE_KEYS = frozenset(LABEL_KEYS.values()) - _HEADING_KEYS | {"go_version", "phase"}
_TEXT_KEYS = _HEADING_KEYS | {"framework", "environment"}
NUMERIC_KEY_WORDS = _alternatives(word for word, key in LABEL_KEYS.items() if key not in _TEXT_KEYS)
TEXT_KEY_WORDS = _alternatives(word for word, key in LABEL_KEYS.items() if key in _TEXT_KEYS)
# Nouns of counts in titles.
COUNT_NOUNS = "cores?|cpus?|vcpus?|procs|connections?|conns?|concurrency|clients?|threads?|workers?|processes"
_FOREIGN_STEMS = """kern verbindung núcleo cœur rdze conex połącz connexion hilo wąt prozess proceso яд соедин подключ
    поток воркер процесс""".split()
FOREIGN_COUNT_WORDS = _alternatives(word for word in LABEL_KEYS if word.startswith(tuple(_FOREIGN_STEMS)))
# Nouns of counts that may be a setting or a result, or any of several settings.
DURATION_NOUNS = (
    "seconds?|secs?|minutes?|mins?|hours?|мин(?:ут[аы]?)?|сек(?:унд[аы]?)?"
    "|minuten?|minutos?|sekunden?|segundos?|secondes?"
)
QUANTITY_NOUNS = (
    f"{DURATION_NOUNS}|s|m|h|rps|qps|req(?:uests)?/s(?:ec)?|requests?|reqs?|users?|instances?|replicas?"
    "|nodes|pods|servers|iterations?|bytes|[km]i?b"
)
_CYRILLIC_UNITS = str.maketrans("см", "sm")  # the first letters of seconds and minutes in Cyrillic
GO_VERSION = r"go(?:lang)?[ -]?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:beta[0-9]+|rc[0-9]+|-dev)?)"
# A day, a month or a part of the day: the time of a measurement, not its name. Short forms need their capital, because
# "sun" and "may" are other words.
TIME_WORDS = (
    "(?-i:Mon|Tues?|Wed|Thu|Fri|Sat|Sun|Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?"
    "|Sep(?:tember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    "|morning|noon|afternoon|evening|night|today|yesterday"
)
# Keys of the structure of a text, of notes and of addresses, which label no run.
NON_LABEL_KEYS = RESERVED | frozenset(
    """note notes warning error info todo hint tip example usage date time author http https host url path title see
    update fyi nb ps status result results test benchmark process debug log name id""".split()
)
# Keys of what was measured, which are no settings.
RESULT_KEY = (
    r"(?:[rqt]ps|req\w*|responses?|errors?|fail\w*|time-?outs?|p[0-9]{2,3}|ms|us|latenc\w*|throughput|transfer\w*|mean|avg"
    r"|average|max|min|median|stdev|mem(?:ory)?|rss|cpu|time|took|total|bytes|size)"
)
# Letters of the options of wrk, which scripts put into names: c64, t4, d30s. Only siblings show their meaning.
OPTION_LETTERS = {"c": "connections", "t": "threads", "d": "duration_s", "r": "rate", "R": "rate"}
# Capital letters of GHC runtime options → names (GHC User's Guide, "Running a compiled program").
_RUNTIME_OPTION_NAMES = {"N": "capabilities", "H": "heap", "A": "allocation_area", "M": "max_heap", "K": "max_stack"}


def variable_pairs(env: Mapping[str, str]) -> Pairs:
    """The labels of variables: each under its own name, and under the key of its setting."""
    pairs: Pairs = []
    for name, value in env.items():
        pairs.append((f"env_{name}", value))
        if name in _VARIABLE_KEYS:
            pairs.append((_VARIABLE_KEYS[name], value))
    return pairs


def runtime_option_pairs(options: Iterable[str]) -> Pairs:
    """The labels of GHC runtime options, as written after ``+RTS``."""
    pairs: Pairs = []
    for option in options:
        letter, value = option[1:2], option[2:]
        if letter == "N" and value.isdecimal():
            pairs.append(("cores", value))
        elif letter:
            pairs.append((f"flag_rts_{_RUNTIME_OPTION_NAMES.get(letter) or _lower_flag(letter)}", value or "true"))
    return pairs


@functools.lru_cache(maxsize=1024)  # commands share their flags
def flag_key(name: str) -> str:
    """The key of the label of a flag: ``--keep-alive`` → ``flag_keep_alive``; empty if no program has such a flag."""
    match = re.fullmatch(r"--?([A-Za-z][\w.-]{0,40})", name, re.ASCII)
    return "flag_" + re.sub(r"\W", "_", _lower_flag(match[1])) if match else ""


def _lower_flag(flag: str) -> str:
    """The name of a flag in lower case; ``-T`` is ``upper_t``.

    Column names ignore case, and ``-t`` is another flag.
    """
    return f"upper_{flag.lower()}" if len(flag) == 1 and flag.isupper() else flag.lower()


def count_setting(number: str, noun: str) -> tuple[str, str]:
    """The key and the value of a count with one of the `QUANTITY_NOUNS`: ``30 s`` is a duration, ``5k rps`` a rate."""
    noun = noun.lower()
    if noun in ("rps", "qps") or "/" in noun:
        return "rate", number
    if re.fullmatch("s|se[ckg].*|m|min.*|h|hour.*|сек(?:унд.?)?|мин(?:ут.?)?", noun):
        return "duration_s", number + noun[0].translate(_CYRILLIC_UNITS)
    if noun.endswith("b") or noun == "bytes":
        return "payload", number + noun
    return {"req": "requests", "reqs": "requests"}.get(noun, noun.rstrip("s") + "s"), number
