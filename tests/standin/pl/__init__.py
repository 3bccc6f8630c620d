"""SQL PL: parses routines and compound statements and runs them through the session's Executor."""

from tests.standin.pl.markers import marker_parameters
from tests.standin.pl.parser import parse_function, parse_procedure, parse_statement
from tests.standin.pl.routines import call_function, make_procedure, run_compound
from tests.standin.pl.static import check_static
from tests.standin.pl.tree import Call, FunctionDefinition, ProcedureDefinition

__all__ = [
    "Call",
    "FunctionDefinition",
    "ProcedureDefinition",
    "call_function",
    "check_static",
    "make_procedure",
    "marker_parameters",
    "parse_function",
    "parse_procedure",
    "parse_statement",
    "run_compound",
]
