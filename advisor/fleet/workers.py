"""Analysis of a fleet on the workers of a Dask cluster.

Dask gives the batch of a dead worker to another one. If a batch is lost repeatedly, a capture of it or of another
batch may crash workers. Its captures then run one by one, which identifies such a capture. db2tune trusts the cluster
like the user who runs the command.
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
from advisor.fleet.members import Batch, Member, judge_batch, program
from advisor.fleet.places import EXTRA, absolute
from advisor.fleet.results import Results

if TYPE_CHECKING:
    from distributed import Client, Future

CONNECT_S = 10  # until the scheduler answers
WORKERS_S = 60  # without any worker
LOOK_S = 5  # between two checks for workers


class SchedulerError(UserError):
    """No scheduler, no worker, or a worker with another program."""

    exit_status = EXIT_NO_CONNECTION


def run_batches(
    address: str, batches: Sequence[Batch], site: Site, results: Results | None
) -> Iterator[tuple[Batch, list[Surveyed]]]:
    """Yield each batch and its results, in order of completion.

    Raise SchedulerError without a scheduler, after WORKERS_S without workers, or for a worker with another program.
    """
    kept = results and replace(results, where=absolute(results.where))

    def submitted(batch: Batch) -> "Future[Any]":
        there = [replace(one, place=absolute(one.place)) for one in batch]
        task: Future[Any] = client.submit(work, there, site, kept, program(), pure=False)
        return task

    with _connect(address) as client:
        tasks = {submitted(batch): batch for batch in batches}
        lost: list[Member] = []
        for task in _yield_done(client, address, set(tasks)):
            if _killed_workers(task):
                lost += tasks[task]
            else:
                yield tasks[task], _result(task, address)
            task.release()
        for one in lost:
            task = submitted([one])
            for _ in _yield_done(client, address, {task}):
                ended = "every worker that analyzed it died; see the logs of the workers"
                found = [Surveyed(one.name, error=ended)] if _killed_workers(task) else _result(task, address)
                yield [one], found


def work(batch: Batch, site: Site, results: Results | None, wanted: str) -> list[Surveyed]:
    """Analyze a batch on a worker. Raise UserError if the worker has another program."""
    if program() != wanted:
        raise UserError(f"it runs db2tune {program()} instead of {wanted}")
    found = judge_batch(batch, site)
    if results is not None:
        results.add(batch, found)
    return found


def _connect(address: str) -> "Client":
    try:
        import distributed
    except ImportError:
        raise UserError(f"--scheduler requires {EXTRA}") from None
    for name in ("distributed", "distributed.client", "tornado", "tornado.application", "asyncio"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # errors are reported in one line
    warnings.filterwarnings("ignore", module="distributed")
    try:
        return distributed.Client(address, timeout=CONNECT_S)
    except (OSError, ValueError, TypeError, RuntimeError, ImportError) as error:
        raise SchedulerError(f"{address}: no Dask scheduler answers ({_first_line(error)})") from error


def _yield_done(client: "Client", address: str, tasks: "set[Future[Any]]") -> "Iterator[Future[Any]]":
    """Yield the tasks as they complete. Raise SchedulerError if no worker remains."""
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
                raise SchedulerError(f"{address}: the scheduler no longer answers") from error
            if alive:
                since = time.monotonic()
            elif time.monotonic() - since > WORKERS_S:
                raise SchedulerError(f"{address}: no workers; start 'dask worker {address}'") from None
        for task in done:
            yield task
            since = time.monotonic()


def _killed_workers(task: "Future[Any]") -> bool:
    from distributed import KilledWorker

    return task.status == "error" and isinstance(task.exception(), KilledWorker)


def _result(task: "Future[Any]", address: str) -> list[Surveyed]:
    from distributed import CancelledError

    try:
        found: Any = task.result()
    except CancelledError:
        raise SchedulerError(f"{address}: the scheduler no longer answers") from None
    except Exception as error:
        raise SchedulerError(f"{address}: a worker failed: {_first_line(error)}") from error
    return list(found)


def _first_line(error: BaseException) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
