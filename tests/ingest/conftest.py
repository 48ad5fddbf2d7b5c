"""A Dask cluster and an S3 server, all on loopback, for all tests of this folder."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

WORKER = ("distributed.cli.dask_worker", "--nthreads", "1", "--no-dashboard", "--no-nanny")


@contextmanager
def process(*command: str, **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    started = subprocess.Popen(
        [sys.executable, "-m", *command],
        env=os.environ | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture(scope="module")
def s3_environment() -> Iterator[dict[str, str]]:
    """The environment variables that lead to an S3 server, which runs as a process."""
    pytest.importorskip("distributed")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with process("moto.server", "-H", "127.0.0.1", "-p", str(port)):
        for _ in range(300):
            try:
                urllib.request.urlopen(f"{url}/moto-api/", timeout=1).close()
                break
            except OSError:
                time.sleep(0.1)
        yield {
            "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": url,
        }  # fmt: skip


@pytest.fixture(scope="module")  # it takes time as long as it lives
def scheduler(s3_environment: dict[str, str]) -> Iterator[str]:
    """A scheduler and one worker, each a process of its own."""
    address = f"tcp://127.0.0.1:{free_port()}"
    host, port = address.removeprefix("tcp://").split(":")
    with (
        process("distributed.cli.dask_scheduler", "--host", host, "--port", port, "--no-dashboard", "--no-show"),
        process(*WORKER, address, **s3_environment),
    ):
        from distributed import Client

        with Client(address, timeout=60) as client:
            client.wait_for_workers(1, timeout=60)
        yield address
