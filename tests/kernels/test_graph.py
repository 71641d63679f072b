# SPDX-License-Identifier: BSD-3-Clause
from labelsift.kernels.graph import warm_up


def test_kernels_warm_up():
    warm_up()
