import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from openai import AsyncOpenAI
from report import check, features, report_version, script
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion
from semantic_kernel.functions import kernel_function


class Weather:
    @kernel_function(description="The weather of a city.")
    def weather(self, city: str) -> str:
        return "晴"


report_version("semantic-kernel")


def create_agent(model):
    service = OpenAIChatCompletion(ai_model_id=model, async_client=AsyncOpenAI())
    return ChatCompletionAgent(service=service, name="weather", plugins=[Weather()])


@features("an agent calls a tool and answers")
def _(model):
    call = {"id": "call_1", "name": "Weather-weather", "arguments": '{"city":"上海"}'}
    script(model, {"tool_calls": [call]}, {"text": "上海晴"})
    answer = asyncio.run(create_agent(model).get_response(messages="上海天气"))
    check(str(answer) == "上海晴", answer)


@features("an answer in a stream")
def _(model):
    script(model, {"text": "问渠那得清如许", "chars": 2})

    async def read():
        return "".join([str(piece.message) async for piece in create_agent(model).invoke_stream(messages="诗")])

    text = asyncio.run(read())
    check(text == "问渠那得清如许", text)
