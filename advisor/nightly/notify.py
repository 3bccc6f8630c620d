"""Notifications by mail, webhook and files. One failed notification does not block the others or show a secret."""

import http.client
import json
import smtplib
import ssl
import urllib.error
import urllib.request
from email.message import EmailMessage
from email.utils import localtime, make_msgid
from html import escape
from typing import TYPE_CHECKING, Any

from advisor import __version__, files
from advisor.errors import UserError
from advisor.nightly import summary
from advisor.nightly.config import Config, Mail, Webhook, secret_of
from advisor.patience import OverdueError, run_within

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from advisor.nightly.database import Outcome

TIMEOUT_S = 30  # for one answer
LONGEST_S = 120  # for one notification


def ways(config: Config) -> list[str]:
    """Return the channels that the configuration names."""
    return [name for name in ("mail", "webhook", "files") if getattr(config, name)]


def tell(config: Config, way: str, started: "datetime", outcomes: "list[Outcome]") -> str | None:
    """Send the summary through one channel; return the failure in one line, or None."""
    try:
        run_within(LONGEST_S, lambda: _notify_by(config, way, started, outcomes))
    except OverdueError:
        return f"notify.{way}: took longer than {LONGEST_S} s"
    except UserError as error:
        return f"notify.{way}: {error}"
    except OSError as error:
        return f"notify.{way}: {error.filename or way}: {error.strerror or 'failed'}"
    except Exception as error:  # its text may contain a secret
        return f"notify.{way}: internal error, {type(error).__name__}"
    return None


def _notify_by(config: Config, way: str, started: "datetime", outcomes: "list[Outcome]") -> None:
    if way == "mail" and config.mail:
        send(config.mail, summary.subject(outcomes), summary.render(started, outcomes, config.overview))
    elif way == "webhook" and config.webhook:
        post(config.webhook, summary.document(started, outcomes, config.overview))
    elif config.files:
        write(config.files, started, outcomes, config.overview)


def send(mail: Mail, subject: str, body: str) -> None:
    """Send plain text to all recipients, with TLS unless the configuration disables it."""
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
    if secret and not (secret.reveal().isascii() and (mail.user or "").isascii()):
        raise UserError(
            f"{where}: user or password contains non-ASCII characters, which the SMTP login does not support"
        )
    try:
        with smtplib.SMTP(mail.host, mail.port, timeout=TIMEOUT_S) as server:
            if mail.starttls:
                server.starttls(context=ssl.create_default_context())
            if mail.user and secret:
                server.login(mail.user, secret.reveal())
            server.send_message(message)
    except smtplib.SMTPAuthenticationError:
        raise UserError(f"{where} rejected user {mail.user} or the password") from None
    except smtplib.SMTPNotSupportedError:
        raise UserError(
            f"{where} does not support STARTTLS or login; set starttls = false to send without TLS"
        ) from None
    except (smtplib.SMTPException, OSError) as error:
        raise UserError(f"{where}: {_reason(error)}") from None


def post(webhook: Webhook, document: dict[str, Any]) -> None:
    """Send the summary as JSON in a POST request. In its text, & < > are escaped: chat services read them as markup."""
    address = webhook.address()
    try:
        request = urllib.request.Request(
            address.reveal(),
            data=json.dumps(document | {"text": escape(document["text"], quote=False)}).encode("ascii"),
            headers={"Content-Type": "application/json", "User-Agent": f"db2tune/{__version__}"},
            method="POST",
        )
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=TIMEOUT_S) as answer:
            answer.read(1)
    except urllib.error.HTTPError as error:
        raise UserError(f"the URL answered with HTTP status {error.code}") from None
    except OSError as error:
        raise UserError(address.scrub(f"the URL cannot be reached: {_reason(error)}")) from None
    except (ValueError, http.client.HTTPException):  # their texts contain parts of the URL
        raise UserError("the URL is invalid, or its server does not use HTTP") from None


def write(directory: "Path", started: "datetime", outcomes: "list[Outcome]", overview: str) -> None:
    """Write the night's summary as text and JSON; a later run of the same night replaces them."""
    files.folder(directory)
    name = f"db2tune-{started:%Y-%m-%d}"
    files.replace(directory / f"{name}.txt", summary.render(started, outcomes, overview), files.PRIVATE)
    files.replace(directory / f"{name}.json", summary.as_json(started, outcomes, overview), files.PRIVATE)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A handler that follows no redirect: only the configured URL receives the summary."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def _reason(error: Exception) -> str:
    cause = getattr(error, "reason", None) or error
    if isinstance(cause, OSError) and cause.strerror:
        return cause.strerror
    return " ".join(str(cause).split()) or type(error).__name__
