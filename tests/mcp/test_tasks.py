"""Usual tasks of a DBA need few calls, short answers and no mistakes."""

from tools.trials.mcp_tasks import measure

MOST_CHARACTERS, MOST_LISTED = 40_000, 20_400


def test_usual_tasks_have_short_answers_without_errors() -> None:
    tasks, listed = measure()
    assert {task: each.texts for task, each in tasks.items() if each.errors} == {}
    assert sum(each.characters for each in tasks.values()) <= MOST_CHARACTERS
    assert listed <= MOST_LISTED
    assert '"present":' in tasks["double the buffer pool"].texts[0]
