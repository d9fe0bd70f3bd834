import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from agents import Agent, Runner, function_tool, set_default_openai_api, set_tracing_disabled
from pydantic import BaseModel
from report import CALL, check, features, report_version, script


@function_tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "晴"


class City(BaseModel):
    city: str


report_version("openai-agents")
set_tracing_disabled(True)
for api in ("responses", "chat_completions"):
    set_default_openai_api(api)

    @features(f"{api}: an agent calls a tool and answers")
    def _(model):
        script(model, {"tool_calls": [CALL]}, {"text": "上海晴"})
        agent = Agent(name="weather", instructions="简短", model=model, tools=[weather])
        check(Runner.run_sync(agent, "上海天气").final_output == "上海晴", "another one")

    @features(f"{api}: an object as output")
    def _(model):
        script(model, {"text": '{"city":"上海"}'})
        agent = Agent(name="city", model=model, output_type=City)
        check(Runner.run_sync(agent, "哪个城市").final_output.city == "上海", "another one")
