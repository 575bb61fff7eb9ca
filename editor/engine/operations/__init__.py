"""What can be done to a photo: importing this package fills canvas.OPERATIONS with every module below it."""

from importlib import import_module
from pkgutil import walk_packages

from editor.engine.canvas import OPERATIONS as OPERATIONS

for module in walk_packages(__path__, f"{__name__}."):
    import_module(module.name)
