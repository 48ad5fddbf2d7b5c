"""Work that several processes share: done in any order, given out in its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_OWN = 3  # tasks that this process may have done before their turn


@dataclass(slots=True)
class _Task(Generic[T, R]):
    """What is to be done, and who does it: nobody yet, another process, or this one, which has."""

    what: T
    future: Future[R] | None = None


def ordered_map(
    tasks: Iterable[T], submit: Callable[[T], Future[R] | None], here: Callable[[T], R], others: int
) -> Iterator[tuple[T, R]]:
    """Each task with what came of it, in their order.

    `submit` gives a task to other processes, of which there are so many: each has one that it does and one more. It
    returns None for what this process has to do. Rather than wait for the first task, this process does one of the
    next: `here`; and what another one was killed at, or could not keep.
    """
    waiting: deque[_Task[T, R]] = deque()
    for what in tasks:
        waiting.append(_Task(what))
        _give(waiting, submit, 2 * others)
        if len(waiting) > 2 * others + _OWN:
            yield _first(waiting, submit, here, others)
    while waiting:
        yield _first(waiting, submit, here, others)


def _give(waiting: deque[_Task[T, R]], submit: Callable[[T], Future[R] | None], most: int) -> None:
    """Keep the others busy."""
    busy = sum(task.future is not None and not task.future.done() for task in waiting)
    for task in waiting:
        if busy >= most:
            return
        if task.future is None:
            task.future = submit(task.what)
            busy += task.future is not None


def _first(
    waiting: deque[_Task[T, R]], submit: Callable[[T], Future[R] | None], here: Callable[[T], R], others: int
) -> tuple[T, R]:
    while not (waiting[0].future and waiting[0].future.done()) and (task := _free(waiting)):
        task.future = Future()
        task.future.set_result(here(task.what))
        _give(waiting, submit, 2 * others)
    first = waiting.popleft()
    assert first.future
    try:
        return first.what, first.future.result()
    except (BrokenExecutor, OSError):  # a worker was killed, for want of memory perhaps; or the disk is full
        return first.what, here(first.what)


def _free(waiting: deque[_Task[T, R]]) -> _Task[T, R] | None:
    """The first task that nobody is at."""
    return next((task for task in waiting if task.future is None), None)
