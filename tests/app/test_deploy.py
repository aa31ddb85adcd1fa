"""Does the dashboard work for anybody to look at, and do the templates of docs/deploy.md?"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import expect

from app.serve import PUBLICLY, Serving, command, environment
from tests.app.browsing import PATIENCE, Visitor, settle, started, wait_for
from tests.app.test_serve import free_port
from tests.app.workflows import TEMPLATES, calls, refuse_unknown, steps, workflow

ROOT = Path(__file__).parents[2]
BASE = "/of/boards"


class TestServing:
    def test_in_public_errors_uploads_and_watching_are_off(self):
        told = command(Serving(8501, "0.0.0.0", public=True))
        assert {f"--{name}={value}" for name, value in PUBLICLY.items()} <= set(told)
        assert "--client.showErrorDetails=none" in told
        assert not any("enableCORS" in one or "enableXsrf" in one for one in told)

    @pytest.mark.parametrize("path", ["of/boards", "/of/boards", "of/boards/"])
    def test_a_base_path_may_be_written_in_any_way(self, path):
        assert Serving(1, "x", base_path=path).below == BASE
        assert "--server.baseUrlPath=of/boards" in command(Serving(1, "x", base_path=path))

    @pytest.mark.parametrize(("public", "expected"), [(True, "1"), (False, None)])
    def test_the_process_is_told_what_was_asked_for_and_nothing_older(
        self, public, expected, tmp_path, monkeypatch
    ):
        monkeypatch.setenv("RANKTRAIL_PUBLIC", "0")
        monkeypatch.setenv("RANKTRAIL_EVERY", "1h")
        told = environment(tmp_path, Serving(1, "x", public=public, every="6h"))
        assert (told.get("RANKTRAIL_PUBLIC"), told["RANKTRAIL_EVERY"]) == (expected, "6h")
        assert told["RANKTRAIL_STORE"] == str(tmp_path)


@pytest.fixture(scope="module")
def public(garden):
    """Address of a public dashboard below a base path, and its process."""
    with started(garden.store, "--public", "--base-path", BASE) as found:
        yield found


@pytest.fixture
def visit(browser, public):
    visitor = Visitor(browser, public[0])
    yield visitor
    visitor.close()
    assert visitor.trouble == []


def status(address: str, method: str = "GET", body: bytes | None = None, **headers: str) -> int:
    asked = urllib.request.Request(address, body, headers, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


class TestPublic:
    def test_all_of_it_is_below_the_base_path(self, public):
        address, root = public[0], public[0].removesuffix(BASE)
        assert (status(f"{address}/_stcore/health"), status(f"{address}/trail")) == (200, 200)
        assert status(f"{root}/_stcore/health") == 404

    def test_no_file_is_taken(self, public):
        to = f"{public[0]}/_stcore/upload_file/none/none"
        try:
            answer = status(to, "PUT", b"x" * 2_000_000, Origin=public[0].removesuffix(BASE))
        except urllib.error.URLError as error:  # it hung up before all of it was sent
            assert isinstance(error.reason, BrokenPipeError | ConnectionResetError)
        else:
            assert answer >= 400

    @pytest.mark.parametrize(
        ("origin", "expected"),
        [
            pytest.param("http://board.example", True, id="the name that the reader asked for"),
            pytest.param("https://elsewhere.example", False, id="a page of another site"),
        ],
    )
    def test_only_its_own_pages_open_a_socket(self, origin, expected, public):
        sync = pytest.importorskip("websockets.sync.client")
        port = int(public[0].removesuffix(BASE).rpartition(":")[2])
        plain = socket_to(port)
        try:
            with sync.connect(
                f"ws://board.example{BASE}/_stcore/stream",
                sock=plain,
                origin=origin,
                subprotocols=["streamlit"],
                open_timeout=10,
            ):
                opened = True
        except Exception:
            opened = False
        assert opened is expected

    @pytest.mark.browser
    def test_pages_lead_to_each_other_below_it(self, visit):
        tab = visit("boards")
        tab.get_by_role("link", name="Trail").last.click()
        tab.wait_for_url(f"**{BASE}/trail?board=garden")
        expect(tab.locator("[data-testid=stVegaLiteChart] svg").first).to_be_visible(
            timeout=PATIENCE
        )
        tab.get_by_role("link", name="Standings", exact=True).click()
        tab.wait_for_url(f"**{BASE}/standings?board=garden")
        settle(tab)
        expect(tab.locator('[data-testid="stDataFrame"]').first).to_be_visible(timeout=PATIENCE)

    @pytest.mark.browser
    def test_a_session_that_is_open_does_not_keep_the_server(self, browser, garden):
        with started(garden.store, "--public") as (address, process):
            visitor = Visitor(browser, address)
            visitor("trail", board="garden")
            began = time.monotonic()
            os.kill(process, signal.SIGTERM)
            while answers_at(address):
                assert time.monotonic() - began < 20
                time.sleep(0.2)
            visitor.close()


def socket_to(port: int):
    import socket

    return socket.create_connection(("127.0.0.1", port), timeout=10)


def answers_at(address: str) -> bool:
    try:
        return status(f"{address}/_stcore/health") == 200
    except OSError:
        return False


def instructions(name: str) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile: word and rest."""
    text = (TEMPLATES / name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    return [tuple(line.split(maxsplit=1)) for line in joined.splitlines()]  # type: ignore[misc]


def only(found: list[tuple[str, str]], word: str) -> str:
    (rest,) = [rest for name, rest in found if name == word]
    return rest


DOCKERFILE = instructions("Dockerfile")
SPACE = instructions("Dockerfile.space")


class TestDockerfile:
    def test_its_instructions_are_of_docker_and_it_runs_without_rights(self):
        known = {"FROM", "RUN", "WORKDIR", "COPY", "USER", "ENV", "VOLUME", "EXPOSE"}
        words = [word for word, _ in [*DOCKERFILE, *SPACE]]
        assert set(words) == known | {"HEALTHCHECK", "CMD"}
        user = only(DOCKERFILE, "USER")
        assert f"--uid 1000 {user}" in " ".join(rest for word, rest in DOCKERFILE if word == "RUN")
        assert words.index("USER") > max(n for n, word in enumerate(words[:-2]) if word == "RUN")

    def test_what_it_copies_is_there_and_is_all_that_is_packed(self):
        copied = [rest.split() for word, rest in DOCKERFILE if word == "COPY"]
        sources = [source for *sources, _ in copied for source in sources]
        assert all((ROOT / source).exists() for source in sources)
        project = tomllib.loads((ROOT / "pyproject.toml").read_text())
        packed = {name.split(".")[0] for name in project["tool"]["setuptools"]["packages"]}
        assert packed | {"pyproject.toml", "requirements.lock", project["project"]["readme"]} == {
            *sources
        }

    def test_it_installs_as_the_workflow_does(self):
        (install,) = [
            one["run"] for one in steps(workflow("crawl.yml")) if one.get("name") == "Install"
        ]
        wanted = [
            line.replace("install ", "install --no-cache-dir ", 1) for line in install.splitlines()
        ]
        assert [rest for word, rest in DOCKERFILE if word == "RUN" and "pip" in rest] == wanted

    def test_store_port_and_check_agree(self):
        settings = dict(one.split("=", 1) for one in shlex.split(only(DOCKERFILE, "ENV")))
        words = json.loads(only(DOCKERFILE, "CMD"))
        port = only(DOCKERFILE, "EXPOSE")
        assert settings["RANKTRAIL_STORE"] == only(DOCKERFILE, "VOLUME")
        assert words[words.index("--port") + 1] == port
        assert f":{port}/_stcore/health" in only(DOCKERFILE, "HEALTHCHECK")
        refuse_unknown(words[1:])

    def test_calls_in_its_words_are_known(self):
        text = (TEMPLATES / "Dockerfile").read_text()
        for image in re.findall(r"ranktrail (ranktrail .+)", text):
            ((*words,),) = calls(image)
            refuse_unknown(words)


@pytest.mark.long
def test_what_the_dockerfile_installs_serves_and_answers_its_check(garden, tmp_path):
    """Its own commands on its own files, with another port and place."""
    for *sources, target in (rest.split() for word, rest in DOCKERFILE if word == "COPY"):
        for source in sources:
            to = tmp_path / "clone" / target / (source if target == "./" else "")
            copy = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
            to.parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / source, to)
    *_, install = [rest for word, rest in DOCKERFILE if word == "RUN"]
    words = [sys.executable, *shlex.split(install)[1:], "--target", str(tmp_path / "there")]
    done = subprocess.run(words, cwd=tmp_path / "clone", capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    port = str(free_port())
    _, *serve = json.loads(only(DOCKERFILE, "CMD"))
    check = json.loads(only(DOCKERFILE, "HEALTHCHECK").partition("CMD")[2])
    check = [word.replace(only(DOCKERFILE, "EXPOSE"), port) for word in check]
    serve[serve.index("--port") + 1] = port
    serve[serve.index("--address") + 1] = "127.0.0.1"
    settings = os.environ | {
        "PYTHONPATH": str(tmp_path / "there"),
        "RANKTRAIL_STORE": str(garden.store),
        "RANKTRAIL_EVERY": "30m",
    }
    assert subprocess.run([sys.executable, *check[1:]], capture_output=True).returncode != 0
    with subprocess.Popen(
        [sys.executable, "-c", "from app.cli import main; main()", *serve],
        cwd=tmp_path,
        env=settings,
        stderr=subprocess.PIPE,
    ) as child:
        try:
            wait_for(f"http://127.0.0.1:{port}/_stcore/health")
            assert subprocess.run([sys.executable, *check[1:]]).returncode == 0
        finally:
            child.terminate()
            _, said = child.communicate(timeout=20)
    assert b"Traceback" not in said


class TestSpace:
    def test_its_front_matter(self):
        text = (TEMPLATES / "space-README.md").read_text(encoding="utf-8")
        front = yaml.safe_load(text.split("---\n")[1])
        assert (front["sdk"], front["app_port"]) == ("docker", int(only(DOCKERFILE, "EXPOSE")))
        assert len(front["short_description"]) <= 60

    def test_it_crawls_beside_the_pages(self, tmp_path):
        shell, option, script = json.loads(only(SPACE, "CMD"))
        assert (shell, option) == ("sh", "-c")
        assert subprocess.run(["sh", "-n", "-c", script]).returncode == 0
        found = [shlex.split(one) for one in re.findall(r"ranktrail ([^&>;]+)", script)]
        assert [words[-1] for words in found] == ["7,37 * * * *", "8501"]
        for words in found:
            refuse_unknown(words)
        assert found[1] == json.loads(only(DOCKERFILE, "CMD"))[1:]
        assert only(SPACE, "COPY") == "boards boards"
