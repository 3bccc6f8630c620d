"""Objects of a ``db2pd`` report: several tables refer to one by its number, and they are joined when the report ends."""

from advisor.imports.labels import KEY, OBJECT, sections
from advisor.imports.reader import Part
from advisor.imports.readings import Report
from advisor.imports.values import columns, platform

MOST_OBJECTS = 50_000  # kept in memory; a database has fewer containers on a member
STORAGE_GROUPS = "Storage Group Configuration"

SECTIONS = sections("db2pd")
_KEYS: dict[str, list[str]] = {title: [] for title in SECTIONS}
for _line in columns("db2pd"):
    if _line["KIND"] == KEY:
        _KEYS[_line["SECTION"]].append(_line["LABEL"].lower())

# Without this column a row cannot be used: the text had only the object's number.
_NAMES = {
    "cat_tablespace": "TBSPACE",
    "bufferpool": "BP_NAME",
    "cat_bufferpool": "BPNAME",
    "storage_path": "STORAGE_GROUP_NAME",
}


class Objects:
    """The values of each object, by source and number, until the report ends."""

    def __init__(self, part: Part) -> None:
        self.part = part
        self.rows: dict[tuple[str, str], dict[str, str]] = {}
        self.lines_of: dict[tuple[str, str], int] = {}
        self.groups: dict[str, str] = {}  # storage groups by their number

    @property
    def are_many(self) -> bool:
        """Return whether they must be written now."""
        return len(self.rows) >= MOST_OBJECTS

    def name_group(self, number: str, name: str) -> None:
        """Keep the name of a storage group."""
        if len(self.groups) < MOST_OBJECTS:
            self.groups[number] = name

    def take(self, section: str, cells: dict[str, str], line: int) -> bool:
        """Add values to their object; return False if its number is not valid."""
        keys = _KEYS[section]
        if not all(cells[key].isdecimal() for key in keys):
            return False
        for source, row in SECTIONS[section].rows(cells).items():
            if not row:
                continue
            # the catalog has rows only for created buffer pools
            if source == "cat_bufferpool" and row.get("BPNAME", "").startswith("IBMSYSTEMBP"):
                continue
            if source == "cat_bufferpool" and "automatic" not in cells:
                row.pop("NPAGES", None)  # it may be AUTOMATIC
            place = (source, " ".join(cells[key] for key in keys))
            self.rows.setdefault(place, {}).update(row)
            self.lines_of[place] = line
        return True

    def write(self, report: Report) -> None:
        """Write the rows of all objects, now that their names are known."""
        self._set_next_archive()
        for place, row in self.rows.items():
            source, number = place
            if source == "container" and (space := self.rows.get(("tablespace", number.split()[0]))):
                row.update({name: value for name, value in space.items() if name == "TBSP_NAME"})
            if "STORAGE_GROUP_NAME" in row and (group := self.groups.get(row.pop("STORAGE_GROUP_NAME"))):
                row["STORAGE_GROUP_NAME"] = group
            if source == "storage_path" and report.member is not None:
                row["DBPARTITIONNUM"] = str(report.member)
            if source == "system":
                report.host = row.get("HOST_NAME")
                report.platform = platform(row.get("OS_NAME"))
            if source == "tablespace" and "TBSP_TYPE" not in row and row.get("TBSP_PAGE_TOP", "0") != "0":
                row["TBSP_TYPE"] = "DMS"  # no other has a high-water mark
            if _NAMES.get(source) is None or _NAMES[source] in row:
                self.part.readings.row(report, source, row, self.lines_of[place])
            else:
                line, why = self.lines_of[place], f"no table of this report names the object with the number {number}"
                self.part.ignore(why, line, line)
        self.rows.clear()
        self.lines_of.clear()

    def _set_next_archive(self) -> None:
        """Set the next file to be archived if a file without a number cannot be archived."""
        status = self.rows.pop((OBJECT, ""), {}).get("archiving", "")
        log = self.rows.get(("transaction_log", ""), {})
        if status.startswith("Failure") and (waiting := log.get("METHOD1_NEXT_LOG_TO_ARCHIVE")):
            log.setdefault("METHOD1_FIRST_FAILURE", waiting)
