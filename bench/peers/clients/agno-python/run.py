import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ["AGNO_TELEMETRY"] = "false"
from agno.agent import Agent
from agno.models.anthropic import Claude
from agno.models.openai import OpenAIChat, OpenAIResponses
from report import CALL, check, features, report_version, script


def weather(city: str) -> str:
    """The weather of a city."""
    return "晴"


report_version("agno")
for kind in (OpenAIChat, OpenAIResponses, Claude):

    @features(f"{kind.__name__}: an agent calls a tool and answers")
    def _(model):
        script(model, {"tool_calls": [CALL]}, {"text": "上海晴"})
        agent = Agent(model=kind(id=model), tools=[weather], telemetry=False)
        answer = agent.run("上海天气")
        check(answer.content == "上海晴", answer.content)
