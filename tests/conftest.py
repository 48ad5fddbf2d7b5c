import signal
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from wrkparse.tools.columnar import compiled

# The machines that run these tests are of any speed: no deadline for one example.
settings.register_profile("wrkparse", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("wrkparse")

# A shell starts what runs in the background with interrupts ignored; here some tests send them, and wait.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module", params=["compiled", "regex"])
def loops(request: pytest.FixtureRequest) -> Iterator[None]:
    """Has a module's tests done twice: with the compiled loops and without them."""
    if request.param == "compiled" and not compiled.COMPILED:
        pytest.skip("the package was installed without a C compiler")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "COMPILED", request.param == "compiled")
        yield
