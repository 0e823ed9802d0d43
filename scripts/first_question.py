"""From a fresh clone to the first question: bytes downloaded and seconds.

    python3 scripts/first_question.py        (or: make first-question)

Clones this repository into a temporary folder, installs it with an empty package cache,
starts the app on a data folder of its own, chooses an exam and fetches the first question
as a newcomer's browser would. Bytes are the growth of the package cache (what pip fetched)
and, on Linux, what the network interfaces received in the meantime.
"""

from __future__ import annotations

import http.cookiejar
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def received() -> int | None:
    """Bytes that came in over every interface but the loopback (Linux)."""
    try:
        lines = Path("/proc/net/dev").read_text().splitlines()[2:]
    except OSError:
        return None
    return sum(int(line.partition(":")[2].split()[0]) for line in lines if not line.strip().startswith("lo:"))


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def first_question(address: str) -> str:
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
    origin = {"Origin": address.rstrip("/"), "Sec-Fetch-Site": "same-origin"}

    def get(path: str) -> str:
        return opener.open(urllib.parse.urljoin(address, path), timeout=30).read().decode()

    def submit(page: str, path: str, *, wanted: str, **answers: str) -> tuple[str, str]:
        """Post the first form of a page that has a field or text ``wanted``, filled in as it comes."""
        for form in re.findall(r"<form\b.*?</form>", page, re.S):
            if wanted not in form:
                continue
            action = re.search(r'action="([^"]*)"', form)
            fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
            fields |= answers
            target = urllib.parse.urljoin(address, action[1] if action else path)
            request = urllib.request.Request(target, urllib.parse.urlencode(fields).encode(), origin)
            with opener.open(request, timeout=30) as response:
                return response.read().decode(), response.geturl()
        raise SystemExit(f"no form with {wanted!r} on {path}")

    page, _ = submit(get("/"), "/", wanted='name="exam"', exam="NCP-GENL")
    page, where = submit(page, "/", wanted='value="tutor"')
    if "Question 1 of" not in page:
        raise SystemExit(f"{where} is not a first question")
    return where


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        clone, cache, home = Path(folder) / "burnin", Path(folder) / "cache", Path(folder) / "home"
        before, began = received(), time.monotonic()
        subprocess.run(["git", "clone", "-q", "--depth", "1", ROOT.as_uri(), str(clone)], check=True)
        cloned = size(clone / ".git")
        environment = {**os.environ, "PIP_CACHE_DIR": str(cache), "BURNIN_HOME": str(home)}
        subprocess.run(
            [sys.executable, "scripts/bootstrap.py", "install"], cwd=clone, env=environment, check=True
        )
        installed = time.monotonic()
        program = [sys.executable, "scripts/bootstrap.py", "run", "serve", "--port", "0", "--no-browser"]
        server = subprocess.Popen(program, cwd=clone, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = None
            for line in server.stdout:
                found = re.search(r"http://\S+/", line)
                if found:
                    address = found[0]
                    break
            if address is None:
                raise SystemExit("the server did not start")
            where = first_question(address)
        finally:
            server.terminate()
            server.wait(20)
        after, ended = received(), time.monotonic()
        print(
            json.dumps(
                {
                    "clone_mb": round(cloned / 1e6, 1),
                    "packages_mb": round(size(cache) / 1e6, 1),
                    "network_received_mb": round((after - before) / 1e6, 1) if before is not None else None,
                    "seconds_to_install": round(installed - began, 1),
                    "seconds_to_first_question": round(ended - began, 1),
                    "first_question": urllib.parse.urlsplit(where).path,
                    "aim_mb": 80,
                },
                indent=1,
            )
        )


if __name__ == "__main__":
    main()
