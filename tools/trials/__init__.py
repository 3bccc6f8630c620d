"""Programs that try the product in bulk: faults, mutants of its SQL, years of nights, index advice on PostgreSQL."""
