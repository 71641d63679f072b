# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the command line share."""

import pytest

from labelsift.cli import app


@pytest.fixture
def command(capfd):
    """Run a command as a user does; give its exit code and what it printed."""

    def call(*arguments):
        code = app.run(list(map(str, arguments)))
        out, err = capfd.readouterr()
        return code, out, err

    return call
