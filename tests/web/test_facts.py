from burnin.web.facts import humanise, known, pairs, say, sentence, without


def test_units_move_from_key_to_value() -> None:
    found = pairs(
        {"late_cancel_hours": 24, "price_usd": [90000, 121000], "valid_years": 2, "language": "English"}
    )
    assert found == [
        ("Late cancel", "24 hours"),
        ("Price", "US$90,000 to US$121,000"),
        ("Valid", "2 years"),
        ("Language", "English"),
    ]


def test_a_sentence_cut_by_a_comma_is_joined_again() -> None:
    assert pairs({"note": "it showed as coming soon", "so wait": None}) == [
        ("Note", "it showed as coming soon, so wait")
    ]


def test_any_value_can_be_said() -> None:
    assert say({"cloud": ["a", "b"], "x_percent": 70}) == "Cloud: a, b; X: 70\u00a0%"
    assert say([1.7, 2]) == "1.7 to 2"
    assert say(True) == "yes"


def test_names_keep_their_capitals() -> None:
    assert humanise("NCP-AAI") == "NCP-AAI"
    assert humanise("first_domain-to_study") == "First domain to study"
    assert sentence("post-training quantisation") == "Post-training quantisation"
    assert sentence("p99 rises") == "p99 rises"


def test_what_a_file_does_not_say_is_none_at_every_depth() -> None:
    facts = known({"booking": {"portal": "x"}, "courses": [{"name": "c"}]})
    assert facts["nothing"] is None
    assert facts["booking"]["nothing"] is None
    assert facts["courses"][0]["usd"] is None
    assert without(facts, ["booking"]) == {"courses": [{"name": "c"}]}
