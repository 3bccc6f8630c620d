"""Installation and removal of schema TUNE."""
