"""Signing in, the account, credit, keys, organizations and what is common (sections 3 and 7)."""

import datetime
import json
import pathlib
import re
import time

from chat import DEFAULT_MODEL
from content import PAGE
from wire import find_entity, find_list

USER_INFO = "name avatar balance model provider_sort voice_reply invite_url auth_types organization".split()
STATS = ("value", "old_value", "grow_rate")


def get_user_id(member):
    return next((member[name] for name in ("id", "user_id", "uuid") if member.get(name)), None)


class Mailbox:
    """Where the app under test leaves the mails and messages that it would send."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)

    def read_code(self, target):
        return self.read(target, lambda message: message.get("code"))

    def read_invitation(self, target):
        found = self.read(target, lambda message: re.search(r"invitation=([\w-]+)", str(message.get("text"))))
        return found.group(1) if found else ""

    def read(self, target, pick):
        """What is picked of the newest message to an address that has it. It may take a moment to come."""
        for _ in range(50):
            for file in sorted(self.folder.glob("*.json"), reverse=True):
                message = json.loads(file.read_text())
                if target in str(message.get("to")) and (picked := pick(message)):
                    return picked
            time.sleep(0.1)
        return None


def sign_in(walk, mailbox, call, note="", *, phone="", email=""):
    """Asks for a code and signs in with it, every field of section 7 sent."""
    requested = {"phone": phone, "email": email, "ticket": "", "rand_str": "", "channel": ""}
    sent = walk.call("POST /auth/vcode", f"for {call.split('/')[-1]}{note}", json=requested)
    code = mailbox.read_code(phone or email) if sent.ok else ""
    sent.check(code, f"no code came to {phone or email}")
    target = {"phone": phone} if call == "POST /auth/phone" else {"email": email}
    body = {"phone": phone, "email": email} if call == "POST /login" else target
    answer = walk.call(call, note.strip(", "), json=body | {"code": code})
    if call == "POST /login":
        answer.expect("redirect_to")
    if not answer.ok:
        return {}
    info = walk.call("GET /user/info", f"after {call}{note}")
    info.expect_in(find_entity(info.body, "auth_types"), *USER_INFO)
    return find_entity(info.body, "auth_types")


def walk_sign_in(browser, mailbox, number):
    """Each way in, each in a browser of its own. Returns the browser of the last one."""
    answer = browser().call("GET /wechat/login")
    answer.check(answer.status == 200 or answer.headers.get("Location"), "neither a page nor a redirect")
    answer.walk.end_line()
    for call, way in (
        ("POST /auth/email", {"email": f"mail{number}@example.com"}),
        ("POST /auth/phone", {"phone": f"139{number:08d}"}),
        ("POST /login", {"phone": f"138{number:08d}"}),
    ):
        walk = browser()
        sign_in(walk, mailbox, call, " by phone" if call == "POST /login" else "", **way)
        walk.call("POST /logout", f"after {call}")
        gone = walk.call("GET /user/info", f"after POST /logout of {call}")
        # Section 4: "a 401 on user info clears the token".
        walk.line[1].clear()
        if gone.status != 401:
            walk.differ(f"{gone.status} instead of 401: {gone.text[:200]}")
        walk.end_line()
    walk = browser()
    sign_in(walk, mailbox, "POST /login", " by mail", email=f"owner{number}@example.com")
    bound = sign_in(walk, mailbox, "POST /auth/phone", ", signed in: binds", phone=f"137{number:08d}")
    if bound and "phone" not in json.dumps(bound.get("auth_types")):
        walk.differ(f"the phone is not among auth_types: {bound.get('auth_types')}")
    return walk


def walk_user(walk):
    got = find_entity(walk.call("GET /user/info").body, "auth_types")
    walk.call("PUT /user/info", "what GET gave", json=got)
    name = {"name": got.get("name"), "avatar": got.get("avatar")}
    walk.call("PUT /user/info", "name and avatar as they were", json=name)
    walk.call("PUT /user/info", "avatar empty", json={"name": "问渠", "avatar": ""})
    info = walk.call("GET /user/info", "after it was changed")
    info.check(find_entity(info.body, "name").get("name") == "问渠", f"the name is not 问渠: {info.text[:200]}")
    walk.call("PUT /user/model", json={"model": DEFAULT_MODEL})
    walk.call("PUT /user/provider_sort", json={"sort": "default"})
    before = find_entity(walk.call("GET /user/info", "before voice_reply").body, "voice_reply").get("voice_reply")
    walk.call("PUT /user/voice_reply", "no body")
    after = walk.call("GET /user/info", "after voice_reply")
    after.check(find_entity(after.body, "voice_reply").get("voice_reply") != before, "voice_reply was not switched")
    for setting, fields, empty in (
        ("chat_setting", {"enabled": True, "self_intro": "我住在江南", "reply_style": "简洁"}, ("self_intro", "reply_style")),
        ("notify_setting", {"enabled": True, "threshold": 100}, ("threshold",)),
    ):
        answer = walk.call(f"GET /user/{setting}")
        answer.expect_in(find_entity(answer.body, "enabled"), *fields)
        walk.call(f"PUT /user/{setting}", json=fields)
        walk.call(f"PUT /user/{setting}", "empty", json=fields | {"enabled": False} | dict.fromkeys(empty, ""))
        again = walk.call(f"GET /user/{setting}", "after it was changed")
        again.check(find_entity(again.body, "enabled").get("enabled") is False, f"it is still enabled: {again.text}")
        walk.call(f"PUT /user/{setting}", "what GET gave", json=again.body)
    for query in ({"channel": "", "page": "", "page_size": ""}, {"channel": "dati", "page": 1, "page_size": 10}):
        walk.call("GET /user/messages", "all empty" if not query["page"] else "", query=query)
    for call in ("chat_stats", "amount_stats"):
        answer = walk.call(f"GET /user/{call}")
        answer.expect_in(find_entity(answer.body, "value"), *STATS)
    for call in ("model_amounts", "charge_amounts", "chat_tokens"):
        walk.call(f"GET /user/{call}")


def walk_credit(walk):
    plans = walk.call("GET /credit/plans")
    plans.check(plans.list(), "an empty list")
    empty = dict.fromkeys("action source channel model keyId timeRange page page_size".split(), "")
    page = PAGE + ("stats.total_in", "stats.total_out", "stats.total_tokens")
    answer = walk.call("GET /user/transactions", "every filter empty", query=empty)
    answer.expect(*page)
    answer.check(answer.list(), "an empty list")
    today = datetime.datetime.now(datetime.timezone(datetime.timedelta(hours=8))).date()
    last = (today.replace(day=28) + datetime.timedelta(days=4)).replace(day=1) - datetime.timedelta(days=1)
    month = {"timeRange": f"{today.replace(day=1)} - {last}", "page": 1, "page_size": 10}
    ranged = walk.call("GET /user/transactions", "timeRange", query=empty | month)
    ranged.expect(*page)
    ranged.check(ranged.get("total") == answer.get("total"), f"{ranged.get('total')} of {answer.get('total')} in this month")
    # The values that the items themselves have, since the specification names none.
    items = [one for one in answer.list() if isinstance(one, dict)]
    known = max(items, key=lambda one: sum(bool(one.get(name)) for name in empty), default={})
    filters = {name: known.get(name) or "" for name in ("action", "source", "channel", "model")}
    unknown = [name for name, value in filters.items() if not value]
    every = walk.call("GET /user/transactions", "every filter set", query=empty | month | filters)
    every.check(not unknown, f"no item has {', '.join(unknown)}: {json.dumps(known, ensure_ascii=False)[:300]}")
    every.check(every.list(), f"nothing is found with {filters}")
    costs = {"type": "chat", "input_tokens": 1000, "output_tokens": 500, "model": DEFAULT_MODEL}
    walk.call("POST /token/costs", json=costs)
    walk.call("POST /token/costs", "type empty", json=costs | {"type": ""})


def walk_keys(walk):
    month = (datetime.date.today() + datetime.timedelta(days=30)).isoformat()
    fields = {"uuid": "", "name": "程序", "value": "", "group": "", "provider_sort": "default"}
    fields |= {"auto_switch": True, "expired_at": month, "credit_limit": 100}
    empty = {"provider_sort": "", "auto_switch": "", "expired_at": "", "credit_limit": ""}
    for kind, full, bare in (
        ("api_keys", fields, fields | empty),
        ("provision_keys", {"uuid": "", "name": "系统"}, {"name": "系统"}),
    ):
        created = walk.call(f"POST /{kind}", json=full)
        walk.call(f"POST /{kind}", "what does not apply is empty", json=bare)
        uuid = find_entity(created.body, "uuid").get("uuid")

        def read(note):
            answer = walk.call(f"GET /{kind}", note)
            answer.expect_each(*full)
            key = next((one for one in answer.list() if one.get("uuid") == uuid), {})
            answer.check(key, "the key is not in the list")
            return key

        key = read("")
        if differing := {name: key.get(name) for name in full if full[name] and key.get(name) != full[name]}:
            walk.differ(f"other than sent: {differing}")
        walk.call(f"PUT /{kind}/{{id}}", "what GET gave", params={"id": uuid}, json=key)
        again = read("after it was put back")
        differing = {name for name in full if again.get(name) != key.get(name)}
        if differing:
            walk.differ(f"other than before: {differing}")
        walk.call(f"PATCH /{kind}/{{id}}/status", "no body", params={"id": uuid})
        switched = read("after its status")
        if key and switched.get("status") == key.get("status"):
            walk.differ(f"status is {key.get('status')} as before")
        walk.call(f"DELETE /{kind}/{{id}}", params={"id": uuid})


def walk_organization(walk, browser, mailbox, number):
    created = walk.call("POST /organization", json={"name": "方塘书院", "logo": ""})
    uuid = find_entity(created.body, "uuid").get("uuid")
    created.check(uuid, f"no uuid: {created.text[:200]}")
    info = walk.call("GET /user/info", "of who has an organization")
    info.check(find_entity(info.body, "organization").get("organization"), "organization is empty")
    organization = {"id": uuid}
    first, second = f"guest{number}@example.com", f"friend{number}@example.com"
    for note, emails in (("a text", first), ("a text of lines", f"{first}\n{second}"), ("a list", [second])):
        walk.call("POST /organization/{id}/members/invite", note, params=organization, json={"emails": emails})
    members = walk.call("GET /organization/{id}/members", params=organization)
    members.check(members.list(), "an empty list")
    first_members = members.list()
    guest = browser()
    sign_in(guest, mailbox, "POST /login", " of who was invited", email=first)
    guest.end_line()
    # The specification says nothing of how somebody accepts: the link of the mail does it, by this call of the API reference.
    token = mailbox.read_invitation(first)
    guest.transport.send("POST", "/api/organization/invitation/accept", {"token": token})
    members = walk.call("GET /organization/{id}/members", "after an invitation was accepted", params=organization)
    before = [get_user_id(one) for one in first_members]
    user_id = next((get_user_id(one) for one in members.list() if get_user_id(one) not in before), None)
    members.check(user_id, f"who accepted is not there: {members.text[:300]}")
    walk.call("DELETE /organization/{id}/members/{userId}", params=organization | {"userId": user_id})


def walk_common(walk):
    models = walk.call("GET /chat/models", query={"source": "web"})
    models.check(models.list(), "an empty list")
    walk.call("GET /chat/models/{model}", params={"model": DEFAULT_MODEL})
    walk.call("GET /models", query={"source": "web"}).check(True, "")
    platforms = walk.call("GET /platforms")
    platforms.check(platforms.list(), "an empty list")
    first = next(iter(platforms.list()), {})
    platform = first.get("name") if isinstance(first, dict) else first
    balance = walk.call("GET /user/balance/{platform}", params={"platform": platform})
    balance.check("balance" in balance.text, f"no balance: {balance.text[:200]}")
    walk.call("GET /releases", "page empty", query={"page": ""}).expect("releases", "has_more", "next_page")
    releases = walk.call("GET /releases", query={"page": 1})
    releases.expect("releases", "has_more", "next_page")
    if releases.get("has_more"):
        walk.call("GET /releases", "next_page", query={"page": releases.get("next_page")})
    for note, page in (("page empty", ""), ("", 1)):
        answer = walk.call("GET /notifications/unread", note, query={"page": page})
        answer.expect("notifications", "total_unread")
        answer.check(isinstance(answer.get("notifications"), list), "notifications is no list")
    walk.call("PUT /notifications/mark_all_as_read")
    unread = walk.call("GET /notifications/unread", "after they were read", query={"page": 1})
    unread.check(unread.get("total_unread") == 0, f"total_unread is {unread.get('total_unread')}")
    stats = walk.call("GET /stats")
    stats.check(find_entity(stats.body, "value") or find_list(stats.body) or stats.body, "nothing")
