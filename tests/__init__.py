"""What proves the program, by what it proves; helpers are in support/, the server that stands in for Db2 in standin/."""
