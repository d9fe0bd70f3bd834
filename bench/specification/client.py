"""Goes through every call of section 7 of the specification as a program that knows nothing else.

Usage: client.py HOST OUTBOX SITE [BRIDGE]: the app, the folder of the mails that it sent, the address of a page for it to
read, and of the bridge to a browser that makes the calls instead.
Prints a line for each time that a call was made: the call and `ok` or what differs, with a tab between. Ends with a count, and
with 1 where something differs or a call was not made.
"""

import pathlib
import sys
import time

import account
import chat
import content
from transports import Page, Program
from wire import Walk

# Each call that section 7 names.
CALLS = pathlib.Path(__file__).with_name("calls.txt")


def main(host, outbox, site, bridge=None):
    mailbox = account.Mailbox(outbox)
    # Addresses and phone numbers that no earlier walk of the same app has used.
    number = int(time.time()) % 10**8

    def browser():
        return Walk(host, Page(bridge) if bridge else Program(host))

    owner = account.walk_sign_in(browser, mailbox, number)
    account.walk_common(owner)
    chat.walk_chat(owner, browser())
    chat.walk_compare(owner)
    content.walk_blocks(owner, site)
    content.walk_agents(owner)
    content.walk_translations(owner)
    content.walk_tasks(owner)
    account.walk_user(owner)
    account.walk_credit(owner)
    account.walk_keys(owner)
    account.walk_organization(owner, browser, mailbox, number)
    owner.end_line()
    missing = [call for call in CALLS.read_text().splitlines() if call not in Walk.called]
    for call in missing:
        print(f"{call}\tnot called")
    print(f"{Walk.count} lines of {len(Walk.called)} calls, {Walk.differing} differ, {len(missing)} calls are missing")
    return 1 if Walk.differing or missing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
