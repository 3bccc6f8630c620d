"""The MCP server: read-only tools over standard input and output, which run the commands of the command line.

tools     the tools and their arguments, from tools.yml
calls     conversion of a call into a command, and checks of its arguments
answers   the answer of a command as structured data
databases the configured databases that tools may read
server    the server itself; it needs the package mcp
"""
