"""The operations: everything that can be done to a photo.

The operations are grouped by kind, such as `add` or `color`. The modules of a kind are imported when the
first operation of that kind is needed. An edit uses only one or two kinds, so importing all of them would
take up much of the time of a short edit.
"""

from functools import cache
from importlib import import_module
from pkgutil import walk_packages

from editor.engine.canvas import OPERATIONS, Operation
from editor.engine.catalog import find_declaration


def find_operation(operation: str) -> Operation:
    """Return the function that carries out the steps of an operation.

    Raises KeyError if there is no such operation.
    """
    if declaration := find_declaration(operation):
        _import(declaration.kind)
    return OPERATIONS[operation]


@cache
def _import(kind: str) -> None:
    package = import_module(f"{__name__}.{kind}")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        import_module(module.name)
