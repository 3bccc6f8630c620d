"""The administrative task scheduler: it keeps tasks and shows them; nothing runs by itself."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from tests.standin.errors import Db2Error
from tests.standin.objects.units_of_work import UnitOfWork

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
    """The list of tasks; what a unit of work did to it is taken back with it."""

    tasks: dict[str, Task] = field(default_factory=dict)
    version: int = 0

    def add(self, owner: str, now: datetime, values: list[Any], work: UnitOfWork) -> None:
        """-601 for a name that is taken, -171 for a schedule that is not in cron format."""
        row = dict(zip(COLUMNS, values, strict=True))
        name = row["NAME"] or f"TASK {self.version + 1}"
        if name in self.tasks:
            raise Db2Error(-601, "42710", name, "TASK")
        if row["SCHEDULE"] is not None and len(str(row["SCHEDULE"]).split()) != FIELDS:
            raise Db2Error(-171, "42815", "5", "ADMIN_TASK_ADD")
        row |= {"NAME": name, "OWNER": owner, "OWNERTYPE": "U", "TASKID": self.version + 1, "UPDATE_TIME": now}
        self._put(name, Task(row), work)

    def remove(self, user: str, is_administrator: bool, name: str, work: UnitOfWork) -> None:
        """Remove a task; raise -204 for an unknown task, -551 unless the user added it or administers the database."""
        if name not in self.tasks:
            raise Db2Error(-204, "42704", name)
        if not is_administrator and self.tasks[name].row["OWNER"] != user:
            raise Db2Error(-551, "42501", user, "REMOVE TASK", name)
        self._put(name, None, work)

    def _put(self, name: str, task: Task | None, work: UnitOfWork) -> None:
        before = self.tasks.get(name)
        self._set(name, task)
        work.record(lambda: self._set(name, before))

    def _set(self, name: str, task: Task | None) -> None:
        self.version += 1
        if task is None:
            del self.tasks[name]
        else:
            self.tasks[name] = task
