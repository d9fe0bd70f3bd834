"""Blocks, agents, translation and tasks (sections 3, 4, 5 and 7)."""

import datetime
import hashlib
import json

from chat import BROKEN, DEFAULT_MODEL, QWEN, create, stream
from wire import find_entity, put_object, read

PAGE = ("total", "items", "prev_url", "next_url", "cur_page", "from", "to")
# Section 4: blocks and tasks are in progress at 0 and 1, and done at 2; an agent is asked about while it is 1.
TASK = {"running": (0, 1), "done": (2,)}
AGENT_STATUS = {"running": (1,), "done": (0, 2)}
TRANSIENT = "uploading upload_percent embedding system_filling sample_filling submitting".split()


def upload(walk, name, media_type, content, channel, note=""):
    """Uploads a file as section 3 describes its path, and saves its record. Returns the block."""
    credential = walk.call("GET /cos/credential", note)
    credential.expect("secret_id", "secret_key", "token", "expire_time")
    md5 = hashlib.md5(content).hexdigest()
    kind = "image" if media_type.startswith("image/") else "file"
    day = (credential.get("day") or datetime.date.today().isoformat()).replace("-", "/")
    path = f"{kind}/{day}/{md5}.{name.rsplit('.')[-1]}"
    url = put_object(walk, credential.body, path, content) if credential.ok else ""
    record = {"md5": md5, "name": name, "type": media_type, "size": len(content), "url": url, "channel": channel}
    answer = walk.call("POST /block", note or name, json=record)
    answer.expect_in(answer.get("data"), "id")
    return answer.get("data") or {}


def wait_for_block(walk, block_id, note=""):
    answer = walk.poll("GET /block/{id}", "data.status", note, **TASK, params={"id": block_id})
    answer.expect("data.id")
    return answer


def walk_blocks(walk, site):
    content = "# 方塘\n\n半亩方塘一鉴开，天光云影共徘徊。\n\n问渠那得清如许？为有源头活水来。\n".encode()
    block = upload(walk, "方塘.md", "text/markdown", content, "dati")
    wait_for_block(walk, block.get("id"))
    md5 = hashlib.md5(content).hexdigest()
    answer = walk.call("GET /block/md5/{md5}", params={"md5": md5}, query={"channel": "dati"})
    answer.check(answer.get("data.id") == block.get("id"), f"not the block that was saved: {answer.text[:200]}")
    for lang in ("", "zh", "en"):
        detail = walk.call("GET /block/{id}/detail", f"lang “{lang}”", params={"id": block.get("id")}, query={"lang": lang})
        detail.expect("data.id")
    link = walk.call("GET /block/link/extract", query={"url": site, "channel": "dati"})
    link.expect("data.id")
    wait_for_block(walk, link.get("data.id"), "of a link")
    chat_id = create(walk, "channel block", chatbot="block", prompt="这篇文章说了什么？", block=block.get("id") or "")
    stream(walk, chat_id, "channel block", chatbot="block")
    walk.call("POST /block/tts", json={"text": "问渠那得清如许"}).expect("data")


AGENT = "uuid name logo model desc settings.chat.welcome_prompt".split()


def agent_form(**fields):
    """The whole form data of section 3, with its defaults and its transient flags."""
    form = {"uuid": "", "name": "方塘先生", "logo": "", "desc": "讲解古诗的智能体", "status": 0}
    form |= {"model": DEFAULT_MODEL, "chat_level": 2, "interneted": False, "refer_source": False}
    form |= {"related_prompts": False, "stream": True, "visible": 0, "public": False, "category_id": 0}
    form |= {"embeds": [], "store_mode": "kb"}
    prompts = ["你能做什么？", "你可以怎样帮助我？"]
    form["settings"] = {"chat": {"system_prompt": "", "welcome_prompt": "", "suggest_prompts": prompts}}
    return form | dict.fromkeys(TRANSIENT, False) | {"upload_percent": 0} | fields


def walk_agents(walk):
    described = {"name": "方塘先生", "desc": "讲解古诗的智能体", "model": DEFAULT_MODEL}
    walk.call("POST /agent/system_prompt", json=described).expect("message")
    sample = walk.call("POST /agent/sample_prompts", json=described)
    try:
        message = json.loads(sample.get("message") or "")
    except (TypeError, ValueError):
        message = None
    sample.expect_in(message, "welcome_message", "suggest_messages")
    walk.call("POST /agent/sample_prompts", "desc and model empty", json=described | {"desc": "", "model": ""})

    created = walk.call("POST /agent", json=agent_form())
    created.expect("uuid")
    uuid = created.get("uuid")
    agent = {"id": uuid}
    answer = walk.call("GET /agent/{id}", params=agent)
    answer.expect_in(find_entity(answer.body, "uuid"), *AGENT)
    same = set(agent_form()) - {"uuid", "settings", *TRANSIENT}
    inside = [f"settings.chat.{name}" for name in agent_form()["settings"]["chat"]]
    answer.expect_equal(find_entity(answer.body, "uuid"), agent_form(), *same, *inside)
    # Section 4: "public on means visible 2, off means 0, set at submit".
    block = upload(walk, "古诗.md", "text/markdown", "# 古诗\n\n问渠那得清如许？\n".encode(), "zhiku", "channel zhiku")
    changed = {"visible": 2, "public": True, "interneted": True, "refer_source": True, "related_prompts": True}
    changed |= {"uuid": uuid, "category_id": 1, "embeds": [block.get("id")]}
    walk.call("PUT /agent/{id}", params=agent, json=agent_form(**changed))
    walk.poll("GET /agent/{id}/status", "status", **AGENT_STATUS, params=agent)
    got = walk.call("GET /agent/{id}", "after it was changed", params=agent)
    form = find_entity(got.body, "uuid")
    got.expect_in(form, *(name for name in agent_form() if name not in TRANSIENT))
    got.expect_equal(form, agent_form(**changed), *(same - {"status", "embeds"}), *inside)
    walk.call("PUT /agent/{id}", "what GET gave", params=agent, json=form)
    again = walk.call("GET /agent/{id}", "after it was put back", params=agent)
    again.expect_equal(find_entity(again.body, "uuid"), form, *same, *inside)
    walk_agent_settings(walk, agent)
    walk.call("PATCH /agent/{id}/embeddings/cancel", params=agent)
    # Section 9: "link visibility defaults to public"; section 3: public is 2.
    for visible in (2, "", "public"):
        walk.call("POST /agent/{id}/link", f"visible “{visible}”", params=agent, json={"visible": visible})

    chatbot = f"zhiku-{uuid}"
    chat_id = create(walk, "an agent", chatbot=chatbot, prompt="水从哪里来？", model="")
    stream(walk, chat_id, "an agent", "", chatbot)
    walk.call("POST /chat/session/fork", "of an agent", form={"chatbot": chatbot})

    query = {"tab": "default", "q": "", "offset": 0, "size": 30}
    mine = walk.call("GET /agents", query=query)
    mine.expect_each(*AGENT)
    for note, more in (
        ("tab popular", {"tab": "popular"}),
        ("q", {"q": "方塘"}),
        ("an empty page", {"offset": 30}),
        ("all empty", {"tab": "", "offset": "", "size": ""}),
    ):
        answer = walk.call("GET /agents", note, query=query | more)
        answer.check(note == "an empty page" or answer.list(), "an empty list")
    walk.call("GET /agents/popular")
    history = walk.call("GET /agents/history")
    history.check(uuid in [one.get("uuid") for one in history.list()], f"the agent is not there: {history.text[:200]}")
    walk.call("GET /{agent}/categories", params={"agent": "agent"})
    walk.call("DELETE /agent/{id}", params=agent)


def walk_agent_settings(walk, agent):
    """Section 5: suggested prompts are a text split by newline, of which an empty one is an empty list."""
    for note, sent, kept in (
        ("prompts as a text", "水从哪里来？\n塘有多大？", ["水从哪里来？", "塘有多大？"]),
        ("prompts as an empty text", "", []),
        ("prompts as an empty list", [], []),
    ):
        settings = {"chat": {"system_prompt": "", "welcome_prompt": "", "suggest_prompts": sent}}
        walk.call("PUT /agent/{id}", note, params=agent, json=agent_form(settings=settings))
        answer = walk.call("GET /agent/{id}", f"after {note}", params=agent)
        shown = read(find_entity(answer.body, "uuid"), "settings.chat.suggest_prompts")
        answer.check(shown == kept, f"suggest_prompts is {shown}, not {kept}")
    # Section 3 writes the names so, and says nothing of how a form is to have what lies inside something else.
    form = {name: value for name, value in agent_form().items() if name not in ("settings", "embeds")}
    form |= {"settings.chat.system_prompt": "只说古诗", "settings.chat.welcome_prompt": "你好"}
    walk.call("PUT /agent/{id}", "a form, names with dots", params=agent, form=form)
    answer = walk.call("GET /agent/{id}", "after a form, names with dots", params=agent)
    shown = read(find_entity(answer.body, "uuid"), "settings.chat.system_prompt")
    answer.check(shown == "只说古诗", f"system_prompt is “{shown}”, not 只说古诗")


def walk_translations(walk):
    prompt = "半亩方塘一鉴开，天光云影共徘徊。问渠那得清如许？为有源头活水来。"
    for note, model, target in (
        ("text", DEFAULT_MODEL, "en"),
        ("qwen: each chunk replaces the text", QWEN, "en"),
        ("target_lang empty", DEFAULT_MODEL, ""),
    ):
        form = {"prompt": prompt, "block": "", "model": model, "target_lang": target, "biz_type": "text"}
        answer = walk.call("POST /translate", note, form=form)
        answer.expect("message", "chat_id")
        query = {"chatbot": "fanyi", "chat_id": answer.get("chat_id") or "", "model": model, "target_lang": target}
        text = walk.stream(query, model.startswith("qwen"), f"fanyi, {note}")
        # The model of the doubles says what it is asked.
        if text is not None and prompt[-8:] not in text:
            walk.differ(f"the end of the text is not shown: {text}")
    form = {"prompt": prompt, "block": "", "model": DEFAULT_MODEL, "biz_type": ""}
    walk.call("POST /translate", "without target_lang", form=form).expect("message", "chat_id")

    content = "# The pond\n\nWhere does the water come from?\n\nFrom a living source.\n".encode()
    block = upload(walk, "pond.md", "text/markdown", content, "fanyi", "channel fanyi")
    wait_for_block(walk, block.get("id"), "channel fanyi")
    form = {"prompt": "", "block": block.get("id") or "", "model": DEFAULT_MODEL, "target_lang": "zh"}
    answer = walk.call("POST /translate", "a file", form=form | {"biz_type": "file"})
    answer.expect("message", "chat_id")
    query = {"chatbot": "fanyi", "chat_id": answer.get("chat_id") or "", "model": DEFAULT_MODEL, "target_lang": "zh"}
    text = walk.stream(query, False, "fanyi, a file")
    if text is not None and "living source" not in text:
        walk.differ(f"the end of the file is not shown: {text}")


def walk_tasks(walk):
    # A model whose platform is out of order: what somebody retries has failed.
    content = "Nobody translates this.\n".encode()
    block = upload(walk, "lost.txt", "text/plain", content, "fanyi", "to be retried")
    wait_for_block(walk, block.get("id"), "to be retried")
    form = {"prompt": "", "block": block.get("id") or "", "model": BROKEN, "target_lang": "zh", "biz_type": "file"}
    walk.call("POST /translate", "a model that is out of order", form=form)
    failing = {"id": next((one.get("uuid") for one in walk.call("GET /tasks", "the failing one").list()), None)}
    walk.poll("GET /task/{id}/result", "status", "of the failing one", running=(0, 1), done=(3,), params=failing)
    walk.call("POST /task/{id}/retry", params=failing)
    walk.poll("GET /task/{id}/result", "status", "after the retry", running=(0, 1), done=(3,), params=failing)
    walk.call("DELETE /task/{id}", "of the failing one", params=failing)

    answer = walk.call("GET /tasks", query={"page": 1, "page_size": 15})
    answer.expect(*PAGE)
    answer.expect_each("uuid")
    walk.call("GET /tasks", "all empty", query={"page": "", "page_size": ""}).expect(*PAGE)
    task = {"id": next((one.get("uuid") for one in answer.list()), None)}
    result = walk.poll("GET /task/{id}/result", "status", **TASK, params=task)
    result.expect("status", "data")
    walk.call("DELETE /task/{id}", params=task)
