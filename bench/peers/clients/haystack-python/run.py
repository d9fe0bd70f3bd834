import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"
from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import tool
from report import CALL, check, features, report_version, script


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "晴"


report_version("haystack-ai")
asked = [ChatMessage.from_user("上海天气")]
for kind in (OpenAIChatGenerator, OpenAIResponsesChatGenerator):

    def create(model):
        return kind(model=model, api_base_url=os.environ["OPENAI_BASE_URL"])

    @features(f"{kind.__name__}: an answer")
    def _(model):
        script(model, {"text": "晴"})
        check(create(model).run(messages=asked)["replies"][0].text == "晴", "another one")

    @features(f"{kind.__name__}: a stream")
    def _(model):
        script(model, {"text": "问渠那得清如许", "chars": 2})
        pieces = []
        create(model).run(messages=asked, streaming_callback=lambda chunk: pieces.append(chunk.content))
        check("".join(pieces) == "问渠那得清如许", pieces)

    @features(f"{kind.__name__}: an agent calls a tool and answers")
    def _(model):
        script(model, {"tool_calls": [CALL]}, {"text": "上海晴"})
        agent = Agent(chat_generator=create(model), tools=[weather])
        check(agent.run(messages=asked)["messages"][-1].text == "上海晴", "another one")
