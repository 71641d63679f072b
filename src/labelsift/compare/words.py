# SPDX-License-Identifier: BSD-3-Clause
"""The text of a recommendation, which claims no more than the data show."""

import math
from typing import Any

# Methods of one verdict that are named; more are counted.
_NAMED = 3


def headline(answer: Any) -> str:
    """What the features achieve, in one sentence, also compared with chance."""
    return _quality(answer) + _against_chance(answer) + "."


def detail(answer: Any) -> str:
    """The method, and how certain the choice is, in one or two sentences."""
    words = [_method(answer)]
    if answer.better_than_random is False:
        words.append(
            f"A random ranking of that {_size(answer)} gives "
            f"{answer.random_value:.3f} "
            f"(p = {answer.random_p:.2g})."
        )
        words += _with_fewer(answer)
    words += _next_dearer(answer)
    if answer.more_may_help:
        more = (
            "A larger total than was" if answer.purchases else "More features than were"
        )
        words.append(f"{more} tried may keep more.")
    if answer.n_splits == 1:
        words.append("There was one split only, which cannot tell methods apart.")
    if answer.n_cut:
        words.append(
            f"{answer.n_cut} method{_s(answer.n_cut)} had no time for enough splits to "
            "be judged."
        )
    return " ".join(words)


def _with_fewer(answer: Any) -> list[str]:
    """The sentence on fewer features, where the choice matters."""
    fewer = answer.fewer
    if fewer is None:
        return []
    size = "1 feature" if fewer.budget == 1 else f"{fewer.budget:,} features"
    less = "With fewer features"
    if answer.purchases:
        size, less = f"features for {fewer.budget:g}", "For less"
    return [
        f"{less} the choice matters: with {size} {answer.method} gives "
        f"{fewer.value:.3f}, a random ranking {fewer.random_value:.3f} "
        f"(p = {fewer.p_value:.2g})."
    ]


def _next_dearer(answer: Any) -> list[str]:
    """What the next method costs, where the recommended one does it for less."""
    others = [item for item in answer.purchases[1:] if item.good]
    if not others or others[0].budget <= answer.budget:
        return []
    other = others[0]
    return [
        f"The next method to come as close is {other.method}, for {other.budget:g}."
    ]


def duration(seconds: float) -> str:
    """Seconds as a person says them."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"


def percent(share: float) -> str:
    """A share in percent, truncated (not rounded) after one digit."""
    return f"{math.floor(share * 1000 + 1e-9) / 10:g} %"


def _quality(answer: Any) -> str:
    ending = "s" if answer.budget == 1 and not answer.purchases else ""
    count = _count(answer)
    values = f"{answer.value:.3f}"
    if answer.reference_value is None:
        return f"{count} give{ending} {_a(answer.title)} of {values}"
    values += f" against {answer.reference_value:.3f}"
    if answer.share_kept is None:
        reached = f"{_a(answer.title)} of {values}"
        return f"{count} give{ending} {reached} with all features"
    of_all = f"the {answer.title} of all features ({values})"
    if answer.share_kept >= 1:
        return f"{count} reach{'es' if ending else ''} {of_all}"
    return f"{count} keep{ending} {percent(answer.share_kept)} of {of_all}"


def _a(title: str) -> str:
    """With its article: "an" before a letter R that is said as such (R², RMSE)."""
    spelled = title.startswith("R") and not title[1:2].islower()
    return f"{'an' if spelled else 'a'} {title}"


def _count(answer: Any) -> str:
    if answer.purchases:
        return f"Features for {answer.budget:g} of {answer.total_cost:g}"
    if answer.n_features is not None:
        return f"{answer.budget:,} of {answer.n_features:,} features"
    return f"{answer.budget:,} feature{'' if answer.budget == 1 else 's'}"


def _against_chance(answer: Any) -> str:
    if answer.better_than_random is not False:
        return ""
    subject = "it is not" if answer.any_better_than_random else "no method is"
    return f", but {subject} shown to do better than a random ranking"


def _size(answer: Any) -> str:
    return "cost" if answer.purchases else "size"


def _method(answer: Any) -> str:
    size = _size(answer)
    if answer.n_methods == 1:
        was = "was judged" if answer.n_cut else "was measured"
        return f"{answer.method} is the only method that {was} at that {size}."
    best = f"{answer.method} has the best mean at that {size}."
    if answer.n_splits == 1:
        return best
    words = {verdict.word for verdict in answer.verdicts}
    if words == {"worse"}:
        return (
            f"{answer.method} is the best choice at that {size}, better than "
            f"{_others(answer.n_methods - 1)}{' judged' if answer.n_cut else ''}."
        )
    sentences = [best, _as_good(answer), _worse(answer), _behind(answer), _rest(answer)]
    return " ".join(filter(None, sentences))


def _named(answer: Any, word: str) -> list[Any]:
    return [verdict for verdict in answer.verdicts if verdict.word == word]


def _as_good(answer: Any) -> str:
    names = [verdict.method for verdict in _named(answer, "as good")]
    if not names:
        return ""
    verb = "is" if len(names) == 1 else "are"
    return f"{_some(names)} {verb} as good (within {answer.margin:.2g})."


def _worse(answer: Any) -> str:
    worse = _named(answer, "worse")
    if not worse:
        return ""
    least, most = (end.difference for end in (worse[0], worse[-1]))
    names = _some([verdict.method for verdict in worse])
    if len(worse) == 1:
        return f"{names} is worse (by {least:.3f})."
    return f"{names} are worse (by {least:.3f} to {most:.3f})."


def _behind(answer: Any) -> str:
    behind = _named(answer, "behind")
    if not behind:
        return ""
    least, most = (end.difference for end in (behind[0], behind[-1]))
    by = f"{least:.3f}" if len(behind) == 1 else f"{least:.3f} to {most:.3f}"
    names = _some([verdict.method for verdict in behind])
    verb = "is" if len(behind) == 1 else "are"
    return f"{names} {verb} {by} behind, which {answer.n_splits} splits do not prove."


def _rest(answer: Any) -> str:
    names = [verdict.method for verdict in _named(answer, "cannot tell")]
    if not names:
        return ""
    verb = "cannot be told apart from it by"
    return f"{_some(names)} {verb} {answer.n_splits} splits; more (--repeats 4) may."


def _others(count: int) -> str:
    return "the other method" if count == 1 else f"each of the other {count} methods"


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _some(names: list[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - _NAMED
    return _listed([*names[:_NAMED], f"{more} more"] if more > 0 else names)


def _listed(names: list[str]) -> str:
    if len(names) == 1:
        return names[0]
    return f"{', '.join(names[:-1])} and {names[-1]}"
