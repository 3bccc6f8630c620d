"""Options, accepted risks, own rules and lessons of a site."""

from dataclasses import dataclass, field
from datetime import date

from advisor.capture.lessons import Lesson
from advisor.catalogue.options import SITE, Overrides
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.site_rules import RuleFolder


@dataclass(frozen=True)
class Accepted:
    """A risk that ``by`` accepts for a rule and an object (a name, or a prefix and ``*``) until the end of a day."""

    rule: str
    object: str
    reason: str
    by: str
    until: date | None = None


@dataclass(frozen=True)
class Site:
    """The content of a site's file, and its lessons. With None, the lessons of the capture apply.

    ``window`` is the site's text for its maintenance window.
    """

    options: Overrides = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    own: RuleFolder = field(default_factory=RuleFolder)
    lessons: tuple[Lesson, ...] | None = None
    window: str | None = None

    @property
    def texts(self) -> bool:
        """Return whether db2tune may collect statement texts."""
        return self.options.get(SITE, {}).get("statement_text") != "OFF"

    @property
    def rules(self) -> dict[str, Rule]:
        """Return all rules by name: those of db2tune and those of the site."""
        return all_rules() | {rule.name: rule for rule in self.own.rules}
