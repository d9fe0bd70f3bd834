"""What the clients in Python share: how they say what happened, and how they tell the upstream what to answer."""

import json
import os
import urllib.request
from importlib.metadata import version

MODELS = [os.environ[name] for name in ("MODEL", "MODEL_ANTHROPIC", "MODEL_GEMINI")]
MODEL = MODELS[0]
CALL = {"id": "call_1", "name": "weather", "arguments": '{"city":"上海"}'}
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def report_version(package):
    print(json.dumps({"version": version(package)}), flush=True)


def script(model, *scripts):
    """How a model answers from now on: one script a call, the last one again and again."""
    body = json.dumps({"model": model, "scripts": scripts}).encode()
    urllib.request.urlopen(urllib.request.Request(os.environ["SCRIPT_URL"], data=body, method="POST")).read()


def check(condition, otherwise):
    if not condition:
        raise AssertionError(str(otherwise))


def feature(name):
    """Tries the decorated function at once; what it raises is what went wrong."""

    def attempt(function):
        try:
            function()
            result = "ok"
        except Exception as error:  # noqa: BLE001
            result = f"{type(error).__name__}: {error}"[:300]
        print(json.dumps({"feature": name, "result": result}, ensure_ascii=False), flush=True)

    return attempt
