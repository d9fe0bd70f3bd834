import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import litellm
from report import CALL, WEATHER, check, features, report_version, script

messages = [{"role": "user", "content": "上海天气"}]


def create_target(provider, model):
    base = os.environ[f"{provider.upper()}_BASE_URL"]
    return {"model": f"{provider}/{model}", "api_base": base, "num_retries": 0}


tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]

report_version("litellm")
for name in ("openai", "anthropic"):

    @features(f"an answer by its {name} provider")
    def _(model):
        script(model, {"text": "晴"})
        answer = litellm.completion(**create_target(name, model), messages=messages)
        check(answer.choices[0].message.content == "晴", answer)

    @features(f"a stream with tools by its {name} provider")
    def _(model):
        script(model, {"tool_calls": [CALL]})
        chunks = list(litellm.completion(**create_target(name, model), messages=messages, tools=tools, stream=True))
        answer = litellm.stream_chunk_builder(chunks, messages=messages)
        check("上海" in answer.choices[0].message.tool_calls[0].function.arguments, answer)


@features("a prompt that is too long has its own class")
def _(model):
    body = '{"error":{"message":"This model\'s maximum context length is 64000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}'
    script(model, {"status": 400, "body": body})
    try:
        litellm.completion(**create_target("openai", model), messages=messages)
    except litellm.ContextWindowExceededError:
        pass
    else:
        check(False, "no error")
    finally:
        script(model, {"text": "好"})


@features("responses")
def _(model):
    script(model, {"text": "晴"})
    response = litellm.responses(model=f"openai/{model}", input="上海天气", api_base=os.environ["OPENAI_BASE_URL"])
    check("晴" in str(response.output), response)
