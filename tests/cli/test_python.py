"""The Python interface."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

import advisor
from advisor.cli.main import main
from tests.support.paths import CAPTURES, DOCS, ROOT

X445 = CAPTURES / "x445-8way"
PAGE = (DOCS / "python.md").read_text(encoding="utf-8")


def test_advise_returns_the_document_of_the_command(tmp_path: Path) -> None:
    options = tmp_path / "site.toml"
    options.write_text("[site]\nmajor_pct = 1000000\n", encoding="utf-8")
    given = ["advise", "--capture", str(X445), "--format", "json", "--top", "2", "--min-benefit", "1"]
    for more, document in [
        (["--area", "memory"], advisor.advise(X445, areas=["memory"], top=2, min_benefit=1)),
        (["--options", str(options)], advisor.advise(str(X445), options=options, top=2, min_benefit=1)),
    ]:
        assert document == json.loads(CliRunner().invoke(main, [*given, *more]).stdout)
    assert [item["rule"] for item in document["recommendations"] if item["rank"]] != []
    assert "memory.sort-overflow" not in json.dumps(document["recommendations"])


def test_example_of_the_page_prints_what_it_shows() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    (shown,) = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == shown


def test_import_of_advisor_loads_no_other_module_of_it() -> None:
    code = "import sys, advisor; print(*(name for name in sys.modules if name.startswith(('advisor.', 'duckdb'))))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"capture": "nowhere"}, "nowhere: no such capture"),
        ({"areas": ["nowhere"]}, "nowhere: no such area"),
        ({"options": "nowhere.toml"}, "nowhere.toml: No such file or directory"),
        ({"hostfacts": ["nowhere.toml"]}, "nowhere.toml: No such file or directory"),
    ],
)
def test_bad_input_raises_a_user_error(given: dict[str, object], fault: str) -> None:
    with pytest.raises(advisor.UserError, match=fault):
        advisor.advise(**{"capture": X445, **given})


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'advice'"):
        _ = advisor.advice  # type: ignore[attr-defined]
