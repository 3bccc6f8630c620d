"""Host facts on their way to the rules: laid over those that are there, under the names that Db2 has for its hosts."""

from collections.abc import Collection, Iterable

from advisor.errors import UserError

Key = tuple[str, str, str]
Facts = dict[Key, str]  # by host, fact and item

COLUMNS = ("HOST", "FACT_KEY", "ITEM", "VALUE")


def renamed(facts: Facts, hosts: Collection[str]) -> Facts:
    """The facts under the names by which Db2 knows the hosts.

    Db2 and uname do not agree on the domain, nor on upper and lower case. A host that is none of Db2's keeps its
    name, and so does one that could be two. Raises UserError where no fact is about a host of Db2.
    """
    found = {(_known_as(host, hosts), fact, item): value for (host, fact, item), value in facts.items()}
    about = {host for host, _, _ in found}
    if about and not about & set(hosts):
        raise UserError(
            f"the host facts are about {_some(about)}, the database runs on {_some(hosts)}; name the host as Db2 does"
        )
    return found


def _some(names: Collection[str]) -> str:
    first = sorted(names)[:3]
    return ", ".join(first) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def over(own: Iterable[tuple[str, ...]], given: Facts) -> Facts:
    """Facts that are there, as rows, with the given ones over them."""
    return {(host, fact, item): value for host, fact, item, value in own} | given


def _known_as(host: str, hosts: Collection[str]) -> str:
    if host in hosts:
        return host
    short = host.partition(".")[0].lower()
    alike = {name for name in hosts if name.partition(".")[0].lower() == short and _may_be(name, host)}
    return alike.pop() if len(alike) == 1 else host


def _may_be(name: str, other: str) -> bool:
    """Two names of one host: equal, or one of them without its domain."""
    return name.lower() == other.lower() or "." not in name or "." not in other
