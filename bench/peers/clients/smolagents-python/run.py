import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from report import MODEL, check, feature, report_version, script
from smolagents import OpenAIServerModel, ToolCallingAgent, tool


@tool
def weather(city: str) -> str:
    """The weather of a city.

    Args:
        city: its name
    """
    return "晴"


report_version("smolagents")


@feature("an agent calls a tool, then gives its answer by another")
def _():
    first = {"id": "call_1", "name": "weather", "arguments": '{"city":"上海"}'}
    last = {"id": "call_2", "name": "final_answer", "arguments": '{"answer":"上海晴"}'}
    script(MODEL, {"tool_calls": [first]}, {"tool_calls": [last]})
    model = OpenAIServerModel(MODEL, api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])
    check(ToolCallingAgent([weather], model, verbosity_level=0).run("上海天气") == "上海晴", "another answer")
