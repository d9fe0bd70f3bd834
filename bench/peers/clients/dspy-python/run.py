import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
import dspy
from report import MODEL, check, feature, report_version, script

report_version("dspy")


@feature("a prediction by its signature")
def _():
    script(MODEL, {"text": "[[ ## answer ## ]]\n晴\n\n[[ ## completed ## ]]"})
    dspy.configure(lm=dspy.LM(f"openai/{MODEL}", api_base=os.environ["OPENAI_BASE_URL"], cache=False, num_retries=0))
    check(dspy.Predict("question -> answer")(question="上海天气").answer == "晴", "another answer")
