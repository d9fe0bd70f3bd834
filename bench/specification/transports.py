"""Two ways of a request to the app: of this program itself, and of a page in a browser."""

import base64
import http.cookiejar
import itertools
import json
import urllib.error
import urllib.parse
import urllib.request

HEADERS = {"X-Requested-With": "XMLHttpRequest"}


class KeepRedirect(urllib.request.HTTPRedirectHandler):
    """Gives a redirect back instead of following it."""

    def redirect_request(self, *_):
        return None


class Program:
    """Sends as a program does: bodies of JSON, forms urlencoded. Keeps its cookies."""

    def __init__(self, host):
        self.host = host
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self.opener = urllib.request.build_opener(cookies, KeepRedirect)

    def send(self, method, path, json_body=None, form=None):
        """Returns the status, the headers and the text of the answer."""
        if form is not None:
            data = urllib.parse.urlencode(form).encode()
            return self.request(method, path, data, {"Content-Type": "application/x-www-form-urlencoded"})
        if json_body is not None:
            return self.request(method, path, json.dumps(json_body).encode(), {"Content-Type": "application/json"})
        return self.request(method, path)

    def read_events(self, path):
        """Returns the status, the headers and the data of each event."""
        status, headers, text = self.request("GET", path)
        if status != 200:
            return status, headers, text
        events = text.replace("\r\n", "\n").split("\n\n")
        lines = [[line[5:].lstrip() for line in event.split("\n") if line.startswith("data:")] for event in events]
        return status, headers, ["\n".join(data) for data in lines if data]

    def put(self, url, headers, content):
        """Puts a file into the object store."""
        return self.request("PUT", url, content, headers)

    def request(self, method, path, data=None, headers=None):
        url = urllib.parse.urljoin(self.host, path)
        request = urllib.request.Request(url, data, HEADERS | (headers or {}), method=method)
        try:
            with self.opener.open(request, timeout=60) as response:
                return response.status, response.headers, response.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode(errors="replace")


class Page:
    """Sends from a page of the app in a browser: client.js does it there, and the bridge is what reaches the page."""

    numbers = itertools.count()

    def __init__(self, bridge):
        self.bridge = bridge
        self.number = next(Page.numbers)

    def send(self, method, path, json_body=None, form=None):
        return self.ask("send", method, path, form if json_body is None else json_body)

    def read_events(self, path):
        return self.ask("readEvents", path)

    def put(self, url, headers, content):
        return self.ask("put", url, headers, base64.b64encode(content).decode())

    def ask(self, name, *args):
        asked = json.dumps({"page": self.number, "name": name, "args": args}).encode()
        with urllib.request.urlopen(urllib.request.Request(self.bridge, asked), timeout=90) as response:
            return json.load(response)
