"""The page docs/platforms.md: how each platform changes what, with one worked example each."""

from advisor.capture.site import Site
from advisor.catalogue.platforms import HOST, all_ways
from advisor.judgement.run import advise
from advisor.plan.scripts import texts
from advisor.plan.steps import Step, plan
from advisor.resources import DEMO_CAPTURE, data_file
from tools.reference.markdown import environment

RULE = "lock.escalations"
# What each need is, in the order of the page, and the command on a host.
NEEDS = {
    "dbcfg": ("database configuration", "UPDATE DB CFG"),
    "log": ("log buffer, secondary log files", "UPDATE DB CFG"),
    "logsize": ("size and number of primary log files", "UPDATE DB CFG"),
    "dbmcfg": ("instance configuration", "UPDATE DBM CFG"),
    "instance_memory": ("INSTANCE_MEMORY, DB2_OVERRIDE_*", "UPDATE DBM CFG"),
    "registry": ("registry", "db2set"),
    "pool_size": ("size of a buffer pool", "ALTER BUFFERPOOL IMMEDIATE"),
    "pool_later": ("the same, at the next activation", "ALTER BUFFERPOOL DEFERRED"),
    "pool": ("other changes of buffer pools", "ALTER, CREATE, DROP BUFFERPOOL"),
    "space_prefetch": ("prefetch size of a table space", "ALTER TABLESPACE"),
    "space_pool": ("buffer pool of a table space", "ALTER TABLESPACE"),
    "space": ("other changes of table spaces", "ALTER, CREATE, DROP TABLESPACE"),
    "extent": ("extent size", "CREATE TABLESPACE"),
    "storage": ("containers, storage groups, file system caching", "ALTER TABLESPACE, ALTER STOGROUP"),
    "disks": ("faster or more disks", ""),
    "logpath": ("log paths", "UPDATE DB CFG"),
    "archive": ("log archive", "UPDATE DB CFG"),
    "hadr": ("HADR", "UPDATE DB CFG"),
    "backup": ("backups", "BACKUP DATABASE"),
    "activation": ("deactivation and activation", "ACTIVATE DATABASE"),
    "instance": ("restart of the instance, members", "db2stop, db2start"),
    "tool": ("db2pd, db2look and other tools", "db2pd, db2look"),
    "host": ("kernel, devices, hypervisor", "sysctl and others"),
}


def page() -> str:
    platforms = [row for row in data_file("schema", "platforms") if row["RUNS_ON"] != HOST]
    lines = [(what, own, [_way(row["RUNS_ON"], needs) for row in platforms]) for needs, (what, own) in NEEDS.items()]
    return (
        environment()
        .get_template("platforms.md.j2")
        .render(
            platforms=platforms,
            lines=lines,
            recipients=data_file("plan", "recipients"),
            examples=[(row["NAME"], *_example(row["RUNS_ON"])) for row in platforms],
        )
    )


def _way(runs_on: str, needs: str) -> str:
    """Return in words how a platform changes something."""
    way = next((way for way in all_ways() if (way.runs_on, way.needs) == (runs_on, needs)), None)
    if way is None:
        return "as on a host"
    if way.way == "never":
        return "never"
    if way.way == "request":
        return "request"
    if way.way == "manual":
        return f"manual: {way.remark.partition(';')[0]}"
    return "command; if users may not change it, request" if way.way == "listed" else "command"


def _example(runs_on: str) -> tuple[Step, str]:
    """Return a step for a platform, and the name of its script."""
    advice = advise(DEMO_CAPTURE, site=Site(options={"site": {"runs_on": runs_on.upper()}}))
    step = next(step for step in plan(advice, everything=True) if step.items[0].rule.name == RULE)
    return step, next(iter(texts(step, advice)))
