import signal

from hypothesis import HealthCheck, settings

# The machines that run these tests are of any speed: no deadline for one example.
settings.register_profile("wrkparse", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("wrkparse")

# A shell starts what runs in the background with interrupts ignored; here some tests send them, and wait.
signal.signal(signal.SIGINT, signal.default_int_handler)
