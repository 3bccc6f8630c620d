"""Advice for a schema, created and timed next to other choices of indexes within the same space."""

import re
import tempfile
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from advisor.indexes.rows import build_catalog
from advisor.judgement.proposing import MOST_INDEXES, SIZE_PART
from tests.support.states import State
from tools.trials.engine.capture import USERS, key_of, read_state, write, write_text
from tools.trials.engine.cases import CASES, INDEXED, Case, Definition, Text
from tools.trials.engine.cluster import run_cluster
from tools.trials.engine.engine import Engine, Run, open_case, sum_times
from tools.trials.engine.product import Answer, ask
from tools.trials.engine.rivals import Limits, choose_by_search, choose_per_statement, useful
from tools.trials.engine.rows import PAGE
from tools.trials.engine.whatif import WhatIf, propose_all

SHORT_MS = 0.05  # the time of the shortest statements differs by this much from run to run
OURS, TEXT, SEARCH = "db2tune", "db2tune from text", "what-if search"
KEYS = {"INSERT": 1, "DELETE": 1, "UPDATE": 2}  # of an index, that change with a row


@dataclass(frozen=True)
class Choice:
    """A list of indexes with the measured time of the workload, and its size."""

    definitions: tuple[Definition, ...]
    bytes: int
    runs: Mapping[str, Run]


@dataclass
class Proof:
    """The measurements of a schema. ``without`` is the time of the workload without one advised index each."""

    case: Case
    before: Mapping[str, Run]
    answer: Answer
    choices: dict[str, Choice] = field(default_factory=dict)
    without: dict[Definition, float] = field(default_factory=dict)

    def total(self, runs: Mapping[str, Run]) -> float:
        """Return the time of the workload in milliseconds."""
        return sum_times(self.case.texts, runs)

    def saved(self, name: str) -> float:
        """Return the share of the time that a choice saves."""
        before = self.total(self.before)
        return 1 - self.total(self.choices[name].runs) / before

    def of_best(self) -> float:
        """Return db2tune's saving as a share of the best one within the same space."""
        return self.saved(OURS) / max(self.saved(name) for name in self.choices if name != TEXT)

    def effects(self) -> dict[Definition, float]:
        """Return what each advised index saves next to the others, as a share of the time before."""
        now, before = self.total(self.choices[OURS].runs), self.total(self.before)
        return {each: (time - now) / before for each, time in self.without.items()}

    def near(self, only: Collection[str] | None = None) -> int:
        """Return the number of statements with a prediction within a factor of two, or within SHORT_MS."""
        after, found = self.choices[OURS].runs, self.predictions()
        names = found if only is None else only
        return sum(0.5 <= found[name] <= 2 or abs(found[name] - 1) * after[name].ms <= SHORT_MS for name in names)

    def helped(self) -> list[str]:
        """Return the statements that the advice promises to make faster."""
        return [text.name for number, text in enumerate(self.case.texts) if key_of(number) in self.answer.after]

    def predictions(self) -> dict[str, float]:
        """Return predicted / measured time with the advised indexes per statement."""
        after, found = self.choices[OURS].runs, {}
        for number, text in enumerate(self.case.texts):
            predicted = self.answer.after.get(key_of(number), self.before[text.name].ms) + self._write_ms(text)
            found[text.name] = predicted / after[text.name].ms
        return found

    def _write_ms(self, text: Text) -> float:
        """Return the predicted time that one execution takes to maintain the advised indexes."""
        total = 0.0
        for index in self.answer.indexes:
            keys = {each: keys_changed(each, self.before[each.name].rows, index.definition) for each in self.case.texts}
            total += index.maintenance_ms * keys[text] / max(1.0, sum(n * each.executions for each, n in keys.items()))
        return total / USERS


def keys_changed(text: Text, rows: float, index: Definition) -> float:
    """Return the keys of an index that one execution changes: one per inserted or deleted row, two per updated one."""
    kind, *words = re.findall(r"\w+", text.sql)
    if kind not in KEYS or words[kind != "UPDATE"] != index.table:
        return 0.0
    changed = text.sql.partition("WHERE")[0]
    return KEYS[kind] * rows if kind != "UPDATE" or any(f"{name} =" in changed for name in index.names) else 0.0


def prove(engine: Engine) -> Proof:
    """Advise indexes for a schema, create them, and time the workload with them and with other choices."""
    proof, state = _advise(engine)
    ours = [index.definition for index in proof.answer.indexes]
    with tempfile.TemporaryDirectory() as folder:
        pasted = [index.definition for index in ask(write_text(state, Path(folder))).indexes]
    whatif = WhatIf(engine, proof.before)
    proposed = propose_all(engine.texts, build_catalog(state.sources), engine.case.name.upper())
    offered = list(dict.fromkeys((*ours, *pasted, *proposed)))
    whatif.prime(offered)
    size = SIZE_PART * sum(row["NPAGES"] for row in state.sources["cat_table"]) * PAGE
    offered, limits = useful(whatif, offered), Limits(int(size), MOST_INDEXES)
    each = choose_per_statement(whatif, offered, limits)
    search = choose_by_search(whatif, offered, limits, (ours, each))
    engine.select("SELECT hypopg_reset()")
    _measure(engine, proof, OURS, ours)
    for definition in ours:
        rest = [other for other in ours if other != definition]
        proof.without[definition] = proof.total(engine.measure(rest))
    for name, chosen in ((TEXT, pasted), (SEARCH, search)):
        _measure(engine, proof, name, chosen)
    return proof


def prove_silence(engine: Engine) -> Proof:
    """Advise indexes for a schema that has good ones, and time the workload with them."""
    proof, _ = _advise(engine)
    _measure(engine, proof, OURS, [index.definition for index in proof.answer.indexes])
    return proof


def prove_all(cases: Iterable[Case] = CASES) -> list[Proof]:
    """Return the proofs of schemas, the well-indexed one last."""
    with run_cluster() as address:
        found = []
        for case in (*cases, INDEXED):
            with open_case(address, case) as engine:
                found.append(prove_silence(engine) if case is INDEXED else prove(engine))
        return found


def _advise(engine: Engine) -> tuple[Proof, State]:
    before = engine.measure(())
    state = read_state(engine, before)
    with tempfile.TemporaryDirectory() as folder:
        return Proof(engine.case, before, ask(write(state, Path(folder)))), state


def _measure(engine: Engine, proof: Proof, name: str, definitions: Iterable[Definition]) -> None:
    chosen = tuple(dict.fromkeys(definitions))
    runs = engine.measure(chosen)
    engine.use(chosen)
    proof.choices[name] = Choice(chosen, engine.bytes_of(chosen), runs)
