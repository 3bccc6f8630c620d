"""One slow statement: what is slow, why, and what helps; from its text, its plan and what was pasted with it."""
