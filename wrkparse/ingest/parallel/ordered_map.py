"""A map over tasks by several processes or threads, whose results come in the order of the tasks."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

_AHEAD = 3  # results of this process that may wait for an earlier task


@dataclass(slots=True)
class _Task(Generic[T, R]):
    """A task with its result: None before it is started, pending while another process works on it."""

    argument: T
    future: Future[R] | None = None


def ordered_map(
    tasks: Iterable[T], submit: Callable[[T], Future[R] | None], run_here: Callable[[T], R], other_workers: int
) -> Iterator[tuple[T, R]]:
    """Yield each task with its result, in the order of the tasks.

    `submit` starts a task in one of the `other_workers`; each gets one task to work on and one to follow. It returns
    None for a task that this process has to do by calling `run_here`. While the first task is not done, this process
    does one of the next ones. It repeats a task whose worker was killed or ran out of disk.
    """
    waiting: deque[_Task[T, R]] = deque()
    for argument in tasks:
        waiting.append(_Task(argument))
        _submit_more(waiting, submit, 2 * other_workers)
        # Bounds the results that wait in memory for an earlier task.
        if len(waiting) > 2 * other_workers + _AHEAD:
            yield _first_result(waiting, submit, run_here, other_workers)
    while waiting:
        yield _first_result(waiting, submit, run_here, other_workers)


def _submit_more(waiting: deque[_Task[T, R]], submit: Callable[[T], Future[R] | None], most: int) -> None:
    """Start tasks until `most` are under way."""
    busy = sum(task.future is not None and not task.future.done() for task in waiting)
    for task in waiting:
        if busy >= most:
            return
        if task.future is None:
            task.future = submit(task.argument)
            busy += task.future is not None


def _first_result(
    waiting: deque[_Task[T, R]], submit: Callable[[T], Future[R] | None], run_here: Callable[[T], R], other_workers: int
) -> tuple[T, R]:
    while not (waiting[0].future and waiting[0].future.done()) and (task := _not_started(waiting)):
        # Done here, but kept as a future, like the results of the others.
        task.future = Future()
        task.future.set_result(run_here(task.argument))
        _submit_more(waiting, submit, 2 * other_workers)
    first = waiting.popleft()
    assert first.future
    try:
        return first.argument, first.future.result()
    except (BrokenExecutor, OSError):  # a worker was killed, or the disk is full
        return first.argument, run_here(first.argument)


def _not_started(waiting: deque[_Task[T, R]]) -> _Task[T, R] | None:
    """The first task that is not started."""
    return next((task for task in waiting if task.future is None), None)
