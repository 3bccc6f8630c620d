"""Site rules inside the database: installed, judged, documented by db2tune, and removed when no longer given."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.site_rule import NAME, RULE, named
from tests.wire.conftest import Server

pytestmark = pytest.mark.full


def _advice(server: Server, *arguments: str) -> dict[str, Any]:
    done = server.tune("advise", "--in-database", "--interval", "0", "--format", "json", *arguments)
    assert done.exit_code == 0, done.output
    return dict(json.loads(done.stdout))


def test_rules_of_a_site_judge_inside_the_database(installed: Server, tmp_path: Path) -> None:
    folder = tmp_path / "our-rules"
    folder.mkdir()
    # DFT_QUERYOPT of this machine is unknown
    rule = RULE.replace("DFT_QUERYOPT", "MINCOMMIT").replace("dft_queryopt", "mincommit")
    (folder / "optimization-class.sql").write_text(rule, encoding="utf-8")
    (folder / "fails.sql").write_text(named("house.fails", RULE.replace("S.NUM", "S.NUMB")), encoding="utf-8")
    (folder / "broken.sql").write_text("SELECT 1", encoding="utf-8")
    site = tmp_path / "site.toml"
    site.write_text('rules = "our-rules"', encoding="utf-8")

    done = installed.tune("install", "--rules", str(folder))
    assert done.exit_code == 0, done.output
    assert "broken.sql was not installed: the file must begin with a header between /*--- and ---*/" in done.stderr
    assert "Rule house.fails cannot run on this server: " in done.stderr

    known = _advice(installed, "--options", str(site))
    (item,) = [item for item in known["recommendations"] if item["rule"] == NAME]
    assert item["actions"][0]["text"].endswith("USING MINCOMMIT 5")
    assert "house.fails" in {one["rule"] for one in known["not_run"]}

    unknown = _advice(installed)
    assert NAME not in {item["rule"] for item in unknown["recommendations"]}
    assert {one["reason"] for one in unknown["not_run"] if one["rule"] == NAME} == {
        "a site rule reported advice; use --options with the site's file to show it"
    }

    assert installed.tune("install").exit_code == 0
    assert NAME not in {one["rule"] for one in _advice(installed)["not_run"]}
