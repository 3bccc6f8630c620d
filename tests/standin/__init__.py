"""A fake Db2 server: test equipment that the real driver connects to.

It uses the DRDA protocol, is as strict as Db2, and runs SQL and SQL PL on an embedded DuckDB over the state of a
machine (a fixture). It is not Db2, and the product never imports it.
"""
