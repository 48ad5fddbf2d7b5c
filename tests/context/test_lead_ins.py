"""Lines above and below runs that look like names and name nothing: sentences, counts, progress, code, commands.

The expected names are read by eye from the text around each report.
"""

from __future__ import annotations

import pytest

import wrkparse as wp
from tests.context.test_strangers import named, written

NOTHING = [None] * 3


def led_in(*lines: str) -> str:
    """A page of reports, each in a fence below a line."""
    return "# Report\n\n" + "\n\n".join(f"Some words.\n\n{line}\n\n```\n@\n```" for line in lines)


@pytest.mark.parametrize(
    "lines",
    [
        ("Результаты исполнения в wrk представлены ниже:", "Результаты запуска:", "Запросы на удаление:"),
        ("Попробуем на 4Krps:", "Поначалу всё идёт хорошо:", "И на 50к уже получаем захлёб:"),
        ("Results of the execution in wrk are shown below:", "Results of the launch:", "Requests to delete:"),
        ("Let's try at 4k:", "At first all goes well:", "And at 50k it already chokes:"),
        ("Ergebnisse der Ausführung in wrk stehen unten:", "Ergebnisse des Laufs:", "Anfangs geht alles gut:"),
        ("Les résultats dans wrk sont ci-dessous :", "Au début tout va bien :", "Essayons à 4k :"),
        ("Risultati dell'esecuzione in wrk:", "All'inizio va tutto bene:", "Proviamo a 4k:"),
        ("Wyniki uruchomienia:", "Na początku wszystko idzie dobrze:", "Spróbujmy 4k:"),
        ("Los resultados de la ejecución están abajo:", "Al principio todo va bien:", "Probemos con 4k:"),
        ("wrk 실행 결과는 아래와 같다:", "처음에는 모두 잘 된다:", "이제 4k로 해 본다:"),
    ],
)
def test_sentences_above_runs_name_nothing_in_any_language(lines: tuple[str, ...]) -> None:
    assert named(led_in(*lines), "x.md") == NOTHING


def test_sentences_that_name_nothing_still_tell_runs_apart() -> None:
    page = led_in("Анфас всё идёт очень хорошо:", "Потом всё становится гораздо хуже:")
    headings = wp.parse_text(written(page), source="x.md").runs["heading"]
    assert headings.nunique() == 2


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (("Результаты kiwi:", "Результаты emu:"), ["kiwi", "emu"]),
        (("Результаты киви:", "Результаты эму:"), ["киви", "эму"]),
        (("Простой сервер:", "Сервер с пулом:"), ["Простой сервер", "Сервер с пулом"]),
        (("Now the server without a pool:", "Now the server with a pool:"), ["without a pool", "with a pool"]),
        (("Anfangs geht alles gut:", "Plover:"), [None, "Plover"]),
        (("Anfangs geht alles gut:", "Und dann kiwi-fpm:"), [None, "kiwi-fpm"]),
    ],
)
def test_lines_that_are_alike_or_have_a_word_like_a_name_still_name_runs(
    lines: tuple[str, ...], names: list[str | None]
) -> None:
    found = named(led_in(*lines), "x.md")
    for name, expected in zip(found, names, strict=True):
        assert (name or "").endswith(expected or "")
        assert (name is None) == (expected is None)


@pytest.mark.parametrize(
    "lines",
    [
        ("* CPUを使い切っているか確認するとよい", "* 接続数はある程度上げるとよい"),
        (
            "    * 実際の値としては別の機械ではなく、別の測定データを利用する",
            "* むやみに上げても意味はないので検証するとよい",
        ),
        ("1スレッドでwrkを実行", "2スレッドでwrkを実行"),
    ],
)
def test_sentences_in_japanese_name_nothing(lines: tuple[str, ...]) -> None:
    assert named("# 測定\n\n" + "\n\n".join(f"{line}\n\n```\n@\n```" for line in lines), "x.md") == [None, None]


def test_names_in_japanese_stay_names() -> None:
    for names in (("素のサーバ", "プールを使ったサーバ"), ("キャッシュを有効にした場合", "キャッシュを無効にした場合")):
        assert named("\n\n".join(f"## {name}\n\n```\n@\n```" for name in names), "x.md") == list(names)


@pytest.mark.parametrize("line", ["-----{}--DONE-----", "--- {} done ---", "=== DONE {} ===", "-----{}--END-----"])
def test_a_count_that_ends_each_run_names_no_run(line: str) -> None:
    page = "\n".join(f"@\n{line.format(count)}" for count in (32, 64, 128, 32, 64, 128))
    assert named(page) == [None] * 6


@pytest.mark.parametrize("last", [2, 11, 20])
def test_progress_is_not_between_a_name_and_its_run(last: int) -> None:
    progress = "".join(f"Completed {count}000 requests\n" for count in range(1, last))
    page = "# Runs\n\n```\n"
    for name, rate in (("kiwi", 8774.77), ("emu", 8360.75)):
        page += f"{name}\n{progress}Finished {last}000 requests\nRequests per second:    {rate} [#/sec] (mean)\n\n\n"
    assert named(page + "```\n", "x.md") == ["kiwi", "emu"]


@pytest.mark.parametrize("tool", ["npm", "pnpm", "yarn"])
def test_a_command_below_a_heading_that_is_another_command_has_its_own_name(tool: str) -> None:
    page = (
        f"## {tool} 8\n\n```\n$ time {tool} install\n{tool} install  9,6s user 9,8s system 72% cpu 26,8 total\n```\n\n"
    )
    page += f"## {tool} ci\n\n```\n"
    for command in ("install", "ci"):
        page += f"$ rm -rf x && time {tool} {command}\n{tool} {command}  9,5s user 9,3s system 80% cpu 23,4 total\n\n"
    assert named(page + "```\n", "x.md")[1:] == [f"{tool} install", f"{tool} ci"]


def test_code_above_a_heading_is_not_about_the_runs_below_it() -> None:
    page = "## kiwi\n\n"
    for value in ("true", "false"):
        page += f"```js\nconst kiwi = Kiwi({{\n  logger: {value},\n}});\n```\n\nbenchmark\n\n```\n@\n```\n\n"
    page += "```js\nconst kiwi = Kiwi({ logger: false });\n```\n\nbenchmark\n\n```\n@\n```\n\n"
    page += "## Conclusions\n\nEmu\n\n```\n@\n```\n\nPlover\n\n```\n@\n```\n"
    runs = wp.parse_text(written(page), source="x.md").runs.sort_values("line")
    assert not any("Kiwi(" in str(heading) for heading in runs["heading"].iloc[3:])
    assert runs["framework"].to_list()[3:] == ["Emu", "Plover"]


def test_a_second_time_with_another_setting_is_no_repeat() -> None:
    page = "first time, log = on\n\n```\n@\n```\n\nsecond time, log = off\n\n```\n@\n```\n"
    runs = wp.parse_text(written(page), source="x.md").runs.sort_values("line")
    keys = [key for key in ("heading", "framework", "log", "title") if key in runs]
    assert runs[keys].astype(str).drop_duplicates().shape[0] == 2
