"""Facts about hosts that Db2 does not report: collector, files and import."""
