"""``list tablespaces show detail`` and ``list tablespace containers`` of the first member of a machine state."""

from tests.imports.printers.snapshot import CONTENTS, TYPES
from tests.support.states import Row, State

_SIZES = {
    "Total pages": "TBSP_TOTAL_PAGES",
    "Used pages": "TBSP_USED_PAGES",
    "Page size (bytes)": "TBSP_PAGE_SIZE",
    "Extent size (pages)": "TBSP_EXTENT_SIZE",
    "Prefetch size (pages)": "TBSP_PREFETCH_SIZE",
}
_CONTAINERS = {"PATH": "Path", "FILE_EXTENT_TAG": "File", "DISK_EXTENT_TAG": "Disk"}

HOLDS = {
    "tablespace": ("TBSP_NAME", "TBSP_ID", "TBSP_TYPE", "TBSP_CONTENT_TYPE", *_SIZES.values()),
    "cat_tablespace": ("TBSPACE", "TBSPACEID", "TBSPACETYPE", "DATATYPE", "EXTENTSIZE", "PAGESIZE"),
    "container": (
        "TBSP_ID",
        "CONTAINER_ID",
        "CONTAINER_NAME",
        "CONTAINER_TYPE",
        "TOTAL_PAGES",
        "USABLE_PAGES",
        "ACCESSIBLE",
    ),
}


def printed(state: State) -> str:
    """Return both listings of the first member."""
    first = min(row["MEMBER"] for row in state.sources["database"])
    spaces, containers = (
        [row for row in state.sources[source] if row["MEMBER"] == first] for source in ("tablespace", "container")
    )
    text = "\n           Tablespaces for Current Database\n" + "".join(_space(row, containers) for row in spaces)
    for row in spaces:
        own = [item for item in containers if item["TBSP_NAME"] == row["TBSP_NAME"]]
        text += f"\n            Tablespace Containers for Tablespace {row['TBSP_ID']}\n" + "".join(map(_container, own))
    return text


def _line(label: str, value: object) -> str:
    return f" {label:<37}= {'Not applicable' if value is None else value}\n"


def _space(row: Row, containers: list[Row]) -> str:
    return (
        "\n"
        + _line("Tablespace ID", row["TBSP_ID"])
        + _line("Name", row["TBSP_NAME"])
        + _line("Type", TYPES[row["TBSP_TYPE"]])
        + _line("Contents", CONTENTS[row["TBSP_CONTENT_TYPE"]])
        + _line("State", "0x0000")
        + "   Detailed explanation:\n     Normal\n"
        + "".join(_line(label, row[column]) for label, column in _SIZES.items())
        + _line("Free pages", None)
        + _line("Number of containers", sum(item["TBSP_NAME"] == row["TBSP_NAME"] for item in containers))
    )


def _container(row: Row) -> str:
    return (
        "\n"
        + _line("Container ID", row["CONTAINER_ID"])
        + _line("Name", row["CONTAINER_NAME"])
        + _line("Type", _CONTAINERS[row["CONTAINER_TYPE"]])
        + _line("Total pages", row["TOTAL_PAGES"])
        + _line("Useable pages", row["USABLE_PAGES"])
        + _line("Accessible", "Yes" if row["ACCESSIBLE"] else "No")
    )
