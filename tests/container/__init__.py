"""The harness of tools/container on a real engine."""
