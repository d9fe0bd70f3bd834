import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import anthropic
from report import CALL, MODELS, WEATHER, check, feature, features, report_version, script

client = anthropic.Anthropic(max_retries=0)
messages = [{"role": "user", "content": "上海天气"}]

report_version("anthropic")
for model in MODELS:

    @feature(f"an answer ({model})")
    def _():
        script(model, {"text": "晴"})
        message = client.messages.create(model=model, max_tokens=100, messages=messages)
        check(message.content[0].text == "晴" and message.usage.output_tokens, message)

    @feature(f"a stream with tools ({model})")
    def _():
        script(model, {"text": "查一下", "tool_calls": [CALL]})
        tools = [{"name": "weather", "input_schema": WEATHER}]
        with client.messages.stream(model=model, max_tokens=100, messages=messages, tools=tools) as stream:
            message = stream.get_final_message()
        check(message.stop_reason == "tool_use" and message.content[-1].input["city"] == "上海", message)

    @feature(f"a tool's result, then the end ({model})")
    def _():
        script(model, {"text": "上海晴"})
        turns = [
            *messages,
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "weather", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "晴"}]},
        ]
        tools = [{"name": "weather", "input_schema": WEATHER}]
        message = client.messages.create(model=model, max_tokens=100, messages=turns, tools=tools)
        check(message.content[0].text == "上海晴", message)


@features("errors: what is wrong with the request is a BadRequestError, asked once")
def _(model):
    body = '{"error":{"message":"Invalid value for temperature","type":"invalid_request_error","param":"temperature"}}'
    script(model, {"status": 400, "body": body}, {"text": "asked again"})
    try:
        anthropic.Anthropic(max_retries=2).messages.create(model=model, max_tokens=9, messages=messages)
    except anthropic.BadRequestError as error:
        check("temperature" in error.message, error.message)
    else:
        check(False, "no error")
    finally:
        script(model, {"text": "好"})


@feature("models are listed with their names")
def _():
    models = list(client.models.list(limit=2))
    check(models and models[0].display_name and models[0].created_at, models)


@features("tokens are counted")
def _(model):
    check(client.messages.count_tokens(model=model, messages=messages).input_tokens > 0, "none")
