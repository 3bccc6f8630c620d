"""What the database reports about itself: the rows of the objects that no source collects."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

OFFICIAL_PARTS = 4  # version, release, modification, fix pack
CF_STATES = {128: "PEER", 129: "CATCHUP"}
PLATFORM_CODES = {"AIX": "AIX64", "Linux": "LINUXAMD64", "Solaris": "SUN64", "HP-UX": "HPUX64", "Windows": "NT64"}
BUILD = "STANDIN"  # not a build of IBM's


@dataclass(frozen=True)
class Identity:
    """The manifest's account of the database; ``level`` is what it is to say, in up to four parts."""

    name: str
    host: str
    instance: str
    level: tuple[int, ...]
    platform: str
    topology: str
    since: datetime

    @classmethod
    def of(cls, database: dict[str, Any], level: tuple[int, ...], since: datetime) -> "Identity":
        keys = ("name", "host", "instance", "platform", "topology")
        return cls(level=level, since=since, **{key: database[key] for key in keys})

    @property
    def parts(self) -> tuple[int, ...]:
        return (*self.level, 0, 0, 0, 0)[:OFFICIAL_PARTS]

    @property
    def service_level(self) -> str:
        return "DB2 v" + ".".join(str(part) for part in self.parts)

    @property
    def version_number(self) -> int:
        """VVRRMMFF, as in SYSIBM.SYSVERSIONS."""
        version, release, modification, fix_pack = self.parts
        return version * 1_000_000 + release * 10_000 + modification * 100 + fix_pack

    def rows(self, members: list[int]) -> dict[tuple[str, str], list[dict[str, Any]]]:
        """Return the rows of every object that describes the database, by schema and name; other columns are NULL."""
        instance = {
            "INST_NAME": self.instance,
            "IS_INST_PARTITIONABLE": int(self.topology == "dpf"),
            "NUM_DBPARTITIONS": len(members) if self.topology == "dpf" else 1,
            "INST_PTR_SIZE": 64,
            "RELEASE_NUM": f"{self.version_number:08d}",
            "SERVICE_LEVEL": self.service_level,
            "BLD_LEVEL": BUILD,
            "PTF": BUILD,
            "FIXPACK_NUM": self.parts[3],
            "NUM_MEMBERS": len(members),
        }
        product = {
            "INSTALLED_PROD": "ESE",
            "INSTALLED_PROD_FULLNAME": "ENTERPRISE_SERVER_EDITION",
            "LICENSE_INSTALLED": "Y",
            "PROD_RELEASE": ".".join(str(part) for part in self.parts[:2]),
            "LICENSE_TYPE": "PERMANENT",
        }
        coupling = [
            {"ID": number, "CURRENT_HOST": self.host, "STATE": state, "ALERT": "NO"}
            for number, state in CF_STATES.items()
            if self.topology == "purescale"
        ]
        version = {"VERSIONNUMBER": self.version_number, "VERSION_TIMESTAMP": self.since, "VERSIONBUILDLEVEL": BUILD}
        return {
            ("SYSIBM", "SYSDUMMY1"): [{"IBMREQD": "Y"}],
            ("SYSIBM", "SYSVERSIONS"): [version],
            ("SYSIBMADM", "ENV_INST_INFO"): [instance],
            ("SYSPROC", "ENV_GET_INST_INFO"): [instance],
            ("SYSIBMADM", "ENV_PROD_INFO"): [product],
            ("SYSIBMADM", "ENV_SYS_INFO"): [{"OS_NAME": self.platform, "HOST_NAME": self.host}],
            ("SYSIBMADM", "DB2_CF"): coupling,
            ("SYSPROC", "MON_GET_INSTANCE"): [self._instance(member) for member in members],
        }

    def _instance(self, member: int) -> dict[str, Any]:
        return {
            "MEMBER": member,
            "DB2_STATUS": "ACTIVE",
            "DB2START_TIME": self.since,
            "TIMEZONEOFFSET": 0,
            "TIMEZONEID": "UTC",
            "PRODUCT_NAME": self.service_level,
            "SERVICE_LEVEL": BUILD,
            "SERVER_PLATFORM": PLATFORM_CODES[self.platform],
        }
