"""Small printers: a machine state in the output format of each tool.

Each module has ``printed(state)`` and ``HOLDS``, the sources and columns that the text contains.
"""
