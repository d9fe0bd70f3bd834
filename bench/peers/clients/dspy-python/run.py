import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import dspy
from report import check, features, report_version, script

report_version("dspy")


@features("a prediction by its signature")
def _(model):
    script(model, {"text": "[[ ## answer ## ]]\n晴\n\n[[ ## completed ## ]]"})
    lm = dspy.LM(f"openai/{model}", api_base=os.environ["OPENAI_BASE_URL"], cache=False, num_retries=0)
    dspy.configure(lm=lm)
    check(dspy.Predict("question -> answer")(question="上海天气").answer == "晴", "another answer")
