"""Tests by subject; helpers are in support/, the fake server in standin/."""
