"""Files elsewhere, by URL: ``s3://bucket/logs`` and whatever else fsspec opens. Needs the extra ``[distributed]``."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from upath import UPath

# of S3, Azure, Google Cloud Storage; of SFTP and local files, in seconds
_CHANGED = ("LastModified", "last_modified", "updated", "mtime")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+-]+://")


class MissingExtraError(RuntimeError):
    """What was asked for needs packages that are not installed; the message says how to get them."""


def is_url(text: str) -> bool:
    """Whether a PATH or a store is named by URL: ``s3://…``, not ``C:\\…`` and not ``a/b``."""
    return _URL.match(text) is not None


def url_path(url: str) -> UPath:
    """The path that a URL, or a local name, stands for. Raises MissingExtraError; OSError for an unknown protocol."""
    try:
        from upath import UPath
    except ImportError:
        raise MissingExtraError(f"{url}: URLs need more packages: pip install 'wrkparse[distributed]'") from None
    with uniform_errors(url):
        # What others write meanwhile must be seen, so no list of files is kept.
        return UPath(url, use_listings_cache=False) if is_url(url) else UPath(url)


@contextmanager
def uniform_errors(url: object) -> Iterator[None]:
    """Any failure to reach what a URL names is an OSError with a number: storages have exceptions of their own."""
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
    except Exception as problem:  # of botocore, google.auth, aiohttp …
        raise OSError(errno.EIO, f"{type(problem).__name__}: {problem}") from problem


class RemoteFile(NamedTuple):
    """A file of a listing: its path, its name below what was listed (empty: that itself), bytes, and ns if known."""

    path: UPath
    name: str
    size: int
    mtime_ns: int | None


def list_files(root: UPath) -> list[RemoteFile]:
    """All files at or below `root`, by name. One listing tells all; asking file by file takes a request each.

    Raises OSError.
    """
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
    """When a file was changed, in ns; each kind of storage has its own word for it."""
    when = next((info[key] for key in _CHANGED if info.get(key)), None)
    if isinstance(when, datetime):
        return int(when.timestamp() * 1e6) * 1000
    return int(when * 1e9) if isinstance(when, float) else None
