import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.llms.openai_like import OpenAILike
from report import CALL, check, features, report_version, script

base = {"api_base": os.environ["OPENAI_BASE_URL"], "api_key": os.environ["OPENAI_API_KEY"], "max_retries": 0}

report_version("llama-index-llms-openai-like")


@features("by its default, the legacy completions")
def _(model):
    script(model, {"text": "晴"})
    check(str(OpenAILike(**base, model=model).complete("上海天气")) == "晴", "another text")


@features("legacy completions in a stream")
def _(model):
    script(model, {"text": "源头活水来，问渠那得清如许"})
    pieces = list(OpenAILike(**base, model=model).stream_complete("上海天气"))
    check(pieces[-1].text == "源头活水来，问渠那得清如许" and len(pieces) > 1, pieces)


@features("chat")
def _(model):
    script(model, {"text": "晴"})
    answer = OpenAILike(**base, model=model, is_chat_model=True).chat([ChatMessage(role="user", content="上海天气")])
    check(answer.message.content == "晴", answer)


@features("chat with tools")
def _(model):
    script(model, {"tool_calls": [CALL]})
    weather = FunctionTool.from_defaults(fn=lambda city: "晴", name="weather", description="The weather.")
    chat = OpenAILike(**base, model=model, is_chat_model=True, is_function_calling_model=True)
    answer = chat.chat_with_tools([weather], user_msg="上海天气")
    check(chat.get_tool_calls_from_response(answer)[0].tool_kwargs == {"city": "上海"}, answer)
