"""The reference pages in docs/ that are made from the rules, their cases and the papers' practices.

``python -m tools.reference`` (``make docs``) writes them; a test holds the committed pages against it.
"""
