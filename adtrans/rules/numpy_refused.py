"""What of NumPy has no derivative rule, with the reason; and what says nothing about numbers.

The reason is printed where a value that carries a derivative meets the function.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> rule = lookup(np.roots)
>>> print(rule.refusal(rule.bind((Name("p"),), ()), {}))
the roots of a real polynomial may be complex; Newton's method from a known root is differentiated
"""

from __future__ import annotations

from adtrans.rules.declare import constant, constant_ufunc, refused, unknown

refused("the roots of a real polynomial may be complex; Newton's method from a known root is "
        "differentiated", "np.roots")  # fmt: skip
refused("its result is complex, and complex numbers carry no derivative here", "np.sort_complex",
        "np.complex64", "np.complex128", "np.clongdouble", "np.cdouble",
        "np.csingle", "np.complex256", result="maybe_same", of="arg0")  # fmt: skip
refused("quotient and remainder have lengths that depend on the values; multiply with "
        "`np.polymul`, or divide in a loop", "np.polydiv")  # fmt: skip
_JUMPS = ("counts are constant between jumps, and the edges of the bins follow the data; smooth "
          "counts with a kernel, as a sum of `np.exp`")
refused(_JUMPS, "np.histogram2d", "np.histogramdd")
refused(_JUMPS, "np.histogram_bin_edges(a, bins=10, range=None, weights=None)",
        result="maybe_same", of="bins")  # fmt: skip

# These run code of the user's, or share memory: nothing is said about what they do.
unknown("it calls a Python function that adtrans does not look into from here; call that in a "
        "loop, or on the whole array", "np.apply_along_axis", "np.apply_over_axes", "np.frompyfunc",
        "np.fromfunction", "np.piecewise", "np.vectorize")  # fmt: skip
unknown("matrices and records behave differently from arrays: `*` is another product, a slice has "
        "two axes; use plain arrays", "np.asmatrix", "np.bmat", "np.matrix", "np.recarray",
        "np.record")  # fmt: skip
unknown("its coefficients are attributes of an object; use `np.polyval(c, x)` and the functions "
        "beside it", "np.poly1d")
unknown("it makes an array of memory that others may change; copy it into an array of your own",
        "np.from_dlpack", "np.memmap", "np.frombuffer", "np.ndarray")  # fmt: skip
unknown("it iterates over elements in an order and with buffers of its own; loop over indices",
        "np.nested_iters", "np.nditer", "np.ndenumerate", "np.flatiter",
        "np.broadcast")  # fmt: skip
unknown("objects of Python in an array are not followed", "np.object_", "np.void")

constant(
    "np.base_repr", "np.binary_repr", "np.format_float_positional", "np.format_float_scientific",
    "np.common_type", "np.isdtype", "np.min_scalar_type", "np.typename",
    "np.iscomplexobj", "np.isrealobj", "np.einsum_path", "np.packbits",
    "np.unpackbits", "np.get_include", "np.get_printoptions", "np.getbufsize", "np.geterr",
    "np.geterrcall", "np.datetime_data",
    "np.datetime_as_string", "np.datetime64", "np.timedelta64", "np.busdaycalendar", "np.bytes_",
    "np.generic", "np.number", "np.inexact", "np.floating",
    "np.integer", "np.signedinteger", "np.unsignedinteger", "np.complexfloating", "np.flexible",
    "np.character", "np.ufunc",
)  # fmt: skip
_DAYS = "weekmask='1111100', holidays=None, busdaycal=None, out=None)"
constant(f"np.busday_count(begindates, enddates, {_DAYS}", f"np.is_busday(dates, {_DAYS}",
         f"np.busday_offset(dates, offsets, roll='raise', {_DAYS}")  # fmt: skip
constant("np.mintypecode", inert=())
constant_ufunc("np.isnat(x)")
constant("np.seterr", "np.seterrcall", "np.setbufsize", "np.printoptions", "np.errstate",
         "np.savez", "np.savez_compressed", "np.fromregex", "np.info", "np.show_config",
         "np.show_runtime", "np.test", impure=True)  # fmt: skip
constant(methods=("dump", "dumps", "tobytes", "tofile"), impure=True, inert=())

# What only NumPy 1 has.
unknown("NumPy 2 has no such function: use `np.all`, `np.any`, `np.prod`, `np.cumprod`, "
        "`np.round`, `np.sort(a, axis=0)` or `np.asarray(a, float)`", "np.alltrue", "np.sometrue",
        "np.product", "np.cumproduct", "np.round_", "np.msort", "np.asfarray",
        "np.fastCopyAndTranspose", "np.safe_eval", "np.char.chararray")  # fmt: skip
constant("np.byte_bounds", "np.find_common_type", "np.issctype", "np.issubclass_", "np.issubsctype",
         "np.maximum_sctype", "np.obj2sctype", "np.sctype2char")  # fmt: skip
constant("np.DataSource", "np.add_docstring", "np.add_newdoc", "np.add_newdoc_ufunc",
         "np.compare_chararrays", "np.deprecate", "np.deprecate_with_doc", "np.disp",
         "np.format_parser", "np.get_array_wrap", "np.geterrobj", "np.lookfor", "np.recfromcsv",
         "np.recfromtxt", "np.set_numeric_ops", "np.set_string_function", "np.seterrobj",
         "np.source", "np.who", impure=True)  # fmt: skip
