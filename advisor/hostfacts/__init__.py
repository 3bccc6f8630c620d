"""What Db2 cannot see of its hosts: the collector that finds it out, the files that hold it, its way to the rules."""
