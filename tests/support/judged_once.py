"""A capture judged once in a process, for tests of what is made of the advice."""

import os
import pickle
from collections.abc import Callable

from advisor.capture import Capture
from advisor.catalogue.rules import Rule
from advisor.judge.advice import Advice
from advisor.parallel import THREADS

Evaluate = Callable[[Capture, list[Rule]], Advice]

_known: dict[str, bytes] = {}


def remembering(evaluate: Evaluate) -> Evaluate:
    """The same advice for the same files, site, facts of the host and rules; each caller gets their own."""

    def known(capture: Capture, rules: list[Rule]) -> Advice:
        files = sorted((path.name, path.stat().st_mtime_ns) for path in capture.directory.iterdir())
        said = (capture.options, capture.accepted, capture.hostfacts, [rule.name for rule in rules])
        key = repr((capture.directory.resolve(), files, said, os.environ[THREADS]))
        if key not in _known:
            _known[key] = pickle.dumps(evaluate(capture, rules))
        return pickle.loads(_known[key])  # type: ignore[no-any-return]

    return known
