"""Faults, damaged inputs and signals; tools/trials/ has the programs that try more of them."""
