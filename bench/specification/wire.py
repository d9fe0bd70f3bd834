"""HTTP as a program of the specification speaks it, and the line that is printed for each call."""

import datetime
import hashlib
import hmac
import json
import re
import time
import urllib.parse

# Section 7: "Base: API at {host}/api; auth calls on {host}".
ON_HOST = ("/auth/", "/login", "/logout", "/wechat/")


def read(value, path):
    """The value at a dotted path, or None."""
    for key in path.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def has(value, path):
    """True when a dotted path leads to a field, whatever its value."""
    *parents, last = path.split(".")
    holder = read(value, ".".join(parents)) if parents else value
    return isinstance(holder, dict) and last in holder


def find_list(value, field=None):
    """
    The list of an answer that the specification does not name: the answer itself, or the first list inside, with items
    that have a field.
    """
    if isinstance(value, list):
        return value if field is None or (value and has(value[0], field)) else []
    inside = value.values() if isinstance(value, dict) else []
    return next((found for inner in inside if (found := find_list(inner, field))), [])


def find_address(value):
    """The first address in an answer."""
    found = re.search(r'"((?:https?:/|/)[^"]+)"', json.dumps(value))
    return found.group(1) if found else ""


def find_entity(value, field):
    """The object of an answer that has a field: the answer itself, or an object inside."""
    if not isinstance(value, dict) or field in value:
        return value if isinstance(value, dict) else {}
    for inner in value.values():
        if found := find_entity(inner, field):
            return found
    return {}


class Answer:
    """What came back of a call, and what is to be said of it."""

    def __init__(self, walk, status, headers, text):
        self.walk, self.status, self.headers, self.text = walk, status, headers, text
        try:
            self.body = json.loads(text)
        except ValueError:
            self.body = None

    @property
    def ok(self):
        return 200 <= self.status < 400

    def get(self, path):
        return read(self.body, path)

    def list(self):
        return find_list(self.body)

    def expect(self, *paths):
        """Says which fields of the answer are missing."""
        return self.expect_in(self.body, *paths)

    def expect_in(self, value, *paths):
        missing = [path for path in paths if not has(value, path)]
        return self.check(not missing, "missing: " + ", ".join(missing))

    def expect_each(self, *paths):
        """Says which fields are missing in the first of the list, which must not be empty."""
        items = self.list()
        if self.check(items, "an empty list"):
            self.expect_in(items[0], *paths)
        return self

    def expect_equal(self, value, sent, *names):
        """Says which fields are not as they were sent."""
        changed = [name for name in names if read(value, name) != read(sent, name)]
        return self.check(not changed, f"other than sent: { {name: read(value, name) for name in changed} }")

    def check(self, truth, words):
        if self.ok and not truth:
            self.walk.differ(words)
        return self.ok and truth


class Walk:
    """One browser of one person: cookies, and a printed line for each call."""

    count = 0
    differing = 0
    called = set()

    def __init__(self, host, transport):
        self.host, self.transport = host, transport
        self.line = None

    def differ(self, words):
        self.line[1].append(words)

    def end_line(self):
        """Prints the line of the latest call."""
        if self.line is None:
            return
        label, differences = self.line
        self.line = None
        Walk.count += 1
        Walk.differing += bool(differences)
        print(f"{label}\t{'; '.join(differences) or 'ok'}", flush=True)

    def call(self, call, note="", *, params=None, query=None, json=None, form=None):
        """Makes a call of section 7 with a query, and a body of JSON or of a form. Returns its answer."""
        path = self.begin(call, note, params or {}, query)
        return self.finish(self.transport.send(call.split(" ")[0], path, json, form) if path else (0, {}, ""))

    def begin(self, call, note, params, query):
        """Begins the line of a call. Returns its path, or None where something is missing to make it."""
        self.end_line()
        self.line = (f"{call}, {note}" if note else call, [])
        Walk.called.add(call)
        path = call.split(" ")[1]
        for name, value in params.items():
            if not value:
                return self.differ(f"not called: an earlier call gave no {name}")
            path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
        base = "" if path.startswith(ON_HOST) else "/api"
        return base + path + ("?" + urllib.parse.urlencode(query) if query is not None else "")

    def finish(self, came):
        answer = Answer(self, *came)
        if answer.status and not answer.ok:
            self.differ(f"{answer.status} {answer.text[:300]}")
        return answer

    def stream(self, query, replaces=False, note=""):
        """Section 4: reads delta_content until [DONE]. Returns the text that is shown at the end."""
        path = self.begin("GET /chat/completions", note, {}, query)
        status, headers, events = self.transport.read_events(path)
        answer = self.finish((status, headers, "" if isinstance(events, list) else events))
        if not answer.ok:
            return None
        media_type = headers.get("Content-Type", "")
        answer.check(media_type.startswith("text/event-stream"), f"Content-Type {media_type}")
        text = ""
        for data in events:
            try:
                delta = None if data == "[DONE]" else read(json.loads(data), "delta_content")
            except ValueError:
                answer.check(False, f"an event that is neither JSON nor [DONE]: {data[:100]}")
                continue
            # A program of the specification knows no other event; one without text has nothing to show.
            if delta:
                text = delta if replaces else text + delta
        answer.check(events and events[-1] == "[DONE]", f"no [DONE] at the end: {events[-1:]}")
        answer.check(text, "no delta_content came")
        return text

    def poll(self, call, path, note="", *, running, done, **request):
        """Section 4: asks until a status is none of those that say it runs. Returns the last answer."""
        self.end_line()
        for _ in range(150):
            # One line for all of them.
            self.line = None
            answer = self.call(call, note, **request)
            if not answer.ok or not answer.check(answer.get(path) is not None, f"missing: {path}"):
                return answer
            if answer.get(path) not in running:
                break
            time.sleep(0.2)
        answer.check(answer.get(path) in done, f"{path} is {answer.get(path)}")
        return answer


def put_object(walk, credential, path, content):
    """Puts a file into the object store with the keys of GET /cos/credential (AWS Signature Version 4). Returns its url."""
    url = urllib.parse.urljoin(walk.host, f"{credential['bucket_url']}/{credential['prefix']}{path}")
    address = urllib.parse.urlsplit(url)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    headers = {
        "x-amz-content-sha256": hashlib.sha256(content).hexdigest(),
        "x-amz-date": now,
        "x-amz-security-token": credential["token"],
    }
    signed = {"host": address.netloc} | headers
    names = ";".join(signed)
    lines = [f"{name}:{value}" for name, value in signed.items()]
    canonical = ["PUT", address.path, "", *lines, "", names, headers["x-amz-content-sha256"]]
    scope = f"{now[:8]}/{credential['region']}/s3/aws4_request"
    digest = hashlib.sha256("\n".join(canonical).encode()).hexdigest()
    key = ("AWS4" + credential["secret_key"]).encode()
    for part in [*scope.split("/"), f"AWS4-HMAC-SHA256\n{now}\n{scope}\n{digest}"]:
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    by = f"AWS4-HMAC-SHA256 Credential={credential['secret_id']}/{scope}"
    headers["authorization"] = f"{by}, SignedHeaders={names}, Signature={key.hex()}"
    status, _, text = walk.transport.put(url, headers, content)
    if status != 200:
        walk.differ(f"the store did not take the file: {status} {text[:200]}")
    return f"{credential['base_url']}{credential['prefix']}{path}"
