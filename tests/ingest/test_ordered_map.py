"""Work is done in any order, and given out in its own."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Future
from itertools import islice

import pytest

from wrkparse.ingest.parallel.ordered_map import ordered_map


class Others:
    """Processes that do nothing until they are told to; ``given`` is what they were given."""

    def __init__(self, refuse: Callable[[int], bool] = lambda _: False) -> None:
        self.given: dict[int, Future[str]] = {}
        self._refuse = refuse

    def submit(self, task: int) -> Future[str] | None:
        if self._refuse(task):
            return None
        return self.given.setdefault(task, Future())


def test_while_others_are_at_the_first_task_this_process_does_the_next_ones() -> None:
    others, done = Others(), list[int]()

    def here(task: int) -> str:
        done.append(task)
        if task == 4:
            others.given[0].set_result("there 0")
        return f"here {task}"

    tasks = ordered_map(range(100), others.submit, here, 1)
    assert next(tasks) == (0, "there 0")
    assert done == [2, 3, 4]  # 0 and 1 are the other's
    assert list(others.given) == [0, 1, 5]  # and what comes behind, once it has done one
    others.given[1].set_result("there 1")
    assert list(islice(tasks, 4)) == [(1, "there 1"), (2, "here 2"), (3, "here 3"), (4, "here 4")]


def test_what_others_cannot_do_is_done_here() -> None:
    others = Others(refuse=lambda task: task % 2 == 0)
    found = []
    for task, result in ordered_map(range(10), others.submit, lambda task: f"here {task}", 2):
        found.append((task, result))
        for future in others.given.values():
            if not future.done():
                future.set_exception(BrokenExecutor())
    assert found == [(task, f"here {task}") for task in range(10)]


def test_a_mistake_in_another_process_is_raised_here() -> None:
    others = Others()
    tasks = ordered_map(range(10), others.submit, lambda _: others.given[0].set_exception(ValueError("a bug")) or "", 1)
    with pytest.raises(ValueError, match="a bug"):
        next(tasks)
