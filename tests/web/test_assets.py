import gzip

from burnin.web import assets
from tests.web.desk import Desk


def test_current_files_are_kept_for_ever_and_travel_packed(desk: Desk) -> None:
    answer = desk.get(assets.url("burnin.css"), headers={"accept-encoding": "gzip"})
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.headers["content-type"] == "text/css; charset=utf-8"
    plain = desk.get(assets.url("burnin.css"), headers={"accept-encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == answer.content == gzip.decompress(assets.assets()["burnin.css"].packed)


def test_a_file_under_an_old_version_is_not_kept(desk: Desk) -> None:
    assert desk.get("/static/0123456789/burnin.css").headers["cache-control"] == "no-cache"


def test_only_known_names_are_served(desk: Desk) -> None:
    for name in ("nothing.css", "..%2fapp.py", "%2e%2e/app.py", "burnin.css/../../app.py"):
        assert desk.client.get(f"/static/x/{name}").status_code == 404


def test_nothing_points_outside_this_machine() -> None:
    for name, asset in assets.assets().items():
        text = asset.body.decode()
        for scheme in ("http://", "https://", "//cdn", "@import"):
            assert scheme not in text, name
