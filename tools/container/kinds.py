"""What differs between the images that the harness can run."""

import os
from dataclasses import dataclass, field

PORT = 50000
"""Where both images listen inside the container."""

USER = "db2inst1"


@dataclass(frozen=True)
class Kind:
    """One kind of server: its image, what its environment must hold, how long a start may take.

    ``image`` None means that the image is built here. ``password_variable`` is the environment variable
    inside the container that holds the user's password. ``idle`` says that its database comes without tables
    and load.
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
    """Db2 Community Edition. Starting this image accepts its licence (LICENSE=accept).

    The capabilities are what IBM's image needs instead of --privileged; a first start takes 2 to 5 minutes.
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
