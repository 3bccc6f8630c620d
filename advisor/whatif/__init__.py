"""What would be: settings carried out on the tables of a capture, which is then judged again.

settings.yml   what each kind of setting is in those tables: where it is read, and what carrying it out changes
settings       its rows, and the settings that a user names
state          a capture that is loaded as if settings had always been so
simulate       both lists, memory, log space, conflicts, and what cannot be known

Counters stay as they were measured. What a change does to them is not guessed here: that is the promise of a rule.
"""
