"""The file in which a site says what it decides."""
