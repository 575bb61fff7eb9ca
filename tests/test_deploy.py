"""Tests for the files that deploy a site with several nodes.

They check everything that can be checked without a deployment.
"""

import hashlib
import http.client
import json
import os
import re
import shlex
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from ipaddress import IPv4Address, IPv4Network
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from django.conf import settings
from django.core.management import get_commands, load_command_class
from django.test import Client
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from editor.management.commands.help_settings import SETTINGS
from editor.models import ResultPhoto, User
from editor.pages.photos.media import HEADERS, SIGNED_HEADERS
from editor.services.core import links
from editor.services.photos import drafts, photos, storage
from tests import cast
from tests.hostile_server import Authority
from tests.portal import ROOT
from tests.ports import free_port

DEPLOY = ROOT / "photoeditor_site" / "deploy"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
NOTES = (DEPLOY / "README.md").read_text()
NODES = {name: node for name, node in COMPOSE["services"].items() if node["image"] == "darkroom"}


def test_the_image_copies_existing_files_and_does_not_run_as_root() -> None:
    lines = (DEPLOY / "Dockerfile").read_text().splitlines()
    copied = [word for line in lines if line.startswith("COPY") for word in line.split()[2:-1]]
    assert {"manage.py", "pyproject.toml", "editor", "templates", "static"} <= set(copied)
    kept = (DEPLOY / "Dockerfile.dockerignore").read_text().split()
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in kept
    assert any(re.match(r"USER (?!root)", line) for line in lines)


def test_folders_shared_by_nodes_are_private_and_can_be_mounted(tmp_path: Path) -> None:
    """A new volume gets the permissions of the folder at its mount point in the image."""
    folders = [f"/data/{settings.PHOTOS_DIR.name}", f"/data/{storage.EXPORTS.rstrip('/')}"]
    [made] = re.findall(r"install -d -m .+", (DEPLOY / "Dockerfile").read_text())
    command = made.replace("-o darkroom -g darkroom", "").replace("/data", str(tmp_path / "data"))
    subprocess.run(shlex.split(command), check=True)
    for folder in folders:
        assert (tmp_path / folder.lstrip("/")).stat().st_mode & 0o777 == 0o700
        assert f"`{folder}`" in NOTES


def test_pg_dump_in_the_image_is_not_older_than_the_database() -> None:
    """pg_dump refuses a newer database server, so it must not be older than the server."""
    before_user = (DEPLOY / "Dockerfile").read_text().partition("USER")[0]
    assert "apt-get install --yes --no-install-recommends postgresql-client" in before_user
    [debian] = re.findall(r"^FROM python:3\.13-slim-(\w+)$", before_user, re.MULTILINE)
    server = COMPOSE["services"]["database"]["image"].removeprefix("postgres:")
    assert int(server) <= {"bookworm": 15, "trixie": 17}[debian]


def test_the_deployment_guide_names_existing_services_and_commands() -> None:
    matches = re.findall(r"docker compose (\w+) (.+)", NOTES)
    stopped = [words.split() for verb, words in matches if verb == "stop"]
    assert stopped == [[name for name, node in NODES.items() if "entrypoint" not in node]]
    commands = re.findall(r'python manage\.py"?(?: web)? (\w+)', NOTES)
    assert {"backup", "restore", "verify"} <= set(commands) <= set(get_commands())


def test_a_restart_of_the_site_makes_the_proxy_look_up_its_address_again() -> None:
    """The commands that start a site again also reload nginx.

    Otherwise, nginx would keep the old address of `web` and show the maintenance page forever.
    """
    begun, *restarts = re.findall(r"docker compose up .*", NOTES)
    assert begun == "docker compose up --build --detach"
    assert len(restarts) == 2
    for line in restarts:
        assert line.endswith(" --detach && docker compose exec proxy nginx -s reload")


@pytest.mark.django_db
def test_prometheus_can_read_metrics_by_the_service_name(client: Client, settings: Any) -> None:
    [address] = re.findall(r"`(http://\S+/metrics)`", NOTES)
    environment = NODES["web"]["environment"]
    assert environment["METRICS_TOKEN"] == "${METRICS_TOKEN:-}"
    settings.ALLOWED_HOSTS = environment["ALLOWED_HOSTS"].split(",")
    settings.METRICS_TOKEN, settings.SECURE_SSL_REDIRECT = "t0ken", True
    headers = {"Host": urlsplit(address).netloc, "Authorization": "Bearer t0ken"}
    assert client.get("/metrics", headers=headers, REMOTE_ADDR="172.30.7.130").status_code == 200
    assert client.get("/metrics", headers=headers | {"Host": "other:8000"}).status_code == 400
    assert urlsplit(address).hostname in NODES


@pytest.mark.parametrize("name", NODES)
def test_every_node_has_valid_settings_and_options(name: str) -> None:
    node = NODES[name]
    assert set(node["environment"]) <= set(SETTINGS)
    if "entrypoint" in node:
        compile(node["command"][0], name, "exec")
    else:
        command: Any = load_command_class("editor", "start")
        given = command.create_parser("manage.py", "start").parse_args(node["command"])
        assert given.only == name
    assert int(node["stop_grace_period"].removesuffix("s")) >= 90 + 25


def test_the_site_trusts_the_address_of_the_proxy() -> None:
    trusted = NODES["web"]["environment"]["TRUSTED_PROXIES"]
    assert COMPOSE["services"]["proxy"]["networks"]["default"]["ipv4_address"] == trusted
    assert "server web:8000;" in (DEPLOY / "nginx.conf").read_text()


def test_no_other_container_can_get_the_address_of_the_proxy() -> None:
    """No other container may get the proxy's address.

    Docker assigns the next free address in `ip_range` to any container that starts before the proxy.
    """
    [pool] = COMPOSE["networks"]["default"]["ipam"]["config"]
    proxy = IPv4Address(COMPOSE["services"]["proxy"]["networks"]["default"]["ipv4_address"])
    assert proxy in IPv4Network(pool["subnet"])
    assert proxy not in IPv4Network(pool["ip_range"])
    assert proxy != IPv4Address(pool["gateway"])
    assert IPv4Network(pool["ip_range"]).subnet_of(IPv4Network(pool["subnet"]))


def test_a_renewed_certificate_is_copied_to_where_the_proxy_can_read_it(tmp_path: Path) -> None:
    """The certificate is copied, because certbot's `live/` folder contains links to `../../archive/`, which
    is not mounted in the proxy.
    """
    [hook] = re.findall(r"```sh\n(#!/bin/sh -e\n.*?)```", NOTES, re.DOTALL)
    live, archive = (tmp_path / "letsencrypt" / name / "photos.example.org" for name in ("live", "archive"))
    tools, given = tmp_path / "tools", tmp_path / "certificates"
    for folder in (live, archive, tools):
        folder.mkdir(parents=True)
    for name in ("fullchain", "privkey"):
        (archive / f"{name}2.pem").write_text(name)
        (archive / f"{name}2.pem").chmod(0o600)
        (live / f"{name}.pem").symlink_to(f"../../archive/photos.example.org/{name}2.pem")
    (tools / "docker").write_text(f"#!/bin/sh\necho $@ >> {tmp_path}/asked\nexit 1\n")
    (tools / "docker").chmod(0o700)
    hook = hook.replace("/etc/letsencrypt", str(tmp_path / "letsencrypt"))
    hook = hook.replace("/srv/certificates", str(given)).replace("/srv/darkroom", str(ROOT))
    path = f"{tools}:{os.environ['PATH']}"
    for _ in range(2):
        subprocess.run(["sh", "-ec", hook], check=True, env={"PATH": path}, stdout=subprocess.DEVNULL)
    assert (tmp_path / "asked").read_text() == "compose exec -T proxy nginx -s reload\n" * 2
    shutil.rmtree(tmp_path / "letsencrypt")
    assert {path.name: path.read_text() for path in given.iterdir()} == {
        "fullchain.pem": "fullchain",
        "privkey.pem": "privkey",
    }
    assert (given / "privkey.pem").stat().st_mode & 0o777 == 0o600
    assert f"\nCERTIFICATES=/srv/{given.name}\n" in NOTES


class Proxy:
    """nginx with the deployed configuration, except that paths, ports, and addresses are different."""

    def __init__(self, folder: Path, site: str) -> None:
        authority = Authority(folder)
        authority.server_context("localhost")
        [made] = folder.glob("localhost*.pem")
        self.certificate = made.rename(folder / "site.pem")
        self.trust, self.port, self.plain_port = authority.trust, free_port(), free_port()
        self._configure(folder, site)
        command = [str(NGINX), "-p", str(folder), "-c", f"{folder}/nginx.conf", "-e", "stderr"]
        self._process = subprocess.Popen(command)
        self._wait()

    def _configure(self, folder: Path, site: str) -> None:
        places = {
            "server web:8000;": f"server {site};",
            "/etc/nginx/certificates/fullchain.pem": str(self.certificate),
            "/etc/nginx/certificates/privkey.pem": str(self.certificate),
            "/data/photos/": f"{settings.PHOTOS_DIR}/",
            "/etc/nginx/away": str(DEPLOY / "away"),
            "listen 443 ssl": f"listen 127.0.0.1:{self.port} ssl",
            "listen 80;": f"listen 127.0.0.1:{self.plain_port};",
            "listen [::]:443 ssl http2;": "",
            "listen [::]:80;": "",
        }
        configuration = (DEPLOY / "nginx.conf").read_text()
        for place, ours in places.items():
            assert place in configuration, place
            configuration = configuration.replace(place, ours)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        temporary = " ".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        frame = f"daemon off; pid {folder}/pid; {'user root;' * (os.geteuid() == 0)} events {{}}"
        (folder / "nginx.conf").write_text(f"{frame} http {{ access_log off; {temporary}\n{configuration} }}")

    def get(self, path: str, **headers: str) -> tuple[http.client.HTTPResponse, bytes]:
        context = ssl.create_default_context(cafile=self.trust)
        connection = http.client.HTTPSConnection("localhost", self.port, context=context, timeout=60)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        return answer, body

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(300)

    def _wait(self) -> None:
        until = time.monotonic() + 300
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
            except ConnectionRefusedError:
                time.sleep(0.05)
            else:
                return
        raise AssertionError("nginx did not start.")


@pytest.fixture
def proxy(tmp_path: Path, live_server: LiveServer) -> Iterator[Proxy]:
    if NGINX is None:
        pytest.skip("nginx is not installed (Debian: nginx-light).")
    running = Proxy(tmp_path, live_server.thread.host + f":{live_server.thread.port}")
    yield running
    running.stop()


def signed_result(user: User) -> tuple[ResultPhoto, str]:
    kept = drafts.store_upload(cast.photo_file(), name="a.jpg")
    result = cast.make_edit(user, results=[kept.file_fields()]).results.get()
    until = timezone.now() + timedelta(days=1)
    return result, links.signed_photo_url(result, user_id=user.pk, expires=until, site="")


@pytest.mark.parametrize("by_proxy", [True, False])
def test_an_allowed_photo_is_sent_with_the_headers_of_the_site(
    alice: User, proxy: Proxy, settings: Any, by_proxy: bool
) -> None:
    settings.PHOTOS_BY_PROXY = by_proxy
    result, address = signed_result(alice)
    answer, body = proxy.get(address)
    assert answer.status == 200
    assert hashlib.sha256(body).hexdigest() == result.sha256
    expected = HEADERS | SIGNED_HEADERS | {"Content-Type": result.media_type}
    assert {name: answer.headers[name] for name in expected} == expected
    assert answer.headers["Content-Disposition"].startswith("inline")
    assert "X-Accel-Redirect" not in answer.headers
    assert answer.headers["Content-Length"] == str(result.size)


def test_the_proxy_sends_no_photo_without_permission_of_the_site(
    alice: User, proxy: Proxy, settings: Any
) -> None:
    settings.PHOTOS_BY_PROXY = True
    result, address = signed_result(alice)
    assert proxy.get(f"/photos/{result.key}")[0].status == 404
    assert proxy.get(address.replace("/signed/", "/signed/x"))[0].status == 404
    photos.remove_files([result])
    assert proxy.get(address)[0].status == 404


def test_only_a_download_has_a_file_name(
    alice: User, proxy: Proxy, settings: Any, client_of: Callable[[User], Client]
) -> None:
    settings.PHOTOS_BY_PROXY = True
    result, _ = signed_result(alice)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client_of(alice).cookies[settings.SESSION_COOKIE_NAME].value}"
    answer, body = proxy.get(f"/media/results/{result.pk}/1600/", Cookie=cookie)
    assert (answer.status, body) == (200, cast.path_of(result, "800").read_bytes())
    assert (answer.headers["Content-Type"], answer.headers["Content-Disposition"]) == ("image/webp", None)
    answer, _ = proxy.get(f"/media/results/{result.pk}/download/", Cookie=cookie)
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")


def test_the_proxy_redirects_to_https(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", proxy.plain_port, timeout=60)
    connection.request("GET", "/healthz", headers={"Host": "localhost"})
    answer = connection.getresponse()
    assert (answer.status, answer.headers["Location"]) == (301, "https://localhost/healthz")
    connection.close()
    assert proxy.get("/healthz")[0].status == 200


def test_the_proxy_returns_503_while_no_node_responds(tmp_path: Path) -> None:
    if NGINX is None:
        pytest.skip("nginx is not installed (Debian: nginx-light).")
    alone = Proxy(tmp_path, f"127.0.0.1:{free_port()}")
    try:
        page, words = alone.get("/w/studio/history/?q=sky")
        answer, body = alone.get("/api/photo-editor/status?taskId=x")
        hidden, _ = alone.get("/away.html")
    finally:
        alone.stop()
    assert (page.status, page.headers["Content-Type"]) == (503, "text/html")
    assert page.headers["Retry-After"] == "10"
    assert b"One minute" in words
    assert b'lang="de"' in words
    assert (answer.status, json.loads(body)["code"]) == (503, 503)
    assert hidden.status == 404, "the page has no public URL"
