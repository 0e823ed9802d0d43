from __future__ import annotations

import json

import pytest

from burnin.app.errors import UnknownExam
from burnin.app.exams import Exams
from tests.exam.builders import GENM, blueprint

EXAMS = Exams({b.code: b for b in (blueprint(), blueprint(GENM, code="NCA-GENM", minutes=60))})


def test_exams_are_found_by_code_in_any_case() -> None:
    assert EXAMS.get(" nca-genm").minutes == 60
    assert [b.code for b in EXAMS.all()] == ["NCA-GENM", "NCP-GENL"]
    with pytest.raises(UnknownExam, match=r"'NCP-X'.*NCA-GENM, NCP-GENL"):
        EXAMS.get("NCP-X")


def test_the_json_has_the_agreed_keys() -> None:
    exam = json.loads(json.dumps(EXAMS.as_json()))["exams"][0]
    assert (exam["code"], exam["minutes"]) == ("NCA-GENM", 60)
    domain = exam["domains"][0]
    assert (domain["id"], domain["weight"], domain["official"]) == ("experimentation", 25, ["1.1"])
    assert domain["objectives"] == ["o0", "o1", "o2", "o3"]
    assert (domain["focus"], domain["traps"]) == ([], [])
