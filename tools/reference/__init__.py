"""Reference pages in docs/, generated from the rules, their cases and the papers' practices.

``python -m tools.reference`` (``make docs``) writes them; a test holds the committed pages against it.
"""
