"""The plan as text, Markdown and JSON: commands, prerequisites and evaluation of each step."""

from typing import Any

from advisor.judgement.advice import Advice
from advisor.plan.platform_scripts import ask_recipients
from advisor.plan.steps import Step
from advisor.report import account, blocks, text
from advisor.report.blocks import INDENT
from advisor.report.jsonout import describe_run
from advisor.report.lessons import list_harm
from advisor.report.markdown import code, escape
from advisor.report.output import Paint, plain
from advisor.report.values import head, to_steps

WORSE_PCT = 5
NOTHING = "Nothing to plan."
ALL_LINES = "db2tune plan --scripts DIR writes them"
JOINT = "These changes share one restart. Their benefit can only be measured together."


def render(steps: list[Step], advice: Advice, width: int, paint: Paint = plain) -> str:
    """Return the plan as text. Prose is wrapped to the width; commands are never cut or wrapped."""
    lines = [
        line for name, value in text.describe_advice(advice).items() for line in text.wrap(value, width, f"{name:<10}")
    ]
    for step in steps:
        lines += ["", paint(heading(step), bold=True)]
        if step.joint:
            lines += text.wrap(JOINT, width, INDENT)
        for group in blocks.groups(step.items):
            lines += text.wrap(f"{blocks.heading(group)} [{group[0].rule.name}], {text.ranks(group)}", width, INDENT)
            for label, given in (("do", blocks.actions_of(group)), ("undo", blocks.undo_of(group))):
                lines += blocks.commands(label, given, width, paint, ALL_LINES)
        for label, value in list_details(step).items():
            lines += text.wrap(value, width, f"{INDENT}{label:<7}")
    lines += [] if steps else ["", NOTHING]
    return "\n".join(line.rstrip() for line in [*lines, *account.lines(advice, paint)]) + "\n"


def heading(step: Step) -> str:
    low, expected, high = step.benefit
    benefit = f", {expected:.1f} % of database time ({low:.1f}..{high:.1f})" if high else ""
    return f"Step {step.number}: {text.EFFECTS[step.effect]}{benefit}"


def list_details(step: Step) -> dict[str, str]:
    """Return the details of a step other than its commands, by label."""
    before, after = step.memory_before_kb, step.memory_after_kb
    said = {
        "harm": " ".join(list_harm(step.items)),
        "when": step.when,
        "after": ", ".join(f"step {number}" for number in step.comes_after) + " (required)" if step.comes_after else "",
        "effect": step.meaning,
        "wait": "; ".join(ask_recipients((line for item in step.items for line in item.actions), "WAIT")),
        "needs": "; ".join(prerequisite.needs for prerequisite in step.prerequisites),
        "memory": f"{text.memory(after - before)}, {text.memory(after)} with the earlier steps"
        if after != before
        else "",
        "guard": f"{', '.join(step.guards)}: at most {WORSE_PCT} % worse" if step.guards else "",
        "judge" if step.guards else "check": step.verify,
    }
    return {label: value for label, value in said.items() if value}


def markdown(steps: list[Step], advice: Advice) -> str:
    """Return the plan as Markdown, with the queries that check the prerequisites of each step."""
    parts = [
        f"# Plan for {escape(advice.database['name'])}",
        "\n".join(f"- {name}: {escape(value)}" for name, value in text.describe_advice(advice).items()),
    ]
    for step in steps:
        parts += [f"## {escape(heading(step))}", *([JOINT] if step.joint else [])]
        for group in blocks.groups(step.items):
            parts += [escape(f"{blocks.heading(group)} ({text.ranks(group)})"), "Do:", code(blocks.actions_of(group))]
            parts += ["Undo:", code(blocks.undo_of(group))]
        parts.append("\n".join(f"- {label}: {escape(value)}" for label, value in list_details(step).items()))
        for query in dict.fromkeys(need.query for need in step.prerequisites if need.query):
            parts.append(f"```sql\n{query}\n```")
    return "\n\n".join(parts if steps else [*parts, NOTHING]) + "\n"


def as_json(steps: list[Step], advice: Advice) -> str:
    return text.json_text({**head(), **describe_run(advice), "steps": [_step(step) for step in steps]})


def _step(step: Step) -> dict[str, Any]:
    low, expected, high = step.benefit
    return {
        "step": step.number,
        "ranks": [item.rank for item in step.items],
        "rules": [item.rule.name for item in step.items],
        "actions": to_steps(line for item in step.items for line in item.actions),
        "undo": to_steps(line for item in reversed(step.items) for line in item.undo),
        "by_hand": step.by_hand,
        "joint": step.joint,
        "did_harm": list_harm(step.items),
        "comes_after": list(step.comes_after),
        "when": step.when,
        "effect": step.effect,
        "meaning": step.meaning,
        "prerequisites": [{"needs": need.needs, "query": need.query} for need in step.prerequisites],
        "memory_kb": {"before": step.memory_before_kb, "after": step.memory_after_kb},
        "benefit_pct": {"low": round(low, 4), "expected": round(expected, 4), "high": round(high, 4)},
        "guards": step.guards,
        "verify": step.verify,
    }
