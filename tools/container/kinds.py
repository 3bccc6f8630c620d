"""Differences between the images that the harness can run."""

import os
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

PORT = 50000
"""Where both images listen inside the container."""

USER = "db2inst1"


@dataclass(frozen=True)
class Kind:
    """One kind of server: its image, its required environment, and the time for a start.

    ``image`` None means that the image is built here. ``password_variable`` is the environment variable
    inside the container that holds the user's password. ``ready`` is the line of the log before which no CONNECT is
    tried. ``prepare`` is a shell script of the instance owner that then creates the database.
    """

    name: str
    image: str | None
    database: str
    password_variable: str
    start_s: float
    environment: dict[str, str] = field(default_factory=dict)
    capabilities: tuple[str, ...] = ()
    privileged: bool = False
    ready: str = ""
    prepare: str = ""


@cache
def read_data() -> dict[str, Any]:
    """Return first.yml: repository, tags, modes and steps."""
    return dict(yaml.safe_load(Path(__file__).with_name("first.yml").read_text(encoding="utf-8")))


def db2(tag: str | None = None, mode: str = "plain") -> Kind:
    """Return Db2 Community Edition. Starting this image accepts its licence (LICENSE=accept).

    IBM's image needs these capabilities, or --privileged; a first start takes 2 to 5 minutes. The database is created
    after the start: the image would give it pages of 4 KB, and no registry variables before.
    """
    database = "TUNEDB"
    data = read_data()
    image = f"{data['repository']}:{tag or data['tags'][-1]}"
    return Kind(
        name="Db2",
        image=image if tag else os.environ.get("DB2TUNE_DB2_IMAGE", image),
        database=database,
        password_variable="DB2INST1_PASSWORD",
        start_s=900,
        environment={
            "LICENSE": "accept",
            "DB2INSTANCE": USER,
            "ARCHIVE_LOGS": "false",
            "AUTOCONFIG": "false",
            "PERSISTENT_HOME": "false",
        },
        capabilities=("IPC_LOCK", "IPC_OWNER", "SYS_NICE"),
        ready="Setup has completed.",
        prepare=create_database(database, **data["modes"][mode]),
    )


def create_database(database: str, registry: list[str], create: str, settings: list[str]) -> str:
    """Return the shell script that creates a database after its registry variables are set, unless it exists."""
    return "\n".join(
        [
            f"if db2 connect to {database} > /dev/null; then exit 0; fi",
            "set -e",
            *(f"db2set {variable}" for variable in registry),
            "db2stop force || true",
            "db2start",
            f"db2 create database {database} {create}",
            *(f"db2 update db cfg for {database} using {setting}" for setting in settings),
        ]
    )


STANDIN = Kind(name="stand-in", image=None, database="SHOP", password_variable="STANDIN_PASSWORD", start_s=60)
"""The stand-in, serving the state that standin.Dockerfile names."""
