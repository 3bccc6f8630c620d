"""``python -m tests.imports [SAMPLE ...]`` writes what the samples give as what they must give, to be judged by eye."""

import json
import sys

from tests.imports.samples import expected, given, samples

for sample in samples():
    if len(sys.argv) == 1 or sample.name in sys.argv[1:]:
        expected(sample).write_text(json.dumps(given(sample), indent=1) + "\n", encoding="utf-8")
