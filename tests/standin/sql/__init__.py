"""One query or data change of Db2's SQL, bound to names and types and translated to DuckDB's.

``failure`` turns what DuckDB says at run time into Db2's error. The session keeps the values of
MON_GET_APPLICATION_HANDLE, MON_GET_APPLICATION_ID, APPLICATION_ID and IDENTITY_VAL_LOCAL in DuckDB
variables of these names.
"""

from tests.standin.sql.compiler import compile_expression, compile_statement, compile_view, failure
from tests.standin.sql.sqltypes import duck_type, parse_type

__all__ = ["compile_expression", "compile_statement", "compile_view", "duck_type", "failure", "parse_type"]
