"""Change tickets: chosen ranks of the advice as the text that a change process asks for, in several formats."""
