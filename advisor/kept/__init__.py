"""Runs that are kept, so that a rank means the same list tomorrow: a capture with all that its list was made of.

run     what makes a capture a kept run, and whether judging it again gives the list that was shown
store   the last runs of this user, by their numbers
"""
