import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from report import check, features, report_version, script
from smolagents import OpenAIServerModel, ToolCallingAgent, tool


@tool
def weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: its name
    """
    return "晴"


report_version("smolagents")


@features("an agent calls a tool, then gives its answer by another")
def _(model):
    first = {"id": "call_1", "name": "weather", "arguments": '{"city":"上海"}'}
    last = {"id": "call_2", "name": "final_answer", "arguments": '{"answer":"上海晴"}'}
    script(model, {"tool_calls": [first]}, {"tool_calls": [last]})
    server = OpenAIServerModel(model, api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])
    check(ToolCallingAgent([weather], server, verbosity_level=0).run("上海天气") == "上海晴", "another answer")
