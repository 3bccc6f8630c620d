"""The watched database: its monitor functions, catalog views and configuration, its clock, its storage commands.

contract   the objects, columns and arguments that exist, by level
mapping    the inverse of sql/collect/: from a source's columns to those of the object it reads
snapshots  the rows of the capture, from its begin to its end, and the virtual time between them
objects    the DuckDB views and macros that show the rows as the objects
identity   what the database reports about itself: level, host, instance
commands   statements and commands that change the state
facade     all of it together: Machine
"""

from tests.standin.machine.facade import Base, Machine

__all__ = ["Base", "Machine"]
