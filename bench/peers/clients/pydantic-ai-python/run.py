import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from pydantic import BaseModel
from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from report import CALL, check, features, report_version, script


class City(BaseModel):
    city: str


report_version("pydantic-ai-slim")
for kind in (OpenAIChatModel, OpenAIResponsesModel, AnthropicModel):

    @features(f"{kind.__name__}: an agent calls a tool and answers")
    def _(model):
        script(model, {"tool_calls": [CALL]}, {"text": "上海晴"})
        agent = Agent(kind(model))
        asked = []

        @agent.tool_plain
        def weather(city: str) -> str:
            asked.append(city)
            return "晴"

        check(agent.run_sync("上海天气").output == "上海晴" and asked == ["上海"], asked)

    @features(f"{kind.__name__}: an object as output")
    def _(model):
        script(model, {"tool_calls": [{"id": "call_1", "name": "final_result", "arguments": '{"city":"上海"}'}]})
        check(Agent(kind(model), output_type=City).run_sync("哪个城市").output.city == "上海", "another one")
