"""An estate judged by the workers of a Dask cluster, each batch as it would be here.

Dask gives a batch whose worker ended to another one. A batch that is lost again and again has a capture that ends its
worker, or was only beside such a one: its captures are judged one by one, with nothing else under way, so that what
ends a worker then is told by its name. The cluster is trusted as the user is who runs the command.
"""

import logging
import time
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from advisor.capture.site import Site
from advisor.errors import EXIT_NO_CONNECTION, UserError
from advisor.fleet.estate import Surveyed
from advisor.fleet.members import Batch, Member, judged, program
from advisor.fleet.places import EXTRA, absolute
from advisor.fleet.results import Results

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_S = 10  # for the scheduler to answer
WORKERS_S = 60  # for the first worker to come, or another when all are gone
LOOK_S = 5  # between two looks at whether there are workers


class SchedulerError(UserError):
    """No scheduler, no worker, or none that judges as this program does."""

    exit_status = EXIT_NO_CONNECTION


def answered(
    address: str, batches: Sequence[Batch], site: Site, results: Results | None
) -> Iterator[tuple[Batch, list[Surveyed]]]:
    """What is found of each batch, in the order in which they are done.

    Raises SchedulerError when there is no scheduler, when for WORKERS_S there is no worker, or one is another program.
    """
    kept = results and replace(results, where=absolute(results.where))

    def submitted(batch: Batch) -> "Future[Any]":
        there = [replace(one, place=absolute(one.place)) for one in batch]
        task: Future[Any] = client.submit(work, there, site, kept, program(), pure=False)
        return task

    with _connected(address) as client:
        tasks = {submitted(batch): batch for batch in batches}
        lost: list[Member] = []
        for task in _done(client, address, set(tasks)):
            if _ended_its_workers(task):
                lost += tasks[task]
            else:
                yield tasks[task], _result(task, address)
            task.release()
        for one in lost:
            task = submitted([one])
            for _ in _done(client, address, {task}):
                ended = "each worker that judged it ended; the logs of the workers say why"
                found = [Surveyed(one.name, error=ended)] if _ended_its_workers(task) else _result(task, address)
                yield [one], found


def work(batch: Batch, site: Site, results: Results | None, wanted: str) -> list[Surveyed]:
    """A batch, on a worker. Raises UserError where that is another program."""
    if program() != wanted:
        raise UserError(f"it has db2tune {program()}, and this is {wanted}")
    found = judged(batch, site)
    if results is not None:
        results.add(batch, found)
    return found


def _connected(address: str) -> "Client":
    try:
        import distributed
    except ImportError:
        raise UserError(f"--scheduler: to judge on other machines, {EXTRA}") from None
    for name in ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what there is to say is said in one line
    warnings.filterwarnings("ignore", module="distributed")
    try:
        return distributed.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise SchedulerError(f"{address}: no scheduler of Dask answers there ({_first_line(error)})") from error


def _done(client: "Client", address: str, tasks: "set[Future[Any]]") -> "Iterator[Future[Any]]":
    """The tasks as they are done. Raises SchedulerError when there is nobody left to do them."""
    from distributed import wait

    left, since = tasks, time.monotonic()
    while left:
        try:
            done, left = wait(left, timeout=LOOK_S, return_when="FIRST_COMPLETED")
        except TimeoutError:
            done = set()
            try:
                alive = bool(client.nthreads())
            except (OSError, TimeoutError) as error:
                raise SchedulerError(f"{address}: the scheduler does not answer any more") from error
            if alive:
                since = time.monotonic()
            elif time.monotonic() - since > WORKERS_S:
                raise SchedulerError(f"{address}: has no worker; start 'dask worker {address}'") from None
        for task in done:
            yield task
            since = time.monotonic()


def _ended_its_workers(task: "Future[Any]") -> bool:
    from distributed import KilledWorker

    return task.status == "error" and isinstance(task.exception(), KilledWorker)


def _result(task: "Future[Any]", address: str) -> list[Surveyed]:
    from distributed import CancelledError

    try:
        found: Any = task.result()
    except CancelledError:
        raise SchedulerError(f"{address}: the scheduler does not answer any more") from None
    except Exception as error:
        raise SchedulerError(f"{address}: a worker cannot judge: {_first_line(error)}") from error
    return list(found)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
