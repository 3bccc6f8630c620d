"""Host facts, merged under the names that Db2 uses for its hosts."""

from collections.abc import Collection, Iterable

from advisor.errors import UserError, list_some

Key = tuple[str, str, str]
Facts = dict[Key, str]  # by host, fact and item

COLUMNS = ("HOST", "FACT_KEY", "ITEM", "VALUE")
MOST = 3  # hosts in a message


def rename_hosts(facts: Facts, hosts: Collection[str]) -> Facts:
    """Return the facts under Db2's host names.

    Db2 and uname can differ in domain and case. Unknown and ambiguous hosts keep their names. Raise UserError if no
    fact is about a host of Db2.
    """
    found = {(_find_db2_host(host, hosts), fact, item): value for (host, fact, item), value in facts.items()}
    about = {host for host, _, _ in found}
    if about and not about & set(hosts):
        raise UserError(
            f"the host facts are for {list_some(sorted(about), MOST)}, but the database runs on"
            f" {list_some(sorted(hosts), MOST)}; use Db2's host name"
        )
    return found


def overlay_facts(own: Iterable[tuple[str, ...]], given: Facts) -> Facts:
    """Return the facts of ``own`` rows, replaced or extended by ``given``."""
    return {(host, fact, item): value for host, fact, item, value in own} | given


def _find_db2_host(host: str, hosts: Collection[str]) -> str:
    if host in hosts:
        return host
    short = host.partition(".")[0].lower()
    alike = {name for name in hosts if name.partition(".")[0].lower() == short and _may_be_same_host(name, host)}
    return alike.pop() if len(alike) == 1 else host


def _may_be_same_host(name: str, other: str) -> bool:
    """Return whether two names can mean one host: equal, or one without a domain."""
    return name.lower() == other.lower() or "." not in name or "." not in other
