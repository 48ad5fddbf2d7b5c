"""Remote files by URL: ``s3://bucket/logs`` and everything else that fsspec opens.

Needs the extra ``[distributed]``.
"""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from upath import UPath

# Keys of the modification time: S3, Azure, Google Cloud Storage; SFTP and local files, in seconds.
_CHANGED = ("LastModified", "last_modified", "updated", "mtime")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+-]+://")


class MissingExtraError(RuntimeError):
    """An optional package is not installed; the message says how to install it."""


def is_url(text: str) -> bool:
    """Whether a PATH or store is a URL: ``s3://…``, but not ``C:\\…`` or ``a/b``."""
    return _URL.match(text) is not None


def url_path(url: str) -> UPath:
    """The path object of a URL or local name. Raises MissingExtraError; OSError for an unknown protocol."""
    try:
        from upath import UPath
    except ImportError:
        raise MissingExtraError(f"{url}: URLs need more packages: pip install 'wrkparse[distributed]'") from None
    with uniform_errors(url):
        # Listings are not cached: files that other machines write meanwhile must be visible.
        return UPath(url, use_listings_cache=False) if is_url(url) else UPath(url)


@contextmanager
def uniform_errors(url: object) -> Iterator[None]:
    """Turn every failure to reach a URL into an OSError with a number: each kind of storage raises its own errors."""
    try:
        yield
    except MissingExtraError:
        raise
    except OSError as problem:
        if problem.errno is not None:
            raise
        raise type(problem)(errno.EIO, str(problem)) from problem
    except ImportError as problem:
        raise MissingExtraError(f"{url}: {problem}; pip install 'wrkparse[distributed]'") from None
    except Exception as problem:  # from botocore, google.auth, aiohttp …
        raise OSError(errno.EIO, f"{type(problem).__name__}: {problem}") from problem


class RemoteFile(NamedTuple):
    """A file in a listing; its name is relative to the listed URL (empty for the URL itself), times are in ns."""

    path: UPath
    name: str
    size: int
    mtime_ns: int | None


def list_files(root: UPath) -> list[RemoteFile]:
    """All files at or below `root`, by name, with one request. Raises OSError."""
    top = root.path.rstrip("/")
    with uniform_errors(root):
        found = sorted(root.fs.find(root.path, detail=True).items())
        return [
            RemoteFile(
                url_path(root.fs.unstrip_protocol(path)), path[len(top) + 1 :], int(info["size"]), _changed(info)
            )
            for path, info in found
        ]


def _changed(info: Mapping[str, object]) -> int | None:
    """When a file was changed, in ns, None if unknown. Each kind of storage has a different key for it."""
    when = next((info[key] for key in _CHANGED if info.get(key)), None)
    if isinstance(when, datetime):
        return int(when.timestamp() * 1e6) * 1000
    return int(when * 1e9) if isinstance(when, float) else None
