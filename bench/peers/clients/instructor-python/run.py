import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import instructor
from pydantic import BaseModel
from report import check, features, report_version, script


class City(BaseModel):
    city: str


report_version("instructor")
for mode, provider in {"tools": "openai", "JSON": "openai", "Anthropic's tools": "anthropic"}.items():

    @features(f"an object by {mode}")
    def _(model):
        text = '{"city":"上海"}'
        by_tool = {"tool_calls": [{"id": "call_1", "name": "City", "arguments": text}]}
        script(model, {"text": text} if mode == "JSON" else by_tool)
        options = {"mode": instructor.Mode.JSON} if mode == "JSON" else {}
        client = instructor.from_provider(f"{provider}/{model}", **options)
        city = client.create(response_model=City, messages=[{"role": "user", "content": "哪个城市"}], max_retries=1, max_tokens=99)
        check(city.city == "上海", city)
