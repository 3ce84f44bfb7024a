"""`make docs`: the engine's API pages, made by pdoc from its docstrings, into `build/api`.

`engine.html` has the public names, and each module's page its purpose.
"""

import pkgutil
import sys
from pathlib import Path

import pdoc
import pdoc.render

import engine


def modules() -> list[str]:
    """Return the engine and its modules except `__main__`; pdoc adds the modules in its packages."""
    below = [module.name for module in pkgutil.iter_modules(engine.__path__, "engine.")]
    return ["engine", *(name for name in below if not name.endswith("__main__"))]


def write(folder: Path) -> None:
    """Write the pages."""
    for name in engine.__all__:  # pdoc does not ask a module's `__getattr__`
        setattr(engine, name, getattr(engine, name))
    pdoc.render.configure(docformat="markdown", footer_text="dudo-table: the rules of Dudo as pure values")
    pdoc.pdoc(*modules(), output_directory=folder)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
    print(f"{sys.argv[1]}/engine.html: open it in a browser")
