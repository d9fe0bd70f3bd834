import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import litellm
from report import CALL, MODEL, WEATHER, check, feature, report_version, script

messages = [{"role": "user", "content": "上海天气"}]
openai = {"model": f"openai/{MODEL}", "api_base": os.environ["OPENAI_BASE_URL"], "num_retries": 0}
anthropic = {"model": f"anthropic/{MODEL}", "api_base": os.environ["ANTHROPIC_BASE_URL"], "num_retries": 0}
tools = [{"type": "function", "function": {"name": "weather", "parameters": WEATHER}}]

report_version("litellm")
for name, target in {"openai": openai, "anthropic": anthropic}.items():

    @feature(f"an answer by its {name} provider")
    def _():
        script(MODEL, {"text": "晴"})
        answer = litellm.completion(**target, messages=messages)
        check(answer.choices[0].message.content == "晴", answer)

    @feature(f"a stream with tools by its {name} provider")
    def _():
        script(MODEL, {"tool_calls": [CALL]})
        chunks = list(litellm.completion(**target, messages=messages, tools=tools, stream=True))
        answer = litellm.stream_chunk_builder(chunks, messages=messages)
        check("上海" in answer.choices[0].message.tool_calls[0].function.arguments, answer)


@feature("a prompt that is too long has its own class")
def _():
    body = '{"error":{"message":"This model\'s maximum context length is 64000 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}'
    script(MODEL, {"status": 400, "body": body})
    try:
        litellm.completion(**openai, messages=messages)
    except litellm.ContextWindowExceededError:
        pass
    else:
        check(False, "no error")
    finally:
        script(MODEL, {"text": "好"})


@feature("responses")
def _():
    script(MODEL, {"text": "晴"})
    response = litellm.responses(model=f"openai/{MODEL}", input="上海天气", api_base=os.environ["OPENAI_BASE_URL"])
    check("晴" in str(response.output), response)
