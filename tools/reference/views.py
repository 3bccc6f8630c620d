"""The page docs/views.md: the views that rules and ``db2tune sql`` read, with their columns."""

from advisor.judge.queries import list_views
from advisor.resources import DEMO_CAPTURE
from tools.reference.markdown import environment


def page() -> str:
    views = list_views(DEMO_CAPTURE)
    sources = [view for view in views if view.name.startswith("S_")]
    model = [view for view in views if not view.name.startswith(("S_", "D_", "L_"))]
    return environment().get_template("views.md.j2").render(model=model, sources=sources)
