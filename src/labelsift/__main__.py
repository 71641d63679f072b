# SPDX-License-Identifier: BSD-3-Clause
"""``python -m labelsift``: the command line, where its script is not on the path."""

from labelsift.cli import main

if __name__ == "__main__":  # workers import this module again
    main()
