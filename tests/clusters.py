# SPDX-License-Identifier: BSD-3-Clause
"""Dask clusters for tests: they listen to nobody but this machine."""

import distributed


def threads():
    """Two workers that are threads of this process: no socket, and quick to start.

    Their memory is that of all tests together: a limit would pause them for good.
    """
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=False, memory_limit=None,
        dashboard_address="127.0.0.1:0",
    )  # fmt: skip


def processes():
    """Two workers that are processes, which can die."""
    return distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", memory_limit="1GB",
        dashboard_address="127.0.0.1:0",
    )  # fmt: skip
