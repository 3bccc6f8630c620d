"""``python -m tests.imports [SAMPLE ...]`` writes what the samples give as what they must give, to be judged by eye."""

import json
import sys

from tests.imports.samples import expected, given, samples

for sample, gives in given(sample for sample in samples() if len(sys.argv) == 1 or sample.name in sys.argv[1:]).items():
    expected(sample).write_text(json.dumps(gives, indent=1) + "\n", encoding="utf-8")
