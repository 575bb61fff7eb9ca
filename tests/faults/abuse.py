"""Attacks on a running site by a signed-in member: `python -m tests.faults.abuse [--only 1 5]`.

Each attack prints what it observes. The exit code is 1 if any attack succeeds. The site uses two workers,
SQLite, and only loopback addresses.
"""

import argparse
import io
import itertools
import json
import socketserver
import sqlite3
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from email import message_from_bytes, policy
from typing import Any

import httpx
import numpy as np
from PIL import Image

from editor.imaging.samples import landscape
from tests.portal import Portal, portal

LIMITS = {
    "TEAMS_PER_USER": 10,
    "DRAFTS_PER_USER": 40,
    "DRAFT_MEGABYTES_PER_USER": 8,
    "INVITATIONS_PER_USER": 50,
    "INVITATIONS_PER_ADDRESS": 3,
}
RESPONSE_SECONDS = 5.0  # maximum seconds for loading a page while other users request plans
PLANS_PER_MINUTE = 120
NAME_CHARACTERS = 40  # maximum length of a team's name in an email subject
START_SECONDS = 5.0  # maximum seconds until a small edit starts on a free worker
ATTACK_SECONDS, PATIENCE = 100, 40
SENTENCES = ("q " * 1000, "very very " * 200, "cars and dogs " * 140)
STEPS = (
    "denoise it, make it look like an oil painting, add snow, add fog, sharpen it, "
    "add a vignette, make it warmer, more contrast and brighter"
)
SET_UP = """
import json
from django.test import Client
from tests import cast
cookies = {}
for name in ("mallory", "victim"):
    client = Client()
    client.force_login(cast.make_user(f"{name}@example.org", credits=100_000))
    cookies[name] = client.cookies["darkroom_session"].value
print(json.dumps(cookies))
"""
OPEN = ("QUEUED", "SENDING", "RUNNING", "STORING")


class Member:
    """A signed-in person who uses a browser. `home` is the path of the person's workspace."""

    def __init__(self, url: str, name: str, session: str) -> None:
        self.home = f"/w/{name}/"
        self.browser = httpx.Client(base_url=url, cookies={"darkroom_session": session}, timeout=PATIENCE)
        self.browser.get(self.home)
        self.browser.headers["X-CSRFToken"] = self.browser.cookies["csrftoken"]
        self.get, self.post = self.browser.get, self.browser.post

    def edit(self, prompt: str, photo: bytes, *, outputs: int = 1) -> uuid.UUID:
        """Submit an edit with the page's form, and return the ID of the edit."""
        sent = {"prompt": prompt, "outputs": outputs, "submit_id": str(uuid.uuid4())}
        files = {"photos": ("photo.jpg", photo, "image/jpeg")}
        response = self.post(self.home, data=sent, files=files)
        assert response.status_code == 302, f"{response.status_code}: {response.text[:500]}"
        return uuid.UUID(response.headers["Location"].split("/")[2])


@dataclass
class Site:
    """The site under attack, its two members, and the emails that it has sent."""

    portal: Portal
    mallory: Member
    victim: Member
    mails: list[bytes]

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.portal.data_dir / "darkroom.sqlite3", timeout=30)) as database:
            return database.execute(query, values).fetchall()

    def results_of(self, edit: uuid.UUID) -> list[uuid.UUID]:
        rows = self.rows("SELECT id FROM editor_resultphoto WHERE edit_id = ?", edit.hex)
        return [uuid.UUID(result) for (result,) in rows]

    def queued(self, edits: list[uuid.UUID]) -> list[uuid.UUID]:
        return [edit for edit in edits if self.state_of(edit) == "QUEUED"]

    def state_of(self, edit: uuid.UUID) -> str:
        [(state,)] = self.rows("SELECT state FROM editor_edit WHERE id = ?", edit.hex)
        return str(state)


def cancel_while_keeping(site: Site) -> Iterator[str]:
    """Attack 2: get results from an edit that is cancelled while its results are being stored."""
    photo, until = noise(2500, 2000), time.monotonic() + ATTACK_SECONDS
    while time.monotonic() < until:
        edit, results = site.mallory.edit("make it brighter", photo, outputs=4), list[uuid.UUID]()
        while not results and site.state_of(edit) in OPEN:
            results = site.results_of(edit)
        site.mallory.post(f"/edits/{edit}/cancel/")
        while (state := site.state_of(edit)) in OPEN:
            time.sleep(0.1)
        time.sleep(2)  # Wait until the worker notices the cancellation.
        served, left = _served(site, edit, results), len(site.results_of(edit))
        say(
            f"{len(results)} results seen while storing, then {state}; {left} left, {len(served)} ways served"
        )
        if results and state != "SUCCESS":
            yield from (f"served uncharged: {way}" for way in served)
            return
    yield "no edit could be cancelled while its results were stored: nothing is proved"


def uploads(site: Site) -> Iterator[str]:
    """Attack 4: create teams without limit, and upload photos to them without ever submitting an edit."""
    homes = [f"/w/disk-{number}/" for number in range(12)]
    for number in range(12):
        site.mallory.post("/teams/new/", data={"name": f"Disk {number}"})
    teams = [home for home in homes if site.mallory.get(home).status_code == 200]
    say(f"{len(teams)} of 12 teams made")
    if len(teams) > LIMITS["TEAMS_PER_USER"]:
        yield f"one person made {len(teams)} teams"
    large, small = noise(1000, 900), noise(40, 30)
    for photo, count in ((large, 16), (small, 60)):
        files = {"photo": ("photo.jpg", photo, "image/jpeg")}
        places = [f"{teams[number % len(teams)]}drafts/" for number in range(count)]
        statuses = Counter(site.mallory.post(place, files=files).status_code for place in places)
        [(kept, size)] = site.rows("SELECT COUNT(*), COALESCE(SUM(size), 0) FROM editor_draftphoto")
        say(f"{count} uploads: {dict(statuses)}; {kept} drafts of {size / 1e6:.1f} MB are kept")
    if kept > LIMITS["DRAFTS_PER_USER"] or size > LIMITS["DRAFT_MEGABYTES_PER_USER"] * 1024**2:
        yield f"{kept} drafts of one person, {size / 1e6:.1f} MB, are kept"


def mail_bomb(site: Site) -> Iterator[str]:
    """Attack 5: send a hundred invitations from teams whose names are advertisements.

    One address gets 31 of the invitations.
    """
    names = [f"Win now at http://evil.example/{n} or me@evil.example, hurry" for n in range(3)]
    made = [site.mallory.post("/teams/new/", data={"name": name}).headers["Location"] for name in names]
    teams = [address.removesuffix("members/") for address in made]
    addresses = ["target@example.net"] * 31 + [f"person{n}@example.net" for n in range(69)]
    statuses = Counter[int]()
    for address, team in zip(addresses, itertools.cycle(teams), strict=False):
        sent = {"email": address, "role": "editor", "days": "7", "uses": "1"}
        statuses[site.mallory.post(f"{team}invitations/", data=sent).status_code] += 1
    time.sleep(3)  # A background task may send the emails.
    mails = [message_from_bytes(mail, policy=policy.default) for mail in site.mails]
    recipients = Counter(str(mail["To"]) for mail in mails)
    subjects = {str(mail["Subject"]).strip() for mail in mails}
    most = max(recipients.values(), default=0)
    say(f"100 invitations: {dict(statuses)}; {len(mails)} mails, at most {most} to one address; {subjects}")
    if len(mails) > LIMITS["INVITATIONS_PER_USER"]:
        yield f"{len(mails)} mails in the name of one person"
    if most > LIMITS["INVITATIONS_PER_ADDRESS"]:
        yield f"{most} mails to one address"
    bad = ("@", "evil.example", *(name[: NAME_CHARACTERS + 1] for name in names))
    if shown := [subject for subject in subjects if any(part in subject for part in bad)]:
        yield f"addresses or long names in the subjects: {shown}"


def heavy_queue(site: Site) -> Iterator[str]:
    """Attack 6: submit six heavy edits just before another workspace submits a small edit."""
    photo, until = noise(1600, 1200), time.monotonic() + ATTACK_SECONDS
    heavy = [site.mallory.edit(STEPS, photo, outputs=2) for _ in range(6)]
    while len(site.queued(heavy)) > 4 and time.monotonic() < until:
        time.sleep(0.1)  # Wait until both workers have claimed a heavy edit.
    small, begun, free = site.victim.edit("black and white", landscape(1)), time.monotonic(), 0.0
    while site.queued([small]) and time.monotonic() < until:
        if not free and any(site.state_of(edit) not in OPEN for edit in heavy):
            free = time.monotonic()
        time.sleep(0.05)
    now = time.monotonic()
    since_free = now - (free or now)
    for edit in heavy:
        site.mallory.post(f"/edits/{edit}/cancel/")
    say(f"a small edit waited {now - begun:.1f} s, {since_free:.1f} s of them after a heavy one had ended")
    if not free and site.queued([small]):
        yield "no worker became free in time: nothing is proved"
    if since_free > START_SECONDS:
        yield f"a small edit of another workspace waited {since_free:.1f} s for the next free worker"


def long_sentences(site: Site) -> Iterator[str]:
    """Attack 1: submit twelve prompts that take a long time to parse, while another member works."""
    paths, over = ("/healthz", site.victim.home), threading.Event()
    with ThreadPoolExecutor(2) as watchers, ThreadPoolExecutor(12) as attackers:
        waits = [watchers.submit(_longest, site, path, over) for path in paths]
        plans = list(attackers.map(_plan, [site] * 12, SENTENCES * 4))
        over.set()
    say(f"12 plans: {Counter(status for status, _ in plans)}, the slowest {max(s for _, s in plans):.1f} s")
    seconds = {path: wait.result() for path, wait in zip(paths, waits, strict=True)}
    say(f"meanwhile took at most: {', '.join(f'{path} {s:.1f} s' for path, s in seconds.items())}")
    if max(seconds.values()) > RESPONSE_SECONDS:
        yield f"others waited {max(seconds.values()):.1f} s for a page"
        return  # If the site is failing, the next requests take minutes.
    with ThreadPoolExecutor(8) as attackers:
        many = Counter(status for status, _ in attackers.map(_plan, [site] * 250, ["brighter"] * 250))
    say(f"250 short plans: {many}")
    if many[200] > 2 * PLANS_PER_MINUTE:  # The requests may be counted in two rate-limit windows.
        yield f"{many[200]} plans of one person were made in a short time"


# The attacks, in order. The attack that uploads photos comes late, because it uses up the allowed teams and
# drafts. The attack that uses long prompts comes last, because an unprotected site continues to parse them
# after the attacker has left.
ATTACKS = {2: cancel_while_keeping, 5: mail_bomb, 6: heavy_queue, 4: uploads, 1: long_sentences}


def _timed(browser: httpx.Client, *request: str, **more: Any) -> tuple[int, float]:
    """Return the status of the response and its time in seconds.

    If no response arrived in time, the status is 0.
    """
    begun = time.monotonic()
    try:
        status = browser.request(*request, **more).status_code
    except httpx.TimeoutException:
        status = 0
    return status, time.monotonic() - begun


def _plan(site: Site, sentence: str) -> tuple[int, float]:
    fields = {"prompt": sentence[:2000], "region": "0.1,0.1,0.5,0.5", "draft": str(uuid.uuid4())}
    return _timed(site.mallory.browser, "POST", f"{site.mallory.home}preview/", data=fields)


def _longest(site: Site, path: str, over: threading.Event) -> float:
    longest = 0.0
    while not over.wait(0.2):
        longest = max(longest, _timed(site.victim.browser, "GET", path)[1])
    return longest


def _served(site: Site, edit: uuid.UUID, results: list[uuid.UUID]) -> list[str]:
    """Return the URLs that serve any of these results, or parts of them."""
    ways = [f"/media/results/{result}/{size}/" for result in results for size in ("800", "original")]
    served = [way for way in (f"/edits/{edit}/zip/", *ways) if site.mallory.get(way).status_code == 200]
    for position in range(1, 5):
        way = f"/edits/{edit}/results/{position}/further/"
        served += [way] if "draft=" in site.mallory.post(way).headers.get("Location", "") else []
    return served


def noise(width: int, height: int) -> bytes:
    """Return a JPEG image of noise, whose file is large for its dimensions."""
    pixels = np.random.default_rng(1).integers(0, 255, (height, width, 3), np.uint8)
    Image.fromarray(pixels).save(file := io.BytesIO(), "JPEG", quality=90)
    return file.getvalue()


@contextmanager
def mail_server(mails: list[bytes]) -> Iterator[str]:
    """Start a mail server on loopback that accepts all email, and yield its URL."""

    class Session(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"220 here\r\n")
            while line := self.rfile.readline():
                command = line[:4].upper()
                if command == b"DATA":
                    self.wfile.write(b"354 go on\r\n")
                    mails.append(b"".join(iter(self.rfile.readline, b".\r\n")))
                self.wfile.write(b"221 bye\r\n" if command == b"QUIT" else b"250 yes\r\n")

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Session) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"smtp://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def say(line: str) -> None:
    sys.stdout.write(f"  {line}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", type=int, nargs="+", choices=ATTACKS, default=list(ATTACKS))
    mails: list[bytes] = []
    broken: list[str] = []
    settings: dict[str, Any] = {name: str(most) for name, most in LIMITS.items()}
    with mail_server(mails) as settings["EMAIL_URL"], portal(account=False, **settings) as at:
        cookies = json.loads(at.manage("shell", "-v", "0", "-c", SET_UP))
        mallory, victim = (Member(at.url, name, cookie) for name, cookie in cookies.items())
        for number in parser.parse_args().only:
            say(str(ATTACKS[number].__doc__))
            broken += list(ATTACKS[number](Site(at, mallory, victim, mails)))
    say("\n  ".join(["Succeeded:", *broken] if broken else ["No attack succeeded."]))
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
