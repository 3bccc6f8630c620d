"""The kind of each line of an action: a manual step, SQL, a command for Db2's command line processor, or another."""

from collections.abc import Mapping

from advisor.resources import data_file

BY_HAND = "-- "  # starts a manual line
SQL = ("ALTER", "CALL", "CREATE", "DROP")
CLP = ("ACTIVATE", "ATTACH", "REDISTRIBUTE", "REORG", "RUNSTATS", "UPDATE")
FOR_CLP = (*SQL, *CLP)  # first words of lines for the command line processor; all others are for a shell


def recipient(line: str) -> Mapping[str, str] | None:
    """Return the row of recipients.csv for a platform's command; None for any other command."""
    return next((row for row in data_file("plan", "recipients") if line.startswith(row["START"])), None)


def describe_line(line: str) -> dict[str, str | None]:
    """Return a line as a step: its kind, its text, and the managed platform that it is for, or None."""
    if line.startswith(BY_HAND):
        return {"kind": "manual", "text": line.removeprefix(BY_HAND), "platform": None}
    if row := recipient(line):
        return {"kind": row["KIND"], "text": line, "platform": row["RUNS_ON"]}
    word = line.partition(" ")[0]
    kind = "sql" if word in SQL else "clp" if word in CLP else "shell"
    return {"kind": kind, "text": line, "platform": None}
