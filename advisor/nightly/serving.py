"""The folder of pages as a website for this machine alone."""

from collections.abc import Callable
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

from advisor.errors import UserError
from advisor.nightly.config import INDEX

HOST = "127.0.0.1"


class Handler(SimpleHTTPRequestHandler):
    """GET and HEAD of files in the folder, for browsers that address this machine by its name.

    A website whose name resolves to this machine (DNS rebinding) gets nothing.
    """

    def send_head(self) -> Any:
        _, port = cast("tuple[str, int]", self.server.server_address)
        if self.headers.get("Host") not in {f"{name}:{port}" for name in (HOST, "localhost")}:
            return self.send_error(HTTPStatus.MISDIRECTED_REQUEST)
        path = Path(self.translate_path(self.path))
        file = (path / INDEX if path.is_dir() else path).resolve()
        if not (file.is_file() and file.is_relative_to(Path(self.directory).resolve())):
            return self.send_error(HTTPStatus.NOT_FOUND)
        return super().send_head()

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


def serve(directory: Path, port: int, begun: Callable[[str], object]) -> None:
    """Serve the folder until Ctrl-C; call ``begun`` with its URL. Raise UserError if the port is taken."""
    try:
        server = ThreadingHTTPServer((HOST, port), partial(Handler, directory=str(directory)))
    except OSError as error:
        raise UserError(f"port {port}: {error.strerror}; choose another one") from None
    with server:
        begun(f"http://{HOST}:{server.server_port}/")
        server.serve_forever()
