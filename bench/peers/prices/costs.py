"""What LiteLLM says calls cost: `map` prints its price map, `costs` reads cases from standard input and prints dollars.

A case is {"key", "provider", "type", "usages": [...]}. Started by bench/prices.ts; needs `pip install litellm`.
"""

import json
import os
import sys

# The map of the package, not today's from the network.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from litellm.cost_calculator import default_image_cost_calculator
from litellm.litellm_core_utils.llm_cost_calc.tool_call_cost_tracking import StandardBuiltInToolCostTracking
from litellm.llms.anthropic.cost_calculation import get_cost_for_anthropic_web_search
from litellm.llms.gemini.cost_calculator import cost_per_web_search_request
from litellm.types.utils import (
    CacheCreationTokenDetails,
    CompletionTokensDetailsWrapper,
    PromptTokensDetailsWrapper,
    ServerToolUse,
    Usage,
)


def to_usage(usage):
    write, hour = usage.get("cache_write", 0), usage.get("cache_write_1h", 0)
    details = PromptTokensDetailsWrapper(
        cached_tokens=usage.get("cached", 0),
        audio_tokens=usage.get("audio_input", 0),
        image_tokens=usage.get("image_input", 0),
        cache_creation_tokens=write,
        cache_creation_token_details=CacheCreationTokenDetails(
            ephemeral_5m_input_tokens=write - hour, ephemeral_1h_input_tokens=hour
        )
        if hour
        else None,
    )
    output = CompletionTokensDetailsWrapper(
        reasoning_tokens=usage.get("reasoning", 0),
        audio_tokens=usage.get("audio_output", 0),
        image_tokens=usage.get("image_output", 0),
    )
    return Usage(
        prompt_tokens=usage["input"],
        completion_tokens=usage["output"],
        total_tokens=usage["input"] + usage["output"],
        prompt_tokens_details=details,
        completion_tokens_details=output,
        server_tool_use=ServerToolUse(web_search_requests=usage.get("searches", 0)),
    )


def search_cost(case, usage, searches):
    """Of searches that the platform made; of several sizes the largest."""
    info = litellm.get_model_info(model=case["key"], custom_llm_provider=case["provider"])
    if not searches:
        return 0.0
    if case["provider"] == "anthropic":
        return get_cost_for_anthropic_web_search(info, usage)
    if case["provider"] == "gemini":
        return cost_per_web_search_request(usage, info)
    size = {"search_context_size": "high"}
    return searches * StandardBuiltInToolCostTracking.get_cost_for_web_search(size, info)


def cost(case, usage):
    model, provider, kind = case["key"], case["provider"], case["type"]
    if kind == "tts":
        call = {"call_type": "speech", "prompt_characters": usage["units"]}
    elif kind == "asr":
        call = {"call_type": "transcription", "audio_transcription_file_duration": usage["units"] / 1000}
    elif kind == "rerank":
        units = {"search_units": 1, "total_tokens": usage["input"]}
        call = {"call_type": "rerank", "rerank_billed_units": units}
    elif kind == "image" and "picture" in usage:
        quality, size = usage["picture"].get("quality"), usage["picture"].get("size")
        return default_image_cost_calculator(model, provider, quality, usage["times"], size or "1024x1024")
    else:
        # Pictures that are paid by tokens too; without a call_type that would look for the pictures themselves.
        call = {"usage_object": to_usage(usage), "call_type": "embedding" if kind == "embedding" else "completion"}
    prompt, completion = litellm.cost_per_token(model=model, custom_llm_provider=provider, **call)
    searches = usage.get("searches", 0)
    return prompt + completion + (search_cost(case, call["usage_object"], searches) if searches else 0.0)


def answer(case):
    try:
        return [cost(case, usage) for usage in case["usages"]]
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"[:200]}


# The price does not depend on when this runs: the full one counts, as MODELS_FILE has it.
for entry in litellm.model_cost.values():
    entry.pop("off_peak_pricing", None)

if sys.argv[1] == "map":
    json.dump(litellm.model_cost, sys.stdout)
else:
    json.dump([answer(case) for case in json.load(sys.stdin)], sys.stdout)
