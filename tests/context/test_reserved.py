"""No label has the name of a column of the table of runs, whatever the text around the runs says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import wrkparse as wp
from tests.samples import WRK
from wrkparse.tools.schema import RESERVED

Files = dict[str, str]


def index(form: str) -> Callable[[str], Files]:
    """Two logs beside a file that says two things of each."""

    def files(key: str) -> Files:
        rows = [{"log": f"{log}.txt", key: value, "server": server} for log, value, server in _ROWS]
        texts = {
            "csv": f"log,{key},server\n" + "".join(f"{','.join(row.values())}\n" for row in rows),
            "json": json.dumps(rows),
            "yaml": "".join(f"- log: {row['log']}\n  {key}: {row[key]}\n  server: {row['server']}\n" for row in rows),
            "md": f"| log | {key} | server |\n|---|---|---|\n"
            + "".join(f"| {' | '.join(row.values())} |\n" for row in rows),
        }
        name = {"md": "README.md", "csv": "index.csv", "json": "index.json", "yaml": "runs.yaml"}[form]
        return {name: texts[form], "01.txt": WRK, "02.txt": WRK}

    return files


_ROWS = (("01", "good", "kiwi"), ("02", "bad", "emu"))

PLACES: dict[str, Callable[[str], Files]] = {
    "file": lambda key: {f"impl=kiwi,{key}=a1.txt": WRK, f"impl=emu,{key}=b2.txt": WRK},
    "number in a file": lambda key: {f"impl=kiwi,{key}=1.txt": WRK, f"impl=emu,{key}=2.txt": WRK},
    "folder": lambda key: {f"{key}=a1/wrk.txt": WRK, f"{key}=b2/wrk.txt": WRK},
    "heading": lambda key: {"page.md": f"# Two\n\n## impl=kiwi {key}=a1\n\n{WRK}\n## impl=emu {key}=b2\n\n{WRK}"},
    "pair": lambda key: {"page.md": f"# Two\n\n{key}: a1, impl: kiwi\n\n{WRK}\n{key}: b2, impl: emu\n\n{WRK}"},
    "loop": lambda key: {"log.txt": f"$ for x in a1 b2; do ./setup --{key}=$x; wrk -c8 http://a/; done\n{WRK}\n{WRK}"},
    "variable": lambda key: {
        "log.txt": f"$ for {key} in a1 b2; do ./setup ${key}; wrk -c8 http://a/; done\n{WRK}\n{WRK}"
    },
    "command": lambda key: {
        "log.txt": f"$ {key}=a1 {key.upper()}=b2 ./server --{key}=c3 &\n$ wrk -c8 http://a/\n{WRK}"
    },
    **{form: index(form) for form in ("csv", "json", "yaml", "md")},
}


@pytest.mark.parametrize("place", PLACES)
def test_a_word_that_names_a_column_labels_no_run(place: str, tmp_path: Path) -> None:
    for key in sorted(RESERVED):
        folder = tmp_path / key
        for name, text in PLACES[place](key).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)
        data = wp.read(folder)
        assert data.count("runs") == WRK_RUNS.get(place, 2), key
        assert not RESERVED.intersection(data.arrow("labels")["key"].to_pylist()), key
        assert "fault" not in data.arrow("diagnostics")["code"].to_pylist(), key


WRK_RUNS = {"command": 1}
