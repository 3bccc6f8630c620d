"""Small printers: a machine state as the text that each tool would show of it.

Each module has ``printed(state)`` and ``HOLDS``, the sources and columns of them that the text holds.
"""
