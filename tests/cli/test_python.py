"""The Python interface."""

import gc
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import advisor
from advisor.cli.main import main
from tests.support.paths import CAPTURES, DOCS, ROOT

X445 = CAPTURES / "x445-8way"
TEXT = ROOT / "fixtures" / "imports" / "db2pd-shop.txt"
PAGE = (DOCS / "python.md").read_text(encoding="utf-8")


def test_advise_returns_the_document_of_the_command(tmp_path: Path) -> None:
    options = tmp_path / "site.toml"
    options.write_text("[site]\nmajor_pct = 100\n", encoding="utf-8")
    given = ["advise", "--capture", str(X445), "--format", "json", "--top", "2", "--min-benefit", "1"]
    for more, document in [
        (["--area", "memory"], advisor.advise(X445, areas=["memory"], top=2, min_benefit=1)),
        (["--options", str(options)], advisor.advise(str(X445), options=options, top=2, min_benefit=1)),
    ]:
        assert document == json.loads(CliRunner().invoke(main, [*given, *more]).stdout)
    assert [item["rule"] for item in document["recommendations"] if item["rank"]] != []
    assert "memory.sort-overflow" not in json.dumps(document["recommendations"])


def _list_examples() -> list[tuple[str, str]]:
    found = re.findall(r"```python\n(.*?)```.*?```text\n(.*?)```", PAGE, re.DOTALL)
    assert len(found) == PAGE.count("```python") == 3
    return found


@pytest.mark.parametrize("number", range(3))
def test_example_of_the_page_prints_its_output(number: int) -> None:
    code, shown = _list_examples()[number]
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == shown != ""


def test_examples_pass_the_strict_type_check(tmp_path: Path) -> None:
    paths = [tmp_path / f"example{number}.py" for number, _ in enumerate(_list_examples())]
    for path, (code, _) in zip(paths, _list_examples(), strict=True):
        path.write_text(code, encoding="utf-8")
    mistake = tmp_path / "mistake.py"
    mistake.write_text("from advisor import judge\n\njudge(1).nothing\n", encoding="utf-8")
    options = ["--strict", "--follow-imports=silent", "--config-file=", f"--cache-dir={tmp_path}"]
    command = [sys.executable, "-m", "mypy", *options, *map(str, [*paths, mistake])]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    assert [line for line in lines if "/example" in line] == []
    assert sorted(line.rpartition("[")[2] for line in lines if "/mistake" in line) == ["arg-type]", "attr-defined]"]


def test_page_lists_all_public_names() -> None:
    table = PAGE.partition("These names are public")[0]
    assert set(re.findall(r"`(\w+)[(`]", table)) >= set(advisor.__all__)
    assert all(hasattr(advisor, name) for name in advisor.__all__)
    assert set(advisor.__all__) <= set(dir(advisor))


def test_import_of_advisor_loads_no_other_module_of_it() -> None:
    code = "import sys, advisor; print(*(name for name in sys.modules if name.startswith(('advisor.', 'apsw'))))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"source": "nowhere"}, "nowhere: no such file"),
        ({"areas": ["nowhere"]}, "nowhere: no such area"),
        ({"options": "nowhere.toml"}, "nowhere.toml: No such file or directory"),
        ({"hostfacts": ["nowhere.toml"]}, "nowhere.toml: No such file or directory"),
    ],
)
def test_bad_input_raises_a_user_error(given: dict[str, object], fault: str) -> None:
    with pytest.raises(advisor.UserError, match=fault):
        advisor.advise(**{"source": X445, **given})


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'advice'"):
        _ = advisor.advice  # type: ignore[attr-defined]


@pytest.fixture
def empty_temp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "temp"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def test_advise_of_a_text_returns_the_document_of_the_command(empty_temp: Path) -> None:
    command = ["advise", "--no-keep", "--format", "json", str(TEXT)]
    document = json.loads(CliRunner().invoke(main, command).stdout)
    for source in (TEXT, str(TEXT), [TEXT]):
        assert _without_end(advisor.advise(source)) == _without_end(document)
    assert document["recommendations"] != []
    assert list(empty_temp.iterdir()) == []


def _without_end(document: dict[str, Any]) -> dict[str, Any]:
    return document | {"window": document["window"] | {"end": None}}  # the time of the import


def test_judge_of_a_capture_returns_the_advice() -> None:
    advice = advisor.judge(X445)
    assert isinstance(advice, advisor.Advice)
    ranked = [item for item in advisor.advise(X445)["recommendations"] if item["rank"]]
    assert [item.rule.name for item in advice.ranked] == [item["rule"] for item in ranked]
    assert isinstance(advice.ranked[0], advisor.Recommendation)


def test_import_without_target_leaves_no_file_after_the_block(empty_temp: Path) -> None:
    with advisor.import_texts([TEXT]) as texts:
        assert (texts.capture / "manifest.json").is_file()
        assert texts.rows["tablespace"] > 0
        assert advisor.judge(texts).in_text == texts.rows
    assert list(empty_temp.iterdir()) == []


def test_import_without_target_leaves_no_file_after_its_last_use(empty_temp: Path) -> None:
    texts = advisor.import_texts(TEXT)
    assert list(empty_temp.iterdir()) != []
    del texts
    gc.collect()
    assert list(empty_temp.iterdir()) == []


def test_import_that_fails_leaves_no_file(empty_temp: Path, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear all\n", encoding="utf-8")
    with pytest.raises(advisor.UserError, match="nothing in the text is recognised"):
        advisor.import_texts(letter)
    assert list(empty_temp.iterdir()) == []


@pytest.mark.parametrize("name", ["shop.capture", "shop"])
def test_import_with_target_keeps_the_capture(name: str, tmp_path: Path) -> None:
    target = tmp_path / name
    with advisor.import_texts(TEXT, target, name="shop", db2_level="11.5.9", platform="AIX") as texts:
        assert texts.capture == target
    assert advisor.judge(target).database["platform"] == "AIX"
    with pytest.raises(advisor.UserError, match="already exists"):
        advisor.import_texts(TEXT, target)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"paths": []}, "name a capture or at least one text"),
        ({"paths": "nowhere.txt"}, "nowhere.txt"),
        ({"paths": TEXT, "db2_level": "eleven"}, "'eleven' is not a Db2 level"),
        ({"paths": TEXT, "platform": "VMS"}, "'VMS' is not a platform; use one of AIX"),
    ],
)
def test_bad_texts_raise_a_user_error(given: dict[str, Any], fault: str) -> None:
    with pytest.raises(advisor.UserError, match=fault):
        advisor.import_texts(**given)
