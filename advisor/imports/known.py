"""Facts about a database that the user gives because texts may lack them."""

import re
from dataclasses import dataclass

from advisor.errors import UserError

LEVEL = re.compile(r"\d{1,2}(?:\.\d{1,3}){1,3}")
PLATFORMS = ("AIX", "Linux", "Solaris", "HP-UX", "Windows")


@dataclass(frozen=True)
class Known:
    """Name, level and platform of the database."""

    name: str | None = None
    level: str | None = None
    platform: str | None = None

    def check(self) -> None:
        """Raise UserError for a level or a platform that does not exist."""
        if self.level is not None and LEVEL.fullmatch(self.level) is None:
            raise UserError(f"{self.level!r} is not a Db2 level; write it as 11.5 or 11.5.9")
        if self.platform is not None and self.platform not in PLATFORMS:
            raise UserError(f"{self.platform!r} is not a platform; use one of {', '.join(PLATFORMS)}")
