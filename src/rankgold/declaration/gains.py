"""What a document of a grade is worth. A negative grade is worth nothing."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.named_functions import Family, Named
from rankgold.errors import MeasureError
from rankgold.kernels.segments import Floats

gain = Family("gain")


@gain
def linear(grade: Floats) -> Floats:
    """The grade itself."""
    return np.maximum(grade, 0.0)


@gain
def exp(grade: Floats) -> Floats:
    """2^grade - 1, which sets the top grades far apart."""
    if len(grade) and grade.max() > 1000:
        raise MeasureError(f"2^{grade.max():g} is beyond what a number can hold. Use gain=linear for such grades.")
    return np.exp2(np.maximum(grade, 0.0)) - 1


@gain
def binary(grade: Floats) -> Floats:
    """1 for every positive grade."""
    return (grade > 0).astype(np.float64)


Gain = Annotated[Named, gain, "what a grade is worth"]
LINEAR = gain.parse("linear")
