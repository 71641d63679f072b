# SPDX-License-Identifier: BSD-3-Clause
"""Scripts in surroundings that allow less: no permission to write, no room left."""

import ctypes
import os
import shutil
import subprocess
import sys

import pytest

DROP_CAPABILITY = 24  # PR_CAPBSET_DROP of Linux
OVERRIDE_PERMISSIONS = 1  # CAP_DAC_OVERRIDE

PROBE = """
import os, sys
if os.access({folder!r}, os.W_OK):
    sys.exit(sys.stderr.write("can write"))
"""
FULL = """
mount -t tmpfs -o size=400k tmpfs {folder} || exit 99
{python} -c {before} || exit 1
cat /dev/zero > {folder}/fill 2> /dev/null
{python} -c {after}
"""


def _bound_by_permissions():
    """Let permissions bind root too, from the next program on."""
    ctypes.CDLL(None).prctl(DROP_CAPABILITY, OVERRIDE_PERMISSIONS, 0, 0, 0)


def run_read_only(script, folder, **options):
    """Run a script as someone who may not write into a folder of mode 555."""
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(folder=str(folder)) + script],
        capture_output=True,
        text=True,
        preexec_fn=_bound_by_permissions if os.geteuid() == 0 else None,
        **options,
    )
    if done.stderr == "can write":
        pytest.skip("permissions do not bind this process")
    return done


def run_on_full_disk(before, after, folder):
    """Run one script on a small disk, fill it, run the other."""
    if shutil.which("unshare") is None or os.geteuid() != 0:
        pytest.skip("no small disk can be mounted here")
    commands = FULL.format(
        folder=folder, python=sys.executable, before='"$BEFORE"', after='"$AFTER"'
    )
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-c", commands],
        capture_output=True,
        text=True,
        env=os.environ | {"BEFORE": before, "AFTER": after},
    )
    if done.returncode == 99 or "unshare" in done.stderr:
        pytest.skip("no small disk can be mounted here")
    return done
