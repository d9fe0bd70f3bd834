import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from report import CALL, check, features, report_version, script


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "晴"


class City(BaseModel):
    """A city."""

    city: str


report_version("langchain-openai")
chats = {
    "ChatOpenAI": lambda model: ChatOpenAI(model=model, max_retries=0),
    "ChatOpenAI by Responses": lambda model: ChatOpenAI(model=model, max_retries=0, use_responses_api=True),
    "ChatAnthropic": lambda model: ChatAnthropic(model=model, max_retries=0),
}
for name, create in chats.items():

    @features(f"{name}: an answer")
    def _(model):
        script(model, {"text": "晴"})
        answer = create(model).invoke("上海天气")
        check(answer.text == "晴" and answer.usage_metadata["total_tokens"], answer)

    @features(f"{name}: a stream with tools")
    def _(model):
        script(model, {"tool_calls": [CALL]})
        whole = None
        for chunk in create(model).bind_tools([weather]).stream("上海天气"):
            whole = chunk if whole is None else whole + chunk
        check(whole.tool_calls[0]["args"] == {"city": "上海"}, whole)

    @features(f"{name}: structured output")
    def _(model):
        call = {"id": "call_1", "name": "City", "arguments": '{"city":"上海"}'}
        script(model, {"tool_calls": [call]})
        answer = create(model).with_structured_output(City, method="function_calling").invoke("哪个城市")
        check(answer.city == "上海", answer)
