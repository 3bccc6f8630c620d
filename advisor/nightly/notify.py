"""Who is told of a night: mail, a webhook, files. One that fails stops no other, and shows no secret."""

import http.client
import json
import smtplib
import ssl
import urllib.error
import urllib.request
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from typing import TYPE_CHECKING, Any

from advisor import __version__
from advisor.errors import UserError
from advisor.nightly import summary
from advisor.nightly.config import Config, Mail, Webhook, secret_of
from advisor.report.output import emit

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path

    from advisor.nightly.database import Outcome

TIMEOUT_S = 30


def notify(config: Config, started: "datetime", outcomes: "list[Outcome]") -> list[str]:
    """Notify everybody whom the config names; the failures, one line each."""
    ways: dict[str, Callable[[], None]] = {}
    if mail := config.mail:
        ways["mail"] = lambda: send(mail, summary.subject(outcomes), summary.render(started, outcomes))
    if webhook := config.webhook:
        ways["webhook"] = lambda: post(webhook, summary.document(started, outcomes))
    if files := config.files:
        ways["files"] = lambda: write(files, started, outcomes)
    failed = []
    for name, way in ways.items():
        try:
            way()
        except UserError as error:
            failed.append(f"notify.{name}: {error}")
        except OSError as error:
            failed.append(f"notify.{name}: {error.filename or name}: {error.strerror or 'failed'}")
    return failed


def send(mail: Mail, subject: str, body: str) -> None:
    """Send plain text to all, over TLS unless the config says otherwise."""
    message = EmailMessage()
    message["Subject"] = subject
    message["From"] = mail.sender
    message["To"] = ", ".join(mail.to)
    message["Date"] = localtime()
    message["Message-ID"] = make_msgid(domain=mail.sender.rpartition("@")[2])
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(body, cte="quoted-printable")
    secret = secret_of(mail.password_file) if mail.password_file else None
    where = f"{mail.host}:{mail.port}"
    try:
        with smtplib.SMTP(mail.host, mail.port, timeout=TIMEOUT_S) as server:
            if mail.starttls:
                server.starttls(context=ssl.create_default_context())
            if mail.user and secret:
                server.login(mail.user, secret.reveal())
            server.send_message(message)
    except smtplib.SMTPAuthenticationError:
        raise UserError(f"{where} refuses user {mail.user} or the password") from None
    except smtplib.SMTPNotSupportedError:
        raise UserError(f"{where} offers no STARTTLS or no login; starttls = false sends in clear") from None
    except (smtplib.SMTPException, OSError) as error:
        raise UserError(f"{where}: {_reason(error)}") from None


def post(webhook: Webhook, document: dict[str, Any]) -> None:
    """POST the summary as JSON."""
    address = webhook.address()
    try:
        request = urllib.request.Request(
            address.reveal(),
            data=json.dumps(document).encode("ascii"),
            headers={"Content-Type": "application/json", "User-Agent": f"db2tune/{__version__}"},
            method="POST",
        )
        with _opener().open(request, timeout=TIMEOUT_S) as answer:
            answer.read(1)
    except urllib.error.HTTPError as error:
        raise UserError(f"the address answers {error.code}") from None
    except OSError as error:
        raise UserError(address.scrub(f"the address cannot be reached: {_reason(error)}")) from None
    except (ValueError, http.client.HTTPException):  # whose texts show parts of the address
        raise UserError("the address is not one that can be posted to, or does not speak HTTP") from None


def write(directory: "Path", started: "datetime", outcomes: "list[Outcome]") -> None:
    """The summary of the night as text and as JSON; a later run of the same night replaces them."""
    directory.mkdir(parents=True, exist_ok=True)
    name = f"db2tune-{started:%Y-%m-%d}"
    emit(summary.render(started, outcomes), directory / f"{name}.txt")
    emit(summary.as_json(started, outcomes), directory / f"{name}.json")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A summary goes where the config says, and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_NoRedirect)


def _reason(error: Exception) -> str:
    cause = getattr(error, "reason", None) or error
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return " ".join(str(cause).split()) or type(error).__name__
