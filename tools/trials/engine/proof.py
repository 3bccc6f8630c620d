"""Advice for a schema, created and timed next to other choices of indexes within the same space."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from advisor.indexes.advice import IndexAdvice
from advisor.indexes.paths import build_path
from advisor.indexes.pricing import write_ms
from tools.trials.engine.adapter import Workload, read_workload
from tools.trials.engine.cases import CASES, INDEXED, Case, Text
from tools.trials.engine.cluster import run_cluster
from tools.trials.engine.definition import Definition
from tools.trials.engine.engine import Engine, Run, open_case
from tools.trials.engine.rivals import choose_by_fixed_benefit, choose_by_search, choose_per_statement, useful
from tools.trials.engine.whatif import WhatIf, propose_all

SHORT_MS = 0.05  # the time of the shortest statements differs by this much from run to run
OURS, FIXED, EACH, SEARCH, ALL = "db2tune", "fixed benefits", "best per statement", "what-if search", "all together"


@dataclass(frozen=True)
class Choice:
    """A list of indexes with the measured time of the workload, and its size."""

    name: str
    definitions: tuple[Definition, ...]
    bytes: int
    runs: Mapping[str, Run]


@dataclass
class Proof:
    """The measurements of a schema. ``without`` is the time of the workload without one advised index each."""

    case: Case
    before: Mapping[str, Run]
    advice: IndexAdvice
    workload: Workload
    choices: dict[str, Choice] = field(default_factory=dict)
    without: dict[Definition, float] = field(default_factory=dict)

    def total(self, runs: Mapping[str, Run]) -> float:
        """Return the time of the workload in milliseconds."""
        return sum(text.executions * runs[text.name].ms for text in self.case.texts)

    def saved(self, name: str) -> float:
        """Return the share of the time that a choice saves."""
        before = self.total(self.before)
        return 1 - self.total(self.choices[name].runs) / before

    def of_best(self) -> float:
        """Return db2tune's saving as a share of the best one within the same space."""
        return self.saved(OURS) / max(self.saved(name) for name in self.choices if name != ALL)

    def effects(self) -> dict[Definition, float]:
        """Return what each advised index saves next to the others, as a share of the time before."""
        now, before = self.total(self.choices[OURS].runs), self.total(self.before)
        return {each: (time - now) / before for each, time in self.without.items()}

    def near(self) -> int:
        """Return the number of statements with a prediction within a factor of two, or within SHORT_MS."""
        after = self.choices[OURS].runs
        found = self.predictions()
        return sum(0.5 <= ratio <= 2 or abs(ratio - 1) * after[name].ms <= SHORT_MS for name, ratio in found.items())

    def predictions(self) -> dict[str, float]:
        """Return predicted / measured time with the advised indexes per statement."""
        predicted = {helped.key: helped.after_ms for chosen in self.advice.chosen for helped in chosen.helped}
        after = self.choices[OURS].runs
        return {
            text.name: (predicted.get(text.name, self.before[text.name].ms) + self._write_ms(text))
            / after[text.name].ms
            for text in self.case.texts
        }

    def _write_ms(self, text: Text) -> float:
        """Return the predicted time that one execution takes to maintain the advised indexes."""
        written = self.workload.written.get(text.name, {})
        indexes = [
            chosen.index for chosen in self.advice.chosen if (chosen.index.schema, chosen.index.table) in written
        ]
        total = 0.0
        for index in indexes:
            name = (index.schema, index.table)
            table = self.workload.catalog[name]
            total += write_ms(index, build_path(index, table), table, written[name], self.workload.system)
        return total / text.executions

    def predicted(self) -> float:
        """Return the share of the time that the advice promises to save."""
        return 1 - self.advice.after_ms / self.advice.before_ms


def prove(engine: Engine) -> Proof:
    """Advise indexes for a schema, create them, and time the workload with them and with other choices."""
    proof = _advise(engine)
    ours = [Definition.from_candidate(chosen.index) for chosen in proof.advice.chosen]
    whatif = WhatIf(engine, proof.before)
    proposed = propose_all(engine.texts, proof.workload.catalog, engine.case.name.upper())
    offered = list(dict.fromkeys((*ours, *proposed)))
    whatif.prime(offered)
    offered, budget = useful(whatif, offered), whatif.size(ours)
    fixed = choose_by_fixed_benefit(whatif, offered, budget)
    each = choose_per_statement(whatif, offered, budget)
    search = choose_by_search(whatif, offered, budget, (ours, each))
    engine.select("SELECT hypopg_reset()")
    _measure(engine, proof, OURS, ours)
    for definition in ours:
        rest = [other for other in ours if other != definition]
        proof.without[definition] = proof.total(engine.measure(rest))
    for name, chosen in ((FIXED, fixed), (EACH, each), (SEARCH, search), (ALL, [*ours, *fixed, *each, *search])):
        _measure(engine, proof, name, chosen)
    return proof


def prove_silence(engine: Engine) -> Proof:
    """Advise indexes for a schema that has good ones, and time the workload with them."""
    proof = _advise(engine)
    _measure(engine, proof, OURS, [Definition.from_candidate(chosen.index) for chosen in proof.advice.chosen])
    return proof


def prove_all() -> list[Proof]:
    """Return the proofs of all schemas, the well-indexed one last."""
    with run_cluster() as address:
        found = []
        for case in (*CASES, INDEXED):
            with open_case(address, case) as engine:
                found.append(prove_silence(engine) if case is INDEXED else prove(engine))
        return found


def _advise(engine: Engine) -> Proof:
    before = engine.measure(())
    workload = read_workload(engine, before)
    return Proof(engine.case, before, workload.advise(), workload)


def _measure(engine: Engine, proof: Proof, name: str, definitions: Iterable[Definition]) -> None:
    chosen = tuple(dict.fromkeys(definitions))
    runs = engine.measure(chosen)
    engine.use(chosen)
    proof.choices[name] = Choice(name, chosen, engine.bytes_of(chosen), runs)
