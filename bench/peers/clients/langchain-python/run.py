import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from pydantic import BaseModel
from report import CALL, MODEL, check, feature, report_version, script


@tool
def weather(city: str) -> str:
    """The weather of a city."""
    return "晴"


class City(BaseModel):
    """A city."""

    city: str


report_version("langchain-openai")
chats = {
    "ChatOpenAI": ChatOpenAI(model=MODEL, max_retries=0),
    "ChatOpenAI by Responses": ChatOpenAI(model=MODEL, max_retries=0, use_responses_api=True),
    "ChatAnthropic": ChatAnthropic(model=MODEL, max_retries=0),
}
for name, chat in chats.items():

    @feature(f"{name}: an answer")
    def _():
        script(MODEL, {"text": "晴"})
        answer = chat.invoke("上海天气")
        check(answer.text == "晴" and answer.usage_metadata["total_tokens"], answer)

    @feature(f"{name}: a stream with tools")
    def _():
        script(MODEL, {"tool_calls": [CALL]})
        whole = None
        for chunk in chat.bind_tools([weather]).stream("上海天气"):
            whole = chunk if whole is None else whole + chunk
        check(whole.tool_calls[0]["args"] == {"city": "上海"}, whole)

    @feature(f"{name}: structured output")
    def _():
        call = {"id": "call_1", "name": "City", "arguments": '{"city":"上海"}'}
        script(MODEL, {"tool_calls": [call]})
        answer = chat.with_structured_output(City, method="function_calling").invoke("哪个城市")
        check(answer.city == "上海", answer)
