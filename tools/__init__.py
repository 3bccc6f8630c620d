"""What a developer runs beside the tests."""
