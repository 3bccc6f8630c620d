"""A capture judged once per test run, for tests of the advice's output."""

import hashlib
import os
import pickle
from collections.abc import Callable

from advisor.capture import Capture
from advisor.capture.manifest import read_manifest
from advisor.catalogue.rules import Rule, all_rules
from advisor.judgement.advice import Advice
from advisor.parallel import THREADS
from tests.machines import MACHINES
from tests.support.advised import advised
from tests.support.once import once
from tests.support.paths import CAPTURES, FIXTURES

Evaluate = Callable[[Capture, list[Rule]], Advice]


def remembering(evaluate: Evaluate) -> Evaluate:
    """Return the same advice for the same files, site, lessons, host facts and rules; each caller gets a copy."""

    def known(capture: Capture, rules: list[Rule]) -> Advice:
        if _is_as_committed(capture, rules):
            return pickle.loads(pickle.dumps(advised(capture.directory.name)))  # type: ignore[no-any-return]
        files = sorted((path.name, path.read_bytes()) for path in capture.files.values())
        # of the manifest, which also describes runs and contains checksums
        columns = {name: (collected.rows, list(collected.columns)) for name, collected in capture.declared.items()}
        said = (capture.snapshots, columns, capture.not_collected)
        asked = (
            files,
            said,
            capture.options,
            capture.accepted,
            capture.lessons,
            capture.hostfacts,
            rules,
            os.environ[THREADS],
        )
        name = f"advice-{hashlib.sha256(pickle.dumps(asked)).hexdigest()}"
        return pickle.loads(once(name, lambda: pickle.dumps(evaluate(capture, rules))))  # type: ignore[no-any-return]

    return known


def _is_as_committed(capture: Capture, rules: list[Rule]) -> bool:
    """Return whether this is a machine of fixtures/ without other inputs; all of these are judged by one thread."""
    if capture.directory.resolve().parent not in (CAPTURES, FIXTURES) or capture.directory.name not in MACHINES:
        return False
    said = (capture.options, capture.accepted, capture.lessons, capture.hostfacts)
    own: tuple[object, ...] = (read_manifest(capture.directory).options, (), (), {})
    return said == own and rules == list(all_rules().values()) and os.environ[THREADS] == "1"
