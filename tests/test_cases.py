"""A test of many cases tries each, and names those that fail."""

from __future__ import annotations

import inspect

import pytest

from tests.cases import each_case


def test_each_case_is_tried_with_the_fixtures_and_those_that_fail_are_named() -> None:
    tried = []

    @each_case("one, two", [(1, 1), (2, 3), (4, 4), (5, 6)])
    def equal(one: int, two: int, fixture: str) -> None:
        tried.append((one, fixture))
        assert one == two

    assert list(inspect.signature(equal).parameters) == ["fixture"]
    with pytest.raises(BaseExceptionGroup) as caught:
        equal(fixture="f")
    assert tried == [(1, "f"), (2, "f"), (4, "f"), (5, "f")]
    assert caught.value.message == "2 of 4 cases fail: 1 one=2, two=3; 3 one=5, two=6"
    assert len(caught.value.exceptions) == 2


def test_a_missing_exception_and_a_skip_fail_their_case_and_an_interrupt_ends_the_test() -> None:
    @each_case("problem", [None, ValueError, pytest.skip.Exception, KeyError], ids=["none", "value", "skip", "key"])
    def raises_key_error(problem: type[BaseException] | None) -> None:
        def body() -> None:
            if problem:
                raise problem("x")

        with pytest.raises(KeyError):
            body()

    with pytest.raises(BaseExceptionGroup, match=r"^3 of 4 cases fail: 0 none; 1 value; 2 skip"):
        raises_key_error()

    @each_case("number", [1, 2])
    def interrupted(number: int) -> None:
        raise KeyboardInterrupt(number)

    with pytest.raises(KeyboardInterrupt, match="1"):
        interrupted()


def test_cases_of_two_decorators_are_combined_and_none_is_a_failure() -> None:
    @each_case("one", "ab", ids=str.upper)
    @each_case("two", [1, 2])
    def differs(one: str, two: int) -> None:
        assert (one, two) != ("b", 2)

    with pytest.raises(BaseExceptionGroup) as caught:
        differs()
    assert caught.value.message == "1 of 2 cases fail: 1 one=B"
    (inner,) = caught.value.exceptions
    assert isinstance(inner, BaseExceptionGroup)
    assert inner.message == "1 of 2 cases fail: 1 two=2"

    @each_case("one", [])
    def nothing(one: int) -> None:
        raise AssertionError(one)

    with pytest.raises(AssertionError, match="there is no case"):
        nothing()
