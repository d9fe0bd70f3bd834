"""Chat and comparison (sections 3, 4 and 7)."""

import urllib.parse

from wire import find_address, find_list

# Section 9.
DEFAULT_MODEL = "deepseek-chat"
# Section 4 has rules for models with such names.
FARUI = "farui-plus"
QWEN = "qwen-plus"
# One that the app under test has, and that never answers.
BROKEN = "broken-chat"

CHAT_MESSAGE = (
    "role text chat_id model chat_model content_type tools agent block quick_action related_prompts stream"
).split()


def get_id(value):
    """What identifies an entity whose field the specification does not name."""
    return next((value[name] for name in ("id", "sess_id", "uuid") if value.get(name)), None)


def create(walk, note="", **fields):
    """POST /chat/create with every field that section 7 names; those that are not given are empty."""
    body = {"chatbot": "dati", "chat_id": "", "prompt": "", "model": DEFAULT_MODEL, "block": ""}
    body |= {"tools": [], "stream": True, "regen": False, "content_type": "text"}
    answer = walk.call("POST /chat/create", note, json=body | fields)
    answer.expect("chat_message.chat_id", "chat_message.model", "chat_message.stream")
    return answer.get("chat_message.chat_id")


def stream(walk, chat_id, note="", model=DEFAULT_MODEL, chatbot="dati", **more):
    query = {"chatbot": chatbot, "chat_id": chat_id or "", "model": model} | more
    return walk.stream(query, "farui" in model, note)


def read_messages(walk, note, *texts, chatbot="dati"):
    """GET /chat/messages, which must have these texts."""
    answer = walk.call("GET /chat/messages", note, query={"chatbot": chatbot})
    shown = [message.get("text") for message in answer.list()]
    for text in texts:
        answer.check(text in shown, f"“{text}” is not among the messages {shown}")
    return answer


def walk_chat(walk, visitor):
    walk.call("GET /chat/prompts").check(True, "")

    prompt = "问渠那得清如许？为有源头活水来。请用三句话说说这首诗。"
    chat_id = create(walk, prompt=prompt)
    text = stream(walk, chat_id)
    messages = read_messages(walk, "", prompt, text)
    messages.expect_each(*CHAT_MESSAGE)
    messages.check({"human", "ai"} <= {one.get("role") for one in messages.list()}, "roles are not human and ai")

    prompt = "第二个问题：半亩方塘一鉴开，天光云影共徘徊，说的是什么？"
    empty = {"block": "", "tools": "", "regen": "", "content_type": "", "stream": ""}
    chat_id = create(walk, "what does not apply is empty", chat_id=chat_id or "", prompt=prompt, **empty)
    text = stream(walk, chat_id, "the second turn")
    read_messages(walk, "the second turn", prompt, text)

    legal = "合同里的违约金过高时，当事人可以请求法院调整吗？"
    chat_id = create(walk, "farui", chat_id=chat_id or "", prompt=legal, model=FARUI)
    text = stream(walk, chat_id, "farui: each chunk replaces the text", FARUI)
    read_messages(walk, "farui: the text that was shown", legal, text)

    whole = "请一次性回答：水从哪里来？"
    chat_id = create(walk, "without stream", chat_id=chat_id or "", prompt=whole, stream=False)
    query = {"model": DEFAULT_MODEL, "chat_id": chat_id or "", "chatbot": "dati"}
    answer = walk.call("POST /chat/completions", query=query)
    answer.expect_in(answer.get("chat_message"), *CHAT_MESSAGE)
    answer.check(answer.get("chat_message.text"), "the message has no text")
    before = read_messages(walk, "without stream", whole, answer.get("chat_message.text"))

    chat_id = create(walk, "regeneration", chat_id=chat_id or "", prompt=whole, regen=True)
    text = stream(walk, chat_id, "regeneration")
    after = read_messages(walk, "regeneration", whole, text)
    after.check(len(after.list()) == len(before.list()), "regeneration did not replace the last answer")

    for note, model in (("", DEFAULT_MODEL), ("model empty", "")):
        walk.call("POST /chat/prompts/append", note, form={"chatbot": "dati", "model": model})
    walk_sessions(walk, visitor, prompt)


def walk_sessions(walk, visitor, prompt):
    """Section 7's calls of sessions, in one that has an answer to `prompt`."""
    query = {"page": 1, "keywords": "", "chatbot": "dati"}
    sessions = walk.call("GET /chat/sessions", query=query)
    sessions.check(sessions.list(), "an empty list")
    first = get_id(next(iter(sessions.list()), {}))
    found = walk.call("GET /chat/sessions", "keywords", query=query | {"keywords": "半亩方塘"})
    found.check(first in [get_id(one) for one in found.list()], "the session is not found by words of a question")
    walk.call("GET /chat/sessions", "all empty", query={"page": "", "keywords": "", "chatbot": ""})

    settings = {"system_prompt": "", "temperature": 0.7, "max_tokens": 4096, "stream": True, "scope": "session"}
    walk.call("POST /chat/session/settings", json=settings)
    empty = {"system_prompt": "", "temperature": "", "max_tokens": "", "stream": "", "scope": ""}
    walk.call("POST /chat/session/settings", "all empty", json=empty)

    walk.call("POST /chat/session/new")
    answer = read_messages(walk, "of a new session")
    answer.check(not answer.list(), "a new session has messages")
    other = "新会话里的问题：一片云有多重？"
    text = stream(walk, create(walk, "in a new session", prompt=other), "in a new session")
    read_messages(walk, "in a new session", other, text)

    walk.call("POST /chat/session/switch", form={"sess_id": first or ""})
    read_messages(walk, "after the switch", prompt)
    walk.call("POST /chat/session/fork")

    link = walk.call("GET /chat/session/link")
    link.check(find_address(link.body), f"no link: {link.text[:200]}")
    shared = walk.call("GET /session/{id}/messages", "own session", params={"id": first})
    shared.expect("messages", "user")
    walk.end_line()
    shared_id = urllib.parse.urlsplit(find_address(link.body)).path.split("/")[-1]
    by_link = visitor.call("GET /session/{id}/messages", "a guest by the link", params={"id": shared_id})
    by_link.expect("messages", "user")
    by_link.expect_in(next(iter(by_link.get("messages") or []), None), *CHAT_MESSAGE)
    visitor.end_line()

    walk.call("DELETE /chat/messages")
    walk.call("DELETE /chat/messages", "chatbot", query={"chatbot": "dati"})
    after = read_messages(walk, "after their deletion")
    after.check(not after.list(), "there are messages")
    walk.call("DELETE /chat/session/{id}", params={"id": first})
    after = walk.call("GET /chat/sessions", "after a deletion", query=query)
    after.check(first not in [get_id(one) for one in after.list()], "the deleted session is in the list")


def walk_compare(walk):
    """Section 7: the chatbot value is built from a type (default compare) and an id, nobody says how."""
    own = walk.call("GET /compare/messages", "chatbot compare-1", query={"chatbot": "compare-1"})
    chatbot = "compare-1" if own.ok else "compare"
    walk.call("GET /compare/messages", "nothing yet", query={"chatbot": chatbot})
    for model in (DEFAULT_MODEL, QWEN):
        walk.call("POST /compare/models", model, form={"model": model, "chatbot": chatbot})
    prompt = "并排回答：湖水为什么是蓝的？"
    shown = {}
    for model in (DEFAULT_MODEL, QWEN):
        chat_id = create(walk, f"compare, {model}", chatbot=chatbot, prompt=prompt, model=model)
        shown[model] = stream(walk, chat_id, f"compare, {model}", model, chatbot)
    answer = walk.call("GET /compare/messages", query={"chatbot": chatbot})
    groups = {one.get("model"): one.get("messages") for one in find_list(answer.body, "messages")}
    answer.check(set(groups) >= set(shown), f"not grouped by model: {answer.text[:300]}")
    for model, text in shown.items():
        messages = groups.get(model) or []
        answer.check(text in [one.get("text") for one in messages], f"{model}: the answer is not there")
        answer.expect_in(next(iter(messages), None), *"role text block model chat_model content_type".split())
    walk.call("DELETE /compare/models", query={"model": QWEN, "chatbot": chatbot})
    walk.call("POST /compare/models/clear", form={"chatbot": chatbot})
    walk.call("DELETE /compare/messages", query={"chatbot": chatbot})
    walk.call("DELETE /compare/messages", "chatbot in the body", json={"chatbot": chatbot})
