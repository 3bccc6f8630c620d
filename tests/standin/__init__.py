"""A stand-in for a Db2 server: test equipment that the real driver connects to.

It speaks DRDA, is strict where Db2 is strict, and runs SQL and SQL PL on an embedded DuckDB over the state
of a machine (a fixture). It is not Db2, and the product never imports it.
"""
