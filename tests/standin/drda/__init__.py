"""The wire: a DRDA server that IBM's own drivers connect to. It knows protocol and types, and no SQL."""

from tests.standin.drda.server import Server

__all__ = ["Server"]
