"""The machines of five published studies: hardware and work as told; what is not told is marked free."""
