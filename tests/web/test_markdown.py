import pytest

from burnin.web.markdown import block, gist, inline


def test_the_little_markdown_that_items_may_use() -> None:
    html = block("One `code`, **bold**, *soft*.\n\n- a\n- b\n\n1. x\n2. y")
    for part in ("<code>code</code>", "<strong>bold</strong>", "<em>soft</em>", "<ul>", "<ol>", "<li>a</li>"):
        assert part in html


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "![a](https://evil.example/x.png)",
        "<https://evil.example>",
        "# heading <b>x</b>",
        "```\n</code></pre><script>alert(1)</script>\n```",
        "    </code></pre><script>alert(1)</script>",
        '<a href="https://evil.example">x</a>',
        "<style>*{display:none}</style>",
        "`<script>`",
    ],
)
@pytest.mark.parametrize("render", [block, inline])
def test_raw_html_links_and_images_stay_text(render, text: str) -> None:
    html = str(render(text))
    for tag in (
        "<script",
        "<img",
        "<a ",
        "<style",
        "<b>",
        "<h1",
        'javascript:alert(1)"',
        "onerror=alert(1)>",
    ):
        assert tag not in html.replace("&lt;", "").replace("onerror=alert(1)&gt;", "")


def test_code_has_its_own_box_that_the_keyboard_reaches() -> None:
    html = block("```python\nx = 1 < 2\n```")
    assert html == '<pre tabindex="0" role="group" aria-label="Code"><code>x = 1 &lt; 2</code></pre>\n'


def test_a_label_holds_no_blocks() -> None:
    html = inline("Use this:\n\n```\na < b\nc\n```")
    assert "<pre" not in html
    assert "<p" not in html
    assert "<code>a &lt; b<br>c</code>" in html
    assert inline("one\ntwo") == "one<br>two"


def test_quotes_are_set_but_not_in_code() -> None:
    assert inline("it's \"so\" `it's`") == "it’s “so” <code>it's</code>"


def test_gist_is_one_short_plain_line() -> None:
    assert gist("A `x` **b**\n\n```\nlong code\n```\n\nWhich?") == "A x b Which?"
    line = gist("word " * 100)
    assert len(line) <= 112
    assert line.endswith("word …")
