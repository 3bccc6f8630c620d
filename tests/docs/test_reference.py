"""The reference in docs/ is generated from the rules, their cases and the papers' practices."""

import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from advisor.catalogue.rules import all_rules
from advisor.cli.main import main
from advisor.resources import data_file
from tools.reference import gates, rules
from tools.reference.pages import DOCS, IGNORED, PAGES, practices


def test_every_rule_has_a_page() -> None:
    made = rules.pages()
    assert made.keys() == {f"{name}.md" for name in all_rules()}
    for name, rule in all_rules().items():
        assert rule.title in made[f"{name}.md"], name


@pytest.mark.parametrize("name", sorted(PAGES.keys() - IGNORED))
def test_reference_page_is_current(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), f"docs/{name} is old: run make docs"


def test_manual_page_has_every_option_and_is_valid_troff() -> None:
    written = (DOCS / "db2tune.1").read_text(encoding="utf-8")
    parts = dict(zip(*[iter(re.split(r"^\.SS \\&(.+)\n", written, flags=re.MULTILINE)[1:])] * 2, strict=True))
    assert parts.keys() == {name.replace("-", "\\-") for name in main.commands}
    for name, command in main.commands.items():
        for option in command.params:
            for spelled in option.opts if option.param_type_name == "option" else []:
                assert spelled.replace("-", "\\-") in parts[name.replace("-", "\\-")], (name, spelled)
    if groff := shutil.which("groff"):
        told = subprocess.run(
            [groff, "-man", "-Tutf8", "-ww", "-z", DOCS / "db2tune.1"], capture_output=True, check=True
        )
        assert told.stderr == b""


def test_each_practice_has_rules_or_a_reason() -> None:
    for row in practices():
        assert row.rules or row.note, row.practice
        assert set(row.rules) <= all_rules().keys(), row.practice


def test_every_rule_has_its_paper_or_another_reference() -> None:
    titles = {paper["TITLE"] for paper in data_file("schema", "papers")}
    for rule in all_rules().values():
        named = any(source.startswith(tuple(titles)) for source in rule.sources)
        assert named or all(len(source) > 10 for source in rule.sources), rule.name


@pytest.mark.parametrize("name", all_rules())
def test_gates_of_a_rule_have_no_faults(name: str) -> None:
    assert not (faults := gates.find_faults(gates.gates_of(all_rules()[name]))), "\n".join(faults)


def test_each_kind_of_figure_is_used() -> None:
    matched = {gate.kind for rule in all_rules().values() for gate in gates.gates_of(rule)}
    assert [row for row in gates.kinds() if row not in matched] == []


@pytest.mark.parametrize(
    ("condition", "figure", "fault"),
    [
        ("T.NO_SUCH_FIGURE >= SITE.HIGH_PCT", "NO_SUCH_FIGURE", "no kind"),
        ("100 * T.A > (100 - O.MIN_HIT_PCT) * T.B", "A / B", "no kind"),
        ("O.MIN_HIT_PCT < CAST(T.A AS DOUBLE) / NULLIF(T.B, 0)", "A / B", "no kind"),
        ("Z.LIMIT_PCT <= T.A", "A", "no kind"),
        ("T.A BETWEEN 1 AND CONST.SEVERAL", "A", "no kind"),
        ("W.MISS_PCT > 100 - SITE.PACKAGE_HIT_PCT", "MISS_PCT", "no kind"),
        ("T.COMPILE_PCT >= SITE.SMALL_PCT", "COMPILE_PCT", None),
    ],
)
def test_gate_of_a_made_up_rule_without_a_kind_is_a_fault(condition: str, figure: str, fault: str | None) -> None:
    select = f"""
        WITH Z AS (SELECT CASE WHEN K.CLASS = 'BI' THEN SITE.SPILL_BI_PCT ELSE 5 END AS LIMIT_PCT
                   FROM TUNE.WORKLOAD_CLASS AS K CROSS JOIN TUNE.O_SITE AS SITE)
        SELECT 1 FROM Z CROSS JOIN TUNE.DATABASE_TIME AS T CROSS JOIN TUNE.COMPILE_WORK AS W
        CROSS JOIN TUNE.O_MEMORY_MADE_UP AS O CROSS JOIN TUNE.O_SITE AS SITE CROSS JOIN TUNE.CONSTANT AS CONST
        WHERE {condition}
    """
    (gate,) = gates.gates_of(replace(all_rules()["memory.package-cache-miss"], name="memory.made-up", select=select))
    assert gate.figure == figure
    kinds = (
        f"; add the row memory.made-up,{figure},<kind>, to tools/reference/gate_figures.csv ({', '.join(gates.KINDS)})"
    )
    assert gates.find_faults([gate]) == ([f"memory.made-up: {gate.text}: {fault}{kinds}"] if fault else [])


def test_mean_without_rule_or_reason_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    gate = gates.Gate("memory.made-up", "MISS_PCT", ">", ("site.package_hit_pct",))
    for row, fault in [
        (gates.Kind("", "MISS_PCT", "mean", "a reason"), "mean over everything without a rule and a reason"),
        (gates.Kind("memory.made-up", "MISS_PCT", "mean", ""), "mean over everything without a rule and a reason"),
        (gates.Kind("", "MISS_PCT", "means", ""), "unknown kind means"),
        (gates.Kind("memory.made-up", "MISS_PCT", "mean", "a reason"), None),
    ]:
        monkeypatch.setattr(gates, "kinds", lambda row=row: (row,))
        assert gates.find_faults([gate]) == ([f"memory.made-up: {gate.text}: {fault}"] if fault else [])
