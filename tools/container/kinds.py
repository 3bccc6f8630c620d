"""Differences between the images that the harness can run."""

import os
from dataclasses import dataclass, field

PORT = 50000
"""Where both images listen inside the container."""

USER = "db2inst1"


@dataclass(frozen=True)
class Kind:
    """One kind of server: its image, its required environment, and the time for a start.

    ``image`` None means that the image is built here. ``password_variable`` is the environment variable
    inside the container that holds the user's password. ``idle`` means that its database has no tables
    and no load.
    """

    name: str
    image: str | None
    database: str
    password_variable: str
    start_s: float
    environment: dict[str, str] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()
    idle: bool = False


def db2() -> Kind:
    """Return Db2 Community Edition. Starting this image accepts its licence (LICENSE=accept).

    IBM's image needs these capabilities instead of --privileged; a first start takes 2 to 5 minutes.
    """
    database = "TUNEDB"
    return Kind(
        name="Db2",
        image=os.environ.get("DB2TUNE_DB2_IMAGE", "icr.io/db2_community/db2:latest"),
        database=database,
        password_variable="DB2INST1_PASSWORD",
        start_s=900,
        environment={
            "LICENSE": "accept",
            "DB2INSTANCE": USER,
            "DBNAME": database,
            "ARCHIVE_LOGS": "false",
            "AUTOCONFIG": "false",
            "PERSISTENT_HOME": "false",
        },
        capabilities=("IPC_LOCK", "IPC_OWNER", "SYS_NICE"),
        idle=True,
    )


STANDIN = Kind(name="stand-in", image=None, database="HRDB", password_variable="STANDIN_PASSWORD", start_s=60)
"""The stand-in, serving the state that standin.Dockerfile names."""
