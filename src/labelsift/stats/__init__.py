# SPDX-License-Identifier: BSD-3-Clause
"""Statistical tests of differences between methods.

A name is imported when it is first used: a comparison needs two of the modules only.
"""

from importlib import import_module
from typing import Any

_MODULES = {
    "friedman": ("RankTest", "average_ranks", "friedman_nemenyi", "statlog_ranks"),
    "blocks": (
        "MethodBlocks",
        "MethodRanks",
        "compare_methods",
        "method_blocks",
        "rank_methods",
    ),
    "effect_size": ("Shift", "hodges_lehmann", "rank_biserial"),
    "resampled_t": ("ResampledTest", "corrected_resampled_t"),
    "adjustment": ("holm",),
    "wilcoxon": ("PairedTest", "wilcoxon_holm"),
}

__all__ = sorted(name for names in _MODULES.values() for name in names)


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
