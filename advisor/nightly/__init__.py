"""The nightly job: reads each database of a list twice, judges, keeps, compares with the run before, and tells.

changed     settings that changed since the run before
config      nightly.toml, read and checked
clock       what passes the time
compare     two runs of a database: what became of the advice
database    one database, from its lock to what is kept of it
history     the local store of runs
job         all databases, then who is notified
notify      mail, webhook, files
reading     the two snapshots, on the outside or in schema TUNE, resumed after a crash
runs        what is kept of a run
show        `db2tune history`
summary     what people are told, as text and as JSON
"""
