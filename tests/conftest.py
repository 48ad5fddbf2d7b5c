import faulthandler
import gc
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key  # the standard error that is not captured
from hypothesis import HealthCheck, settings

import wrkparse as wp
from wrkparse.ingest.ingest import ingest
from wrkparse.tools.columnar import compiled

# jsonschema, which nbformat imports, takes the formats of internationalised addresses from this package where it is
# installed. Its import takes seconds, and no notebook has such addresses.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

DATA = Path(__file__).parents[1] / "data"
READING = {"context", "parse", "text", "tools"}  # the folders of tests of reading
LONGEST_TEST, ALARM_SERVES = 300, 10  # seconds

# How many examples hypothesis tries: `suite` unless --hypothesis-profile says otherwise. The machines that run these
# tests are of any speed, so one example has no deadline.
for profile, examples in {"fast": 10, "suite": 50, "many": 2000}.items():
    settings.register_profile(
        profile, max_examples=examples, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("suite")

# A worker holds all tests, and a search for garbage goes through what it holds: of what a test takes a thirtieth was that.
gc.set_threshold(20_000, 10, 10)

# A shell starts what runs in the background with interrupts ignored; here some tests send them, and wait.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The modules beside this file come first.

    What they make once takes longest: the site, the notebooks, a benchmark. A worker takes from the end of what another
    one has left, and makes again what the tests there share.
    """
    items.sort(key=lambda item: item.path.parent != DATA.with_name("tests"))


def pytest_collection_finish() -> None:
    """All tests and modules stay to the end: no search for garbage looks at them."""
    gc.freeze()


class Alarm:
    """Ends a test that hangs, and says where.

    pytest's option sets an alarm, which is a thread, for each test: a quarter of what pytest itself takes for one. Here
    an alarm serves the tests of some seconds.
    """

    def __init__(self) -> None:
        self.serves_until = 0.0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if (now := time.monotonic()) >= self.serves_until:
            self.serves_until = now + ALARM_SERVES
            stderr = item.config.stash[fault_handler_stderr_fd_key]
            faulthandler.dump_traceback_later(LONGEST_TEST + ALARM_SERVES, exit=True, file=stderr)

    def pytest_exception_interact(self) -> None:
        self.serves_until = 0.0  # pytest has cancelled it

    def pytest_sessionfinish(self) -> None:
        faulthandler.cancel_dump_traceback_later()


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Alarm())


def pytest_unconfigure() -> None:
    """DuckDB says at the end which of its objects are still there."""
    gc.unfreeze()


@pytest.fixture(scope="module", params=["compiled", "regex"])
def loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Has a module's tests done twice: with the compiled loops and without them."""
    if request.param == "compiled" and not compiled.COMPILED:
        pytest.skip("the package was installed without a C compiler")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "COMPILED", request.param == "compiled")
        yield


@pytest.fixture(scope="module", autouse=True)
def _reading_alone(request: pytest.FixtureRequest) -> Iterator[None]:
    """Has runs without verdicts in tests of reading: they look at none, and an audit takes as long as 50 reports."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.parent.name in READING:
            patch.setattr("wrkparse.ingest.read_logs.with_verdicts", wp.Dataset.of_tables)
        yield


@pytest.fixture(scope="session")
def studies() -> wp.Dataset:
    """The five studies of data/, read in memory once for all tests, which don't change it."""
    return wp.read(DATA)


@pytest.fixture(scope="session")
def studies_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The five studies of data/ in a store, written once for all tests, which don't change it."""
    store = tmp_path_factory.mktemp("studies") / "wrkparse.duckdb"
    ingest([str(DATA)], store)
    return store


@pytest.fixture(scope="session")
def command() -> Iterator[tuple[str, ...]]:
    """The words that stand for ``wrkparse`` in a command line: a process that has the imports of another one.

    Windows can't fork; there it is a process like any other.
    """
    from tests.preloaded import server

    with server() if hasattr(os, "fork") else nullcontext((sys.executable, "-m", "wrkparse")) as words:
        yield words


@pytest.fixture
def without_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Notebooks are executed in the test's own process: starting a kernel takes seconds."""
    from tests.plainrun import plainrun

    monkeypatch.setattr("wrkparse.report.notebook.execute.execute", plainrun)
    monkeypatch.setattr("wrkparse.report.notebook.plain.execute_plain", plainrun)
