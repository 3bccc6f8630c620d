"""The administrative task scheduler: it keeps tasks and shows them; nothing runs by itself."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.standin.errors import Db2Error

COLUMNS = (
    "NAME",
    "BEGIN_TIME",
    "END_TIME",
    "MAX_INVOCATIONS",
    "SCHEDULE",
    "PROCEDURE_SCHEMA",
    "PROCEDURE_NAME",
    "PROCEDURE_INPUT",
    "OPTIONS",
    "REMARKS",
)  # the parameters of ADMIN_TASK_ADD, in order
FIELDS = 5  # of a schedule in cron format


@dataclass(frozen=True)
class Task:
    row: dict[str, Any]  # as ADMIN_TASK_LIST shows it


@dataclass
class Scheduler:
    tasks: dict[str, Task] = field(default_factory=dict)
    version: int = 0

    def add(self, owner: str, now: datetime, values: list[Any]) -> None:
        """-601 for a name that is taken, -171 for a schedule that is not in cron format."""
        row = dict(zip(COLUMNS, values, strict=True))
        name = row["NAME"] or f"TASK {self.version + 1}"
        if name in self.tasks:
            raise Db2Error(-601, "42710", name, "TASK")
        if row["SCHEDULE"] is not None and len(str(row["SCHEDULE"]).split()) != FIELDS:
            raise Db2Error(-171, "42815", "5", "ADMIN_TASK_ADD")
        self.version += 1
        row |= {"NAME": name, "OWNER": owner, "OWNERTYPE": "U", "TASKID": self.version, "UPDATE_TIME": now}
        self.tasks[name] = Task(row)

    def remove(self, name: str) -> None:
        if name not in self.tasks:
            raise Db2Error(-204, "42704", name)
        self.version += 1
        del self.tasks[name]
