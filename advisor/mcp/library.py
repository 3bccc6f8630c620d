"""The prompts and the resources of the server, from tools.yml."""

from collections.abc import Iterator

from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    GetPromptRequestParams,
    GetPromptResult,
    Prompt,
    PromptArgument,
    PromptMessage,
    Resource,
    ResourceTemplate,
    TextContent,
)

from advisor.mcp.calls import Call
from advisor.mcp.tools import read_file

_ARGUMENT, _VARIABLE, _TEXT = "source", "{name}", "text/plain"


def refuse(message: str) -> MCPError:
    return MCPError(INVALID_PARAMS, message)


def list_prompts() -> list[Prompt]:
    source = PromptArgument(name=_ARGUMENT, description="The database, capture, run or captures.", required=True)
    return [Prompt(name=name, title=said["title"], arguments=[source]) for name, said in read_file()["prompts"].items()]


def fill_prompt(asked: GetPromptRequestParams) -> GetPromptResult:
    """Return the text of a prompt. Raise MCPError if it does not exist."""
    if not (said := read_file()["prompts"].get(asked.name)):
        raise refuse(f"no such prompt; there are {', '.join(read_file()['prompts'])}")
    text = said["text"].replace(f"{{{_ARGUMENT}}}", (asked.arguments or {}).get(_ARGUMENT, "the database"))
    return GetPromptResult(messages=[PromptMessage(role="user", content=TextContent(type="text", text=text))])


def list_resources() -> Iterator[Resource]:
    for said in read_file()["resources"]:
        if _VARIABLE not in said["uri"]:
            yield Resource(name=said["title"], uri=said["uri"], mime_type=_TEXT)


def list_templates() -> Iterator[ResourceTemplate]:
    for said in read_file()["resources"]:
        if _VARIABLE in said["uri"]:
            yield ResourceTemplate(name=said["title"], uri_template=said["uri"], mime_type=_TEXT)


def find_resource(uri: str) -> Call:
    """Return the command that prints a resource. Raise MCPError if it does not exist."""
    for said in read_file()["resources"]:
        start, variable, _ = said["uri"].partition(_VARIABLE)
        if uri == said["uri"] or (variable and uri.startswith(start)):
            return Call([*said["command"], "--", *([uri.removeprefix(start)] if variable else [])])
    raise refuse(f"no such resource; there are {', '.join(said['uri'] for said in read_file()['resources'])}")
