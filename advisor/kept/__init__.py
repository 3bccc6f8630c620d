"""Kept runs, so that a rank means the same change tomorrow: captures with all inputs of their list.

run     conversion of a capture into a kept run, and comparison with the printed list
store   the last runs of this user, by number
"""
