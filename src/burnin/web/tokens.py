"""What stands for an option in a page: a token of the sitting, since an option's own id may tell.

The id of a computed question's wrong option names the mistake that leads to it, and authors
call theirs what they like. Answers are stored by id all the same; tokens never reach the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import blake2s

from burnin.app.take import QuestionView


class Tokens:
    """The tokens of one question's options in one sitting.

    >>> tokens = Tokens("a1b2", "genl-gpu-zero3-traffic", ("stage-two", "stage-three"))
    >>> tokens.ids([tokens.of("stage-two")])
    ('stage-two',)
    """

    def __init__(self, sitting: str, item: str, options: Iterable[str]) -> None:
        self._of: Mapping[str, str] = {option: _token(sitting, item, option) for option in options}
        self._ids = {token: option for option, token in self._of.items()}

    @classmethod
    def shown(cls, question: QuestionView) -> Tokens:
        """Return the tokens of a question as it is shown."""
        return cls(question.sitting, question.asked.id, [option.id for option in question.asked.options])

    def of(self, option: str) -> str:
        """Return an option's token. KeyError where the question has no such option."""
        return self._of[option]

    def all(self, options: Iterable[str]) -> tuple[str, ...]:
        """Return the tokens of some options, in their order."""
        return tuple(self._of[option] for option in options)

    def ids(self, tokens: Iterable[str]) -> tuple[str, ...]:
        """Return the options that tokens stand for; an unknown one stays, to be refused as such."""
        return tuple(self._ids.get(token, token) for token in tokens)


def _token(sitting: str, item: str, option: str) -> str:
    return blake2s("\0".join((sitting, item, option)).encode(), digest_size=6).hexdigest()
