# SPDX-License-Identifier: BSD-3-Clause
"""The XML file in which Mulan names the labels of an ARFF file."""

from pathlib import Path
from xml.etree.ElementTree import ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from labelsift.core.files import check_file

# A label takes about 30 bytes; the largest public sets have some ten thousand labels.
_LARGEST = 2**24


def read_label_names(path: Path) -> list[str]:
    """Read the names of all label elements, including nested ones, in document order.

    Entities, external or expanding, are rejected, as is a file of more than 16 MiB, one
    without a name, or with a duplicate name.
    """
    check_file(path)
    if path.stat().st_size > _LARGEST:
        raise ValueError(f"{path} has more than {_LARGEST} bytes, the limit.")
    try:
        root = fromstring(path.read_bytes(), forbid_dtd=True)
    except ParseError as error:
        line = error.position[0]
        raise ValueError(f"{path}, line {line}: not XML ({error}): fix it.") from None
    except DefusedXmlException as error:
        raise ValueError(
            f"{path} declares a DTD or an entity ({type(error).__name__}), which a "
            "list of labels does not need: remove it."
        ) from None
    except (ValueError, LookupError) as error:
        raise ValueError(
            f"{path} has an encoding that cannot be read ({error}): use UTF-8."
        ) from None
    names = [
        name
        for element in root.iter()
        if element.tag.rpartition("}")[2] == "label"
        and (name := element.get("name")) is not None
    ]
    if not names:
        raise ValueError(f"{path} names no label: it needs <label name='...'/>.")
    if len(set(names)) < len(names):
        raise ValueError(f"{path} has a duplicate label: remove one.")
    return names
