"""File systems of df, in each platform's format, and the paths on them."""

import pytest

from tests.imports.reading import captured, reading
from tests.support.paths import FIXTURES

GB = 1 << 30
WHOLE = {"/": (2 * GB, 1 * GB), "/db2/data": (500 * GB, 496 * GB), "/db2/log": (50 * GB, 30 * GB)}


def listed(text):
    return {
        row["MOUNT"]: (int(row["TOTAL_SIZE"]), int(row["USED_SIZE"]))
        for row in reading(text).rows.get("file_system", [])
    }


@pytest.mark.parametrize(
    "text",
    [
        "$ df -k\n"
        "Filesystem            1K-blocks       Used  Available Use% Mounted on\n"
        f"/dev/mapper/vg-root {2 << 20}  {1 << 20}  {1 << 20}  50% /\n"
        f"/dev/mapper/vg-a_rather_long_name_of_data\n      {500 << 20} {490 << 20} {4 << 20} 100% /db2/data\n"
        f"/dev/mapper/vg-log {50 << 20} {30 << 20} {20 << 20} 60% /db2/log\n",
        "$ df -hT\n"
        "Filesystem          Type   Size  Used Avail Use% Mounted on\n"
        "/dev/mapper/vg-root xfs    2.0G  1.0G  1.0G  50% /\n"
        "/dev/mapper/vg-data xfs    500G  496G  4.0G 100% /db2/data\n"
        "/dev/mapper/vg-log  xfs     50G   30G   20G  60% /db2/log\n",
        "$ df -g\n"
        "Filesystem    GB blocks      Free %Used    Iused %Iused Mounted on\n"
        "/dev/hd4           2.00      1.00   50%    12345    5% /\n"
        "/proc                 -         -    -         -     - /proc\n"
        "/dev/datalv      500.00      4.00  100%      120    1% /db2/data\n"
        "/dev/loglv        50.00     20.00   60%       20    1% /db2/log\n",
        "$ df\n"
        "Filesystem    512-blocks      Free %Used    Iused %Iused Mounted on\n"
        f"/dev/hd4       {4 << 20}  {2 << 20}   50%    12345    5% /\n"
        f"/dev/datalv    {1000 << 20}  {8 << 20}  100%      120    1% /db2/data\n"
        f"/dev/loglv     {100 << 20}  {40 << 20}   60%       20    1% /db2/log\n",
        "$ df -k \n\nFilesystem  1K-blocks  Used  Available Use% Mounted on \n\n"
        f"/dev/mapper/vg-root {2 << 20}  {1 << 20}  {1 << 20}  50% / \n\n"
        f"/dev/mapper/vg-data {500 << 20} {490 << 20} {4 << 20} 100% /db2/data \n\n"
        f"/dev/mapper/vg-log {50 << 20} {30 << 20} {20 << 20} 60% /db2/log \n\n$ df -i\n",
        "Dateisystem         Größe Benutzt Verf. Verw% Eingehängt auf\n"
        "/dev/mapper/vg-root  2,0G    1,0G  1,0G   50% /\n"
        "/dev/mapper/vg-data  500G    496G  4,0G  100% /db2/data\n"
        "/dev/mapper/vg-log    50G     30G   20G   60% /db2/log\n",
        "文件系统             容量  已用  可用 已用% 挂载点\n"
        "/dev/mapper/vg-root  2.0G  1.0G  1.0G   50% /\n"
        "/dev/mapper/vg-data  500G  496G  4.0G  100% /db2/data\n"
        "/dev/mapper/vg-log    50G   30G   20G   60% /db2/log\n",
    ],
    ids=["wrapped", "with the type", "AIX in GB", "AIX in blocks", "every other line is empty", "German", "Chinese"],
)
def test_sizes_and_free_space(text):
    assert listed(text) == WHOLE


@pytest.mark.parametrize(
    "text",
    [
        "Filesystem       Inodes  IUsed    IFree IUse% Mounted on\n/dev/sda2      52428800 123456 52305344    1% /\n",
        "Filesystem and more Mounted on\n/dev/sda2      52428800 123456 52305344    1% /\n",
    ],
)
def test_what_counts_no_bytes_is_not_taken(text):
    assert not listed(text)


LISTING = """
            Tablespace Containers for Tablespace 3

 Container ID                         = 0
 Name                                 = {}
 Type                                 = File
 Total pages                          = 16000
 Useable pages                        = 15968
 Accessible                           = Yes
"""
SPACES = """
           Tablespaces for Current Database

 Tablespace ID                        = 3
 Name                                 = STONES
 Type                                 = Database managed space
 Contents                             = All permanent data. Large table space.
 State                                = 0x0000
 Total pages                          = 16000
 Page size (bytes)                    = 8192
"""
DF = """$ df -h{}
Filesystem           Size  Used Avail Use% Mounted on
/dev/mapper/vg-root  2.0G  1.0G  1.0G  50% /
/dev/mapper/vg-data  500G  496G  4.0G 100% /db2/data
"""


def facts_of(tmp_path, text, **known):
    rows = captured(tmp_path, text, **known).rows("hostfact")
    return {(row["FACT_KEY"], row["ITEM"]): row["VALUE"] for row in rows}


def size_of(tmp_path, text):
    (row,) = captured(tmp_path, text).rows("container")
    return int(row.get("FS_TOTAL_SIZE") or 0) // GB


@pytest.mark.parametrize(
    ("path", "asked", "gigabytes"),
    [
        ("/db2/data/stones.0", "", 500),
        ("/db2/database/stones.0", "", 2),
        ("/db2/database/stones.0", " / /db2/data", 0),
        ("/db2/data/stones.0", " / /db2/data", 500),
        ("/db2/data/stones.0", " | grep -v tmp", 500),
        ("/home/stones.0", " | grep -v home", 0),
        ("stones.0", "", 0),
        ("/dev/rstones", "", 0),
    ],
)
def test_container_is_on_the_nearest_file_system_above_it(tmp_path, path, asked, gigabytes):
    """It is on / only if no nearer file system is possible: all are listed."""
    assert size_of(tmp_path, DF.format(asked) + SPACES + LISTING.format(path)) == gigabytes


def test_the_last_listing_counts(tmp_path):
    later = DF.format("").replace("500G  496G  4.0G", "800G  496G  304G")
    assert size_of(tmp_path, DF.format("") + SPACES + LISTING.format("/db2/data/a") + later) == 800


LOGS = """db2 get db cfg for shop
 Path to log files                                       = {}
 First log archive method                 (LOGARCHMETH1) = DISK:/db2/archive/
 Second log archive method                (LOGARCHMETH2) = TSM
"""
LOG_FILES = """$ df -g
Filesystem    GB blocks      Free %Used    Iused %Iused Mounted on
/dev/hd4           2.00      1.00   50%    12345    5% /
/dev/loglv        50.00      0.25  100%      120    1% /db2/log
/dev/arclv       100.00     30.00   70%      120    1% /db2/archive
"""


@pytest.mark.parametrize(
    ("path", "room"), [("/db2/log/NODE0000/", ("51200", "256")), ("/db2/log1/NODE0000/", ("2048", "1024"))]
)
def test_log_and_archive_are_on_the_longest_path_above(path, room, tmp_path):
    assert facts_of(tmp_path, LOGS.format(path) + LOG_FILES) == {
        (f"path:{path}", "fs_total_mb"): room[0],
        (f"path:{path}", "fs_free_mb"): room[1],
        ("path:/db2/archive/", "fs_total_mb"): "102400",
        ("path:/db2/archive/", "fs_free_mb"): "30720",
    }


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("/home/db2inst1/sqllib/db2dump/ $m", "/home/db2inst1/sqllib/db2dump/"),
        ('"/home/db2inst1/diag $h$n"', "/home/db2inst1/diag"),
        ("/db2/log/diag", "/db2/log/diag"),
    ],
)
def test_diagnostic_directory_is_on_the_file_system_above(value, path, tmp_path):
    text = f"$ db2 get dbm cfg\n Diagnostic data directory path   (DIAGPATH) = {value}\n{LOG_FILES}"
    facts = facts_of(tmp_path, text)
    free = "256" if "log" in path else "1024"
    assert (facts[f"path:{path}", "fs_free_mb"], len(facts)) == (free, 2)


def test_file_systems_of_several_members_have_no_host(tmp_path):
    set_ = "db2 update db cfg for shop member {} using LOGSECOND 5\n"
    assert not facts_of(tmp_path, LOGS.format("/db2/log/") + set_.format(0) + set_.format(1) + LOG_FILES)


def test_the_logs_of_two_databases_in_one_text_stay_apart(tmp_path):
    both = LOGS.format("/db2/log/shop/") + LOGS.format("/db2/archive/mall/").replace("shop", "mall")
    names = ("shop", "mall")
    assert {name: {key for key, _ in facts_of(tmp_path, both + LOG_FILES, name=name)} for name in names} == {
        "shop": {"path:/db2/log/shop/", "path:/db2/archive/"},
        "mall": {"path:/db2/archive/mall/", "path:/db2/archive/"},
    }


def test_free_space_is_of_the_end_of_an_interval(tmp_path):
    samples = FIXTURES / "imports"
    found = captured(tmp_path, samples / "log-and-archive.txt", samples / "db2mon-report.txt")
    assert [row["SNAP_ID"] for row in found.rows("hostfact")] == ["2"] * 4
