import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import cohere
from report import check, feature, report_version

base = os.environ["OPENAI_BASE_URL"].removesuffix("/v1")
report_version("cohere")


@feature("rerank (v2)")
def _():
    client = cohere.ClientV2(api_key=os.environ["OPENAI_API_KEY"], base_url=base)
    answer = client.rerank(model=os.environ["MODEL_RERANK"], query="水", documents=["石头", "流水"], top_n=1)
    check(len(answer.results) == 1 and answer.results[0].relevance_score is not None, answer)
