"""The nightly job: read each database twice, judge it, store the run, compare it with the previous one and notify.

changed     settings that changed since the previous run
checking    the check of nightly.toml without a connection
clock       the clock
compare     comparison of the advice of two runs
config      nightly.toml
database    the run of one database
estate      last runs of the fleet, for its page
history     the local store of runs
job         all databases, then the notifications
metrics     OpenMetrics text
notify      mail, webhook and files
old_history the conversion of a store in DuckDB's format
page        the history as an HTML page
published   the folder of HTML pages
reading     the two snapshots, by plain SELECTs or in schema TUNE, resumed after a crash
runs        the stored form of a run
show        the text and JSON of `db2tune history`
summary     the summary of a night as text and JSON
"""
