"""Every sample gives its capture, and the expected advice or silence."""

import pytest

from tests.imports.samples import EXPECTED, HERE, given, samples
from tests.support.data_files import read_expected


@pytest.fixture(scope="module")
def gives():
    return given(samples())


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name)
def test_a_sample_gives_its_capture_and_its_advice(sample, gives):
    assert gives[sample] == read_expected(EXPECTED)[sample.name]


@pytest.mark.parametrize(("name", "most"), [("configuration-default.txt", 3), ("configuration-kept.txt", 1)])
def test_harmless_settings_are_left_alone(name, most, gives):
    assert len(gives[HERE / name]["advice"]) <= most
