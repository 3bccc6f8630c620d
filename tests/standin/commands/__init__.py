"""What commands do to a database: rows of its sources, changed as Db2 would change it.

interpreter   commands and statements as the advice prints them; commands.lark is their grammar
storage       what those about table spaces, containers and tables do
host          what commands of the operating system do to host facts

The tests of the judgement carry advice out with these alone, without a server.
"""

from tests.standin.commands.interpreter import Interpreter, is_command

__all__ = ["Interpreter", "is_command"]
