"""The MCP server, through the client of its SDK."""
