"""The simulation of changes: settings changed in the tables of a capture, which db2tune then judges again.

settings.yml   the location of each setting in those tables, and the statements that change it
settings       the rows of settings.yml, and the settings that a user names
state          a capture with changed settings
simulate       both lists, memory, log space, conflicts and limits of the simulation
show           the simulation as text, Markdown and JSON

Counters stay as measured. The simulation does not estimate the effect of a change on them; rules do.
"""
