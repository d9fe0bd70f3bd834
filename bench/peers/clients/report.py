"""What the clients in Python share: how they say what happened, and how they tell the upstream what to answer."""

import json
import os
import re
import urllib.request
from importlib.metadata import version

# One of each family.
MODELS = os.environ["MODELS"].split(",")
CALL = {"id": "call_1", "name": "weather", "arguments": '{"city":"上海"}'}
WEATHER = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}


def report_version(package):
    print(json.dumps({"version": version(package)}), flush=True)


def script(model, *scripts):
    """How a model answers from now on: one script a call, the last one again and again."""
    body = json.dumps({"model": model, "scripts": scripts}).encode()
    urllib.request.urlopen(urllib.request.Request(os.environ["SCRIPT_URL"], data=body, method="POST")).read()


def take_refusals():
    """What the platforms refused since this was asked last, in their words."""
    with urllib.request.urlopen(os.environ["SCRIPT_URL"] + "/refusals") as answer:
        return [
            f"refused ({one['rule']}, {one['status']}): {json.dumps(one['body'], ensure_ascii=False)}"
            for one in json.load(answer)
        ]


def check(condition, otherwise):
    if not condition:
        raise AssertionError(str(otherwise))


def describe(error):
    """What went wrong; where it is the gateway's own word about a model, what that does not offer."""
    what = re.search(r"这个模型不支持请求里的内容（([^），]*(?:（[^）]*）)?)", str(error))
    return f"not offered: {what[1]}" if what else f"{type(error).__name__}: {error}"


def feature(name):
    """Tries the decorated function at once; a refusal of a platform, or what it raises, is what went wrong."""

    def attempt(function):
        try:
            function()
            result = "ok"
        except Exception as error:  # noqa: BLE001
            result = describe(error)
        result = (take_refusals() or [result])[0][:400]
        print(json.dumps({"feature": name, "result": result}, ensure_ascii=False), flush=True)

    return attempt


def features(name):
    """Tries the decorated function on a model of each family, by its name."""

    def attempt(function):
        for model in MODELS:
            feature(f"{name} ({model})")(lambda: function(model))

    return attempt
