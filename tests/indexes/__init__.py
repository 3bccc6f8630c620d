"""Index selection: small workloads with a known optimum, and public what-if costs."""
