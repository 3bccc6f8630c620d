"""The account of memory that ``plan`` and ``advise --area memory`` print."""

import pytest
from click.testing import CliRunner

from advisor.cli.main import main
from advisor.judgement.run import advise
from advisor.report import account
from tests.support.paths import CAPTURES

MACHINE = CAPTURES / "vm-oltp-before"
PRINTED = """
Memory of one member
                             size    in use      free  stays free
  Host vm-3                  5 GB  3.665 GB  1.335 GB      768 MB
  DATABASE_MEMORY        3.433 GB  3.242 GB  195.3 MB    175.8 MB
  Buffer pools           2.289 GB
  Sorts, at their peak   19.53 MB
  Package cache          31.25 MB
  Lock list              19.53 MB
  Utility heap           19.53 MB
  Taken by this list         3 MB
  Left for more changes  16.53 MB"""


def test_account_of_a_machine_is_printed() -> None:
    assert "\n".join(account.lines(advise(MACHINE, also=account.statements()))) == PRINTED


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["plan"], True),
        (["plan", "--format", "markdown"], False),
        (["advise", "--area", "memory"], True),
        (["advise", "--area", "log"], False),
    ],
)
def test_account_is_printed_if_memory_is_the_subject(arguments: list[str], printed: bool) -> None:
    result = CliRunner().invoke(main, [*arguments, "--capture", str(MACHINE)])
    assert result.exit_code == 0
    assert (account.HEADING in result.stdout) == printed


@pytest.mark.parametrize(
    ("name", "expected"),
    [("balloon_mb", "Left: none while the host lacks memory"), ("reserved_mb", "Left for more changes")],
)
def test_account_withholds_memory_while_a_host_lacks_it(name: str, expected: str) -> None:
    facts = {("vm-3", "virtual", "type"): "vmware", ("vm-3", "virtual", name): "2048"}
    advice = advise(MACHINE, hostfacts=facts, also=account.statements())
    assert advice.seen[account.NAME][-1]["WHAT"] == expected
