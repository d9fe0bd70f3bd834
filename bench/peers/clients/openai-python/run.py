import asyncio
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import openai
from report import CALL, MODELS, WEATHER, check, feature, features, report_version, script

client = openai.OpenAI(max_retries=0)
messages = [{"role": "user", "content": "上海天气"}]
tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]

report_version("openai")
for model in MODELS:

    @feature(f"chat: an answer ({model})")
    def _():
        script(model, {"text": "晴"})
        answer = client.chat.completions.create(model=model, messages=messages)
        check(answer.choices[0].message.content == "晴" and answer.usage.total_tokens, answer)

    @feature(f"chat: a stream with tools ({model})")
    def _():
        script(model, {"text": "查一下", "tool_calls": [CALL]})
        with client.chat.completions.stream(model=model, messages=messages, tools=tools) as stream:
            for _event in stream:
                pass
            message = stream.get_final_completion().choices[0].message
        check("上海" in message.tool_calls[0].function.arguments, message)

    @feature(f"chat: a parsed object ({model})")
    def _():
        from pydantic import BaseModel

        class City(BaseModel):
            city: str

        script(model, {"text": '{"city":"上海"}'})
        answer = client.chat.completions.parse(model=model, messages=messages, response_format=City)
        check(answer.choices[0].message.parsed.city == "上海", answer)

    @feature(f"responses: a stream with reasoning ({model})")
    def _():
        script(model, {"reasoning": "想一想", "text": "晴"})
        with client.responses.stream(model=model, input="上海天气") as stream:
            for _event in stream:
                pass
            response = stream.get_final_response()
        check(response.output_text == "晴" and response.usage.total_tokens, response)


@features("errors: a prompt that is too long has its own class and is asked once")
def _(model):
    body = '{"error":{"message":"This model\'s maximum context length is 64000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}'
    script(model, {"status": 400, "body": body}, {"text": "asked again"})
    try:
        openai.OpenAI(max_retries=2).chat.completions.create(model=model, messages=messages)
    except openai.BadRequestError as error:
        check(error.code == "context_length_exceeded", error.body)
    else:
        check(False, "no error")


@features("errors: the platform's rate limit is a RateLimitError")
def _(model):
    script(model, {"status": 429, "headers": {"retry-after": "7"}})
    try:
        client.chat.completions.create(model=model, messages=messages)
    except openai.RateLimitError as error:
        check(error.response.headers.get("retry-after"), dict(error.response.headers))
    else:
        check(False, "no error")
    finally:
        script(model, {"text": "好"})


@features("asynchronous: ten calls at once")
def _(model):
    async def main():
        script(model, {"text": "好"})
        async with openai.AsyncOpenAI(max_retries=0) as asynchronous:
            calls = [asynchronous.chat.completions.create(model=model, messages=messages) for _ in range(10)]
            return [answer.choices[0].message.content for answer in await asyncio.gather(*calls)]

    check(asyncio.run(main()) == ["好"] * 10, "not all of them")


@features("completions (legacy)")
def _(model):
    script(model, {"text": "流水"})
    answer = client.completions.create(model=model, prompt="问渠那得清如许")
    check(answer.choices[0].text == "流水", answer)


@features("models: listed, and one by its name")
def _(model):
    check(model in [one.id for one in client.models.list()], "not in the list")
    check(client.models.retrieve(model).id == model, "another model")
