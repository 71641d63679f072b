# SPDX-License-Identifier: BSD-3-Clause
"""How the gallery finds the pictures that an example writes as files."""

import shutil
from pathlib import Path

from sphinx_gallery.scrapers import figure_rst


def written_pictures(block, block_vars, gallery_conf):
    """Take the PNG files that a block of an example wrote, in the order of their age.

    They are moved out of the folder of the examples, where a second build would find
    them again.
    """
    folder = Path(block_vars["src_file"]).parent
    written = sorted(folder.glob("*.png"), key=lambda path: path.stat().st_mtime_ns)
    taken = []
    for path in written:
        taken.append(next(block_vars["image_path_iterator"]))
        shutil.move(path, taken[-1])
    return figure_rst(taken, gallery_conf["src_dir"])
