# SPDX-License-Identifier: BSD-3-Clause
"""Fits on an accelerator: seconds, and the same answers as numpy.

    python perf/gpu.py [--out FILE]                       (a CUDA device, 60 GB of it)
    python perf/gpu.py --device cpu --rows 20000 --features 100 --gcv-features 200
    python perf/gpu.py --forms                            (shapes of a block of rows)

Data are made on the device; what it costs to bring them there is a line of its own. The
first fit of a kind also compiles: its seconds stand apart from the best of three more.
The answers are compared with numpy's on the first rows, in the same run. Needs torch;
cupy is measured too where it is installed.
"""

import argparse
import gc
import importlib.util
import os
import platform
import sys
import time
import warnings

os.environ["SCIPY_ARRAY_API"] = "1"  # scikit-learn asks for it

import numpy as np
import sklearn
import torch

from labelsift.classification import BinaryRidge
from labelsift.selection import FisherScore, GreedyRLS, MTLasso
from labelsift.selection.greedy_rls import device_rows
from labelsift.subspace import MLLS
from labelsift.sums import Sums

INFORMATIVE = 60
LINES = []


def say(line=""):
    print(line, flush=True)
    LINES.append(line)


def made(rows, features, labels, device, dtype=torch.float64):
    """Columns of noise, and labels that some of them decide, a part at a time."""
    generator = torch.Generator(device=device).manual_seed(0)
    options = {"device": device, "generator": generator}
    X = torch.empty((rows, features), dtype=dtype, device=device)
    Y = torch.empty((rows, labels), dtype=torch.int8, device=device)
    used = min(INFORMATIVE, features)
    B = torch.randn((used, labels), **options)
    # A few labels depend on a feature each, and the features differ in what they do.
    B *= (torch.rand((used, labels), **options) < 0.3) * torch.linspace(
        2.0, 0.5, used, device=device
    ).unsqueeze(1)
    for start in range(0, rows, 100_000):
        part = slice(start, min(start + 100_000, rows))
        count = part.stop - part.start
        x = torch.randn((count, features), **options)
        noise = torch.randn((count, labels), **options)
        X[part] = x.to(dtype)
        Y[part] = ((x[:, :used] @ B + 4 * noise) > 3).to(torch.int8)
    return X, Y


def synchronise():
    if torch.cuda.is_available():
        torch.cuda.synchronize()


def seconds(work):
    synchronise()
    start = time.perf_counter()
    answer = work()
    synchronise()
    return time.perf_counter() - start, answer


def timed(name, work, repeats=3, wanted=None):
    """A line of the table: the first call, and the best of some more."""
    if torch.cuda.is_available():
        torch.cuda.reset_peak_memory_stats()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        try:
            first, answer = seconds(work)
            best = min(seconds(work)[0] for _ in range(repeats)) if repeats else first
        except Exception as error:
            say(f"{name:<56} failed: {type(error).__name__}: {str(error)[:200]}")
            return None
        finally:
            for sentence in dict.fromkeys(str(each.message) for each in caught):
                say(f"  warning: {sentence}")
    peak = torch.cuda.max_memory_allocated() / 1e9 if torch.cuda.is_available() else 0.0
    goal = "" if wanted is None else f"{wanted:>9.2f}"
    say(f"{name:<56} {first:>9.2f} {best:>9.3f} {goal:>9} {peak:>9.1f}")
    return answer


def release():
    gc.collect()
    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def leave_one_out(X, Y, k):
    n, d = X.shape
    size = f"{n:,} x {d:,}, {Y.shape[1]} labels"
    timed(
        f"torch  leave-one-out k={k}, {size}",
        lambda: GreedyRLS(k, solver="dense").fit(X, Y),
        wanted=1.2,
    )
    timed("torch  the same, float32 storage (mixed)", lambda: mixed(k, X, Y))
    half = X.to(torch.float32)
    timed(
        "torch  the same, X in float32, float64 storage",
        lambda half=half: GreedyRLS(k, solver="dense").fit(half, Y),
    )
    del half
    release()
    steps(X, Y, k)
    plainly(X, Y, k)


def mixed(k, X, Y):
    return GreedyRLS(k, solver="mixed").fit(X, Y)


def plainly(X, Y, k):
    """The same array code, one operation at a time."""
    limit = device_rows._COMPILED_ENTRIES
    device_rows._COMPILED_ENTRIES = 2 * X.shape[0] * X.shape[1]
    try:
        timed(
            "torch  the same, not compiled",
            lambda: GreedyRLS(k, solver="dense").fit(X, Y),
            repeats=1,
        )
    finally:
        device_rows._COMPILED_ENTRIES = limit


def steps(X, Y, k):
    """Where the time of one fit goes."""
    from labelsift.sums.device import DeviceBlock

    with_steps, _ = min(
        (seconds(lambda: GreedyRLS(k, solver="dense").fit(X, Y)) for _ in range(3)),
        key=lambda pair: pair[0],
    )
    one, _ = min(
        (seconds(lambda: GreedyRLS(1, solver="dense").fit(X, Y)) for _ in range(3)),
        key=lambda pair: pair[0],
    )
    read, block = min(
        (seconds(lambda: DeviceBlock.read(X, Y, None, "auto")) for _ in range(3)),
        key=lambda pair: pair[0],
    )
    summed, _ = min(
        (seconds(lambda: Sums().update_device(block)) for _ in range(3)),
        key=lambda pair: pair[0],
    )
    step = (with_steps - one) / max(k - 1, 1)
    moved = 4 * 8 * X.shape[0] * X.shape[1]
    say(
        f"       of it: reading {read:.3f}, sums {summed:.3f}, first step "
        f"{one - read - summed:.3f}, others {1e3 * step:.1f} ms each "
        f"({moved / step / 1e12:.2f} TB/s of the two arrays, read and written)"
    )


def from_sums(X, Y, k):
    n, d = X.shape
    size = f"{n:,} x {d:,}, {Y.shape[1]} labels"
    timed(f"torch  Sums, {size}", lambda: Sums(label_products=False).update(X, Y))
    timed(f"torch  FisherScore, {size}", lambda: FisherScore(k).fit(X, Y))
    timed(f"torch  BinaryRidge, {size}", lambda: BinaryRidge().fit(X, Y))
    timed(f"torch  MLLS(10), {size}", lambda: MLLS(10).fit(X, Y))
    timed(f"torch  MTLasso(alpha given), {size}", lambda: lasso(k, X, Y), repeats=1)


def lasso(k, X, Y):
    """At an alpha far above what columns of noise reach."""
    alpha = 0.01 * X.shape[0] ** 0.5 * Y.shape[1]
    return MTLasso(k, alpha=alpha, tol=1e-4).fit(X, Y)


def by_gcv(X, Y, k, name="torch"):
    n, d = X.shape
    kind = str(X.dtype).rpartition(".")[2]
    timed(
        f"{name}  gcv k={k}, {n:,} x {d:,}, {Y.shape[1]} labels, X {kind}",
        lambda: GreedyRLS(k, criterion="gcv").fit(X, Y),
        wanted=2.0,
    )


def with_cupy(X, Y, k):
    """The arrays of torch as those of cupy, without a copy."""
    import cupy

    X, Y = cupy.from_dlpack(X), cupy.from_dlpack(Y)
    say(f"cupy {cupy.__version__}")
    timed(
        f"cupy   leave-one-out k={k}, not compiled",
        lambda: GreedyRLS(k, solver="dense").fit(X, Y),
        repeats=1,
    )
    by_gcv(X, Y, k, "cupy ")
    timed("cupy   FisherScore", lambda: FisherScore(k).fit(X, Y))
    timed("cupy   BinaryRidge", lambda: BinaryRidge().fit(X, Y))
    timed("cupy   MLLS(10)", lambda: MLLS(10).fit(X, Y))
    cupy.get_default_memory_pool().free_all_blocks()


def transfer(X):
    """What it costs to bring X to the device."""
    host = X.cpu()
    timed(
        f"       copying X of {host.numel() * host.element_size() / 1e9:.1f} GB there",
        lambda: host.to(X.device),
        repeats=2,
    )


def compare(X, Y, k, rows):
    """The answers of numpy on some rows, and of the device on the same."""
    X, Y = X[:rows].contiguous(), Y[:rows].contiguous()
    on_host = X.cpu().numpy(), Y.cpu().numpy()
    device_rows._COMPILED_ENTRIES = 0
    say()
    say(f"against numpy on {len(Y):,} x {X.shape[1]:,}; numpy's seconds")
    for name, make in {
        "leave-one-out, float64": lambda: GreedyRLS(k, solver="dense"),
        "leave-one-out, float32 storage": lambda: GreedyRLS(k, solver="mixed"),
        "gcv": lambda: GreedyRLS(k, criterion="gcv"),
        "FisherScore": lambda: FisherScore(k),
        "BinaryRidge": BinaryRidge,
        "MLLS(10)": lambda: MLLS(10),
        "MTLasso": lambda: MTLasso(k, alpha=0.01 * rows**0.5 * Y.shape[1], tol=1e-8),
    }.items():
        took, host = seconds(lambda make=make: make().fit(*on_host))
        device = make().fit(X, Y)
        for narrow in (False, True):
            if narrow:
                single = X.to(torch.float32)
                host = make().fit(single.cpu().numpy(), on_host[1])
                device = make().fit(single, Y)
            say(
                f"  {name:<32} X {'float32' if narrow else 'float64'}: "
                f"{agreement(host, device)}" + ("" if narrow else f"; {took:.1f} s")
            )


def agreement(host, device):
    """In which order, and how far from each other."""
    words = []
    if hasattr(host, "feature_order_"):
        first = host.n_features_
        same = host.feature_order_[:first] == device.feature_order_[:first]
        words.append("same order" if same.all() else f"{same.sum()} of {first} alike")
    for attribute in ("loo_error_", "gcv_error_", "scores_", "coef_"):
        if hasattr(host, attribute):
            left, right = getattr(host, attribute), getattr(device, attribute)
            gap = np.abs(left - right).max() / np.abs(left).max()
            words.append(f"{attribute} {gap:.0e}")
    return ", ".join(words)


def forms(X, Y, k):
    """Other shapes of a block of rows: rows of a group, and entries of a block."""
    block, group = device_rows._BLOCK_ENTRIES, device_rows._GROUP
    shapes = ((8192, 27), (2048, 27), (65536, 27), (8192, 30))
    for rows, power in shapes:
        torch._dynamo.reset()
        device_rows._GROUP, device_rows._BLOCK_ENTRIES = rows, 2**power
        timed(
            f"       groups of {rows} rows, blocks of 2^{power} entries",
            lambda: GreedyRLS(k, solver="dense").fit(X, Y),
            repeats=2,
        )
        release()
    device_rows._BLOCK_ENTRIES, device_rows._GROUP = block, group
    torch._dynamo.reset()


def introduce(device):
    name = torch.cuda.get_device_name() if device.type == "cuda" else platform.machine()
    say(f"# command: python perf/gpu.py {' '.join(sys.argv[1:])}".rstrip())
    say(f"# machine: {name}, {os.cpu_count()} cores")
    say(
        f"# versions: Python {platform.python_version()}, torch {torch.__version__}, "
        f"numpy {np.__version__}, scikit-learn {sklearn.__version__}"
    )
    say(f"# date: {time.strftime('%Y-%m-%d')}")
    say()
    say(f"{'':<56} {'first s':>9} {'best s':>9} {'wanted s':>9} {'peak GB':>9}")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--features", type=int, default=1000)
    parser.add_argument("--gcv-features", type=int, default=4000)
    parser.add_argument("--labels", type=int, default=100)
    parser.add_argument("-k", type=int, default=50)
    parser.add_argument("--compare-rows", type=int, default=20_000)
    parser.add_argument("--forms", action="store_true")
    parser.add_argument("--out")
    return parser.parse_args()


def run(asked, device):
    k = asked.k
    X, Y = made(asked.rows, asked.features, asked.labels, device)
    if asked.forms:
        forms(X, Y, k)
        return
    leave_one_out(X, Y, k)
    from_sums(X, Y, k)
    transfer(X)
    if importlib.util.find_spec("cupy") and device.type == "cuda":
        with_cupy(X, Y, k)
    else:
        say("cupy is not installed, or there is no CUDA device")
    compare_X = X[: asked.compare_rows].clone()
    compare_Y = Y[: asked.compare_rows].clone()
    del X, Y
    release()
    for dtype in (torch.float64, torch.float32):
        X, Y = made(asked.rows, asked.gcv_features, asked.labels, device, dtype)
        by_gcv(X, Y, k)
        if dtype == torch.float64:
            timed(
                f"torch  Sums of these {X.shape[1]:,} features",
                lambda X=X, Y=Y: Sums(label_products=False).update(X, Y),
            )
        del X, Y
        release()
    compare(compare_X, compare_Y, k, asked.compare_rows)


def main():
    asked = options()
    if asked.device.startswith("cuda") and not torch.cuda.is_available():
        sys.exit(
            "There is no CUDA device here: pass --device cpu with small --rows, "
            "--features and --gcv-features to try this script."
        )
    device = torch.device(asked.device)
    introduce(device)
    try:
        with sklearn.config_context(array_api_dispatch=True):
            run(asked, device)
    finally:
        if asked.out:
            with open(asked.out, "w", encoding="utf-8") as file:
                file.write("\n".join(LINES) + "\n")


if __name__ == "__main__":
    main()
