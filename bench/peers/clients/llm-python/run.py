import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
from report import MODELS, check, features, report_version, script

folder = Path(tempfile.mkdtemp())
(folder / "extra-openai-models.yaml").write_text(
    "".join(
        f"- model_id: {model}\n  model_name: {model}\n  api_base: {os.environ['OPENAI_BASE_URL']}\n  api_key_name: wenqu\n"
        for model in MODELS
    )
)
environment = {**os.environ, "LLM_USER_PATH": str(folder)}
report_version("llm")


@features("an answer in a stream")
def _(model):
    script(model, {"text": "问渠那得清如许，为有源头活水来"})
    program = Path(sys.executable).with_name("llm")
    run = subprocess.run([program, "-m", model, "--key", os.environ["OPENAI_API_KEY"], "续诗"], env=environment, capture_output=True, text=True)
    check(run.stdout.strip() == "问渠那得清如许，为有源头活水来", run.stdout + run.stderr)
