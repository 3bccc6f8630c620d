"""What a site says of itself: options that differ from their defaults, risks that it accepts, rules of its own, and what
it learned of changes."""

from dataclasses import dataclass, field
from datetime import date

from advisor.capture.lessons import Lesson
from advisor.catalogue.options import SITE, Overrides
from advisor.catalogue.rules import Rule, all_rules
from advisor.catalogue.site_rules import RuleFolder


@dataclass(frozen=True)
class Accepted:
    """That ``by`` accepts what a rule says of an object (a name, or its beginning and ``*``), until the end of a day."""

    rule: str
    object: str
    reason: str
    by: str
    until: date | None = None


@dataclass(frozen=True)
class Site:
    """What one file of a site says, and the lessons of its changes; without any, None, those that a capture has count.
    ``window`` is when the site makes changes, as it says it."""

    options: Overrides = field(default_factory=dict)
    accepted: tuple[Accepted, ...] = ()
    own: RuleFolder = field(default_factory=RuleFolder)
    lessons: tuple[Lesson, ...] | None = None
    window: str | None = None

    @property
    def texts(self) -> bool:
        """Whether texts of statements may be collected."""
        return self.options.get(SITE, {}).get("statement_text") != "OFF"

    @property
    def rules(self) -> dict[str, Rule]:
        """Every rule that judges here by its name: those of db2tune, and those of the site."""
        return all_rules() | {rule.name: rule for rule in self.own.rules}
