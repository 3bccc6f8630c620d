"""The Docker engine of these tests."""

from collections.abc import Iterator
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from tools.container.engine import client, why_not
from tools.container.kinds import STANDIN

if TYPE_CHECKING:
    import docker


@pytest.fixture(scope="module")
def engine() -> Iterator["docker.DockerClient"]:
    if reason := why_not(STANDIN):
        pytest.skip(reason)
    with closing(client()) as engine:
        yield engine
