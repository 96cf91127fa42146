"""Whose code a function is: the user's, a library's, or that of a package that computes nothing.

>>> is_library("numpy.linalg"), is_library("heat"), is_library("matplotlib.pyplot")
(True, False, True)
>>> computes_nothing("json.decoder"), computes_nothing("matplotlib"), computes_nothing("statistics")
(True, True, False)
"""

from __future__ import annotations

import functools
import sys
import sysconfig

_OUTPUT = frozenset({
    "IPython", "absl", "altair", "bokeh", "click", "cloudpickle", "colorama",
    "coloredlogs", "comm", "cycler", "dill", "h5py", "hvplot", "ipywidgets", "joblib", "jsonschema",
    "loguru", "matplotlib", "mlflow", "mpl_toolkits", "msgpack", "narwhals", "openpyxl", "orjson",
    "packaging", "platformdirs", "plotly", "prettytable", "psutil", "pyarrow", "requests", "rich",
    "ruamel", "seaborn", "simplejson", "structlog", "tabulate", "tensorboard", "tensorboardX",
    "termcolor", "toml", "tomli", "tomli_w", "tqdm", "ujson", "wandb", "yaml",
})  # fmt: skip
"""Packages that draw, log, store, show progress, hand out work, or look at what other packages
there are: they may be given numbers, and what they give back has no derivative."""
_LOOKING = frozenset({"array_api_compat", "array_api_extra"})
"""Parts of other packages, too, which say of what library an array is."""
_STANDARD = frozenset({
    "argparse", "ast", "base64", "calendar", "codecs", "configparser", "copy", "copyreg",
    "csv", "dataclasses", "datetime", "dis", "doctest", "email", "fnmatch", "gc", "genericpath",
    "getpass", "gettext", "glob", "gzip", "hashlib", "html", "http", "importlib", "inspect", "io",
    "ipaddress", "json", "keyword", "linecache", "locale", "logging", "lzma", "mimetypes",
    "ntpath", "os", "pathlib", "pdb", "pickle", "pickletools", "pkgutil",
    "platform", "posixpath", "pprint", "profile", "re", "reprlib", "secrets", "select", "selectors",
    "shelve", "shlex", "shutil", "signal", "site", "socket", "sqlite3", "sre_compile", "sre_parse",
    "string", "struct", "subprocess", "sysconfig", "tarfile", "tempfile", "textwrap",
    "timeit", "token", "tokenize", "tomllib", "traceback", "typing", "typing_extensions",
    "unittest", "urllib", "uuid", "warnings", "xml", "zipfile", "zipimport", "zoneinfo",
})  # fmt: skip
"""Those of the standard library; others, as `statistics` and `random`, compute."""

LIBRARIES = frozenset({"numpy", "scipy", "adtrans", *sys.stdlib_module_names, *_OUTPUT}) - {
    "__main__"
}


@functools.lru_cache(maxsize=4096)
def _top(module: str) -> str:
    return module.partition(".")[0]


def is_library(module: object) -> bool:
    """Whether a module of this name is none of the user's."""
    return _top(str(module)) in LIBRARIES


def computes_nothing(module: object) -> bool:
    """Whether functions of a module of this name are not looked into: they compute nothing that
    could be differentiated, and there are thousands of them."""
    parts = str(module).split(".")
    return parts[0] in _OUTPUT or parts[0] in _STANDARD or not _LOOKING.isdisjoint(parts)


@functools.lru_cache(maxsize=4096)
def package_of(file: str) -> str | None:
    """The package, of those that were installed, that a file belongs to; None for what the user
    works on, and for NumPy, SciPy and adtrans.

    >>> package_of("/usr/lib/site-packages/heat/rod.py"), package_of("/home/me/rod.py")
    ('heat', None)
    """
    file = file.replace("\\", "/")
    for mark in ("/site-packages/", "/dist-packages/"):
        _, found, inside = file.rpartition(mark)
        if found:
            name = inside.partition("/")[0].removesuffix(".py")
            return None if name in ("numpy", "scipy", "adtrans") else name
    return "Python" if file.startswith(_PLACES) else None


_PLACES = ("<frozen ", *(
    sysconfig.get_path(kind).replace("\\", "/") + "/" for kind in ("stdlib", "platstdlib")
))  # fmt: skip
