"""The samples in fixtures/imports/, the capture expected from each, and the expected advice or silence.

A sample is a file, or a folder of files that are imported together. ``expected.json`` contains its expected result:
every row of the capture, the interval, the advice, and the unrecognized lines.
"""

import csv
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from advisor.catalogue.rules import all_rules
from advisor.errors import UserError
from advisor.imports.texts import Imported, import_texts
from advisor.judgement.advice import Advice
from advisor.judgement.passed import knows_settings
from tests.machines import summary
from tests.support.advised import judged
from tests.support.paths import FIXTURES

HERE = FIXTURES / "imports"
EXPECTED = HERE / "expected.json"


def samples() -> list[Path]:
    """Return every sample."""
    return sorted(path for path in HERE.iterdir() if path != EXPECTED)


def given(samples: Iterable[Path]) -> dict[Path, dict[str, Any]]:
    """Return the result of each sample."""
    found: dict[Path, dict[str, Any]] = {}
    imported: dict[Path, tuple[Path, Imported]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for number, sample in enumerate(samples):
            target = Path(folder, str(number))
            target.mkdir()
            try:
                imported[sample] = target, import_texts([sample], target)
            except UserError as error:  # useful only together with others
                found[sample] = {"refused": str(error)}
        advice = judged([target for target, _ in imported.values()])
        for (sample, (target, result)), judgement in zip(imported.items(), advice, strict=True):
            found[sample] = _said(target, result, judgement)
    return found


def _said(target: Path, result: Imported, advice: Advice) -> dict[str, Any]:
    capture = {path.stem: path.read_text(encoding="utf-8").splitlines() for path in sorted(target.glob("*.csv"))}
    window = advice.window
    timed = any(report.taken_at for report in result.reports)
    return {
        "formats": sorted({item.format for item in result.ranges if item.format}),
        "checks": _count_checks(capture, advice),
        "database": advice.database,
        "interval": {
            "begin": window.begin,
            "end": window.end if timed else "not known",
            "seconds": window.seconds,
            "usable": window.usable,
            "reason": window.reason,
        },
        "ignored": sorted({f"{item.why}" for item in result.ranges if item.why}),
        "notes": result.notes,
        "capture": capture,
        "advice": summary(advice),
    }


def _count_checks(capture: dict[str, list[str]], advice: Advice) -> int:
    """Return the number of rules that found something or had complete input."""
    held = {f"{source}.{column}" for source, lines in capture.items() if lines[1:] for column in lines[0].split(",")}
    missed = {rule for rule, _ in advice.not_run}
    known = {
        row["NAME"].lower()
        for source in ("dbcfg", "dbmcfg")
        for row in csv.DictReader(capture.get(source, []))
        if row["VALUE"] or row["VALUE_FLAGS"]
    }
    found = {item.rule.name for item in advice.recommendations}
    return sum(
        rule.name in found or (held.issuperset(rule.get_list("needs")) and knows_settings(rule, known))
        for rule in all_rules().values()
        if rule.name not in missed and rule.get_list("needs")
    )
