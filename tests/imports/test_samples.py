"""Every sample gives its capture, and the expected advice or silence."""

import json

import pytest

from tests.imports.samples import HERE, SUFFIX, expected, given, samples


@pytest.fixture(scope="module")
def gives():
    return given(samples())


@pytest.mark.parametrize("sample", samples(), ids=lambda path: path.name)
def test_a_sample_gives_its_capture_and_its_advice(sample, gives):
    assert gives[sample] == json.loads(expected(sample).read_text(encoding="utf-8"))


def test_nothing_is_expected_of_a_sample_that_is_not_there():
    named = {expected(sample) for sample in samples()}
    assert {path for path in HERE.iterdir() if path.name.endswith(SUFFIX)} == named


@pytest.mark.parametrize(("name", "most"), [("configuration-default.txt", 3), ("configuration-kept.txt", 1)])
def test_harmless_settings_are_left_alone(name, most, gives):
    assert len(gives[HERE / name]["advice"]) <= most
