"""Command ``python -m tests.imports [SAMPLE ...]``: write the results of samples as expected results, for review."""

import sys

from tests.imports.samples import EXPECTED, given, samples
from tests.support.data_files import write_expected

wanted = [sample for sample in samples() if len(sys.argv) == 1 or sample.name in sys.argv[1:]]
results = {sample.name: result for sample, result in given(wanted).items()}
write_expected(EXPECTED, results, {sample.name for sample in samples()})
