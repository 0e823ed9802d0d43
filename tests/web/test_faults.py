import json

from tests.web.desk import Desk, form_fields, text


def report(desk: Desk, sitting: str, **fields: str):
    page = desk.get(f"/faults/new?sitting={sitting}&n=2").text
    nonce = page.split('name="nonce" value="')[1].split('"')[0]
    return {"sitting": sitting, "n": "2", "nonce": nonce, "kind": "wrong-key", "text": "", **fields}


def test_a_report_is_kept_listed_and_exported(desk: Desk) -> None:
    assert "Nothing yet" in desk.get("/faults").text
    sitting = desk.begin()
    fields = report(desk, sitting, text="Section 3 says <b>otherwise</b>.", kind="outdated")
    assert desk.post("/faults", fields).headers["location"] == "/faults?saved"
    page = desk.get("/faults?saved").text
    assert "It was true once" in page
    assert "&lt;b&gt;otherwise" in page
    export = desk.get("/faults.jsonl")
    lines = [json.loads(line) for line in export.text.splitlines()]
    assert [(line["item"], line["kind"]) for line in lines] == [
        (desk.question(sitting, 2).asked.id, "outdated")
    ]
    assert "attachment" in export.headers["content-disposition"]


def test_a_form_sent_twice_is_one_report(desk: Desk) -> None:
    fields = report(desk, desk.begin(), text="x")
    desk.post("/faults", fields)
    desk.post("/faults", fields)
    assert len(desk.run(desk.services.faults.all)) == 1


def test_something_else_needs_words_and_keeps_what_was_typed(desk: Desk) -> None:
    fields = report(desk, desk.begin(), kind="other")
    answer = desk.post("/faults", fields, 422)
    assert 'role="alert"' in answer.text
    assert 'value="other" checked' in answer.text
    long = report(desk, desk.begin(), text="y" * 4001)
    assert "y" * 4001 in desk.post("/faults", long, 422).text


def test_an_unknown_question_is_404(desk: Desk) -> None:
    desk.get("/faults/new?sitting=nothing&n=1", 404)
    desk.get("/faults/new", 404)
    assert text(desk.get("/faults").text)
    assert form_fields("", "x") == {}
