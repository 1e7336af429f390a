"""The chance that a reader, having looked at a document of a grade, stops there satisfied."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.metric import Examples
from rankgold.declaration.named_functions import Family, Named
from rankgold.errors import MeasureError
from rankgold.kernels.segments import Floats

stop = Family("stop")


@stop
def exp(grade: Floats, *, top: float) -> Floats:
    """(2^grade - 1) / 2^top, where `top` is the best grade of the scale."""
    # (2^grade - 1) / 2^top, in a form that holds for scales of any length.
    chance: Floats = np.exp2(np.clip(grade, 0.0, top) - top) - np.exp2(-float(top))
    return chance


@stop
def sigmoid(grade: Floats, alpha: float = 1, beta: float = 0, *, top: float) -> Floats:
    """1 / (1 + e^(-alpha (grade - beta))): alpha sets how steep, beta the grade at which half of the readers stop."""
    if max(abs(alpha), abs(beta)) > 1e100:
        raise MeasureError(f"alpha and beta of a sigmoid are ordinary numbers, not {alpha} and {beta}.")
    steepness = np.clip(alpha * (np.maximum(grade, 0.0) - beta), -700.0, 700.0)
    return 1 / (1 + np.exp(-steepness))


@stop
def identity(grade: Floats, *, top: float) -> Floats:
    """The grade itself, for judgements that are probabilities already."""
    return np.clip(grade, 0.0, 1.0)


Stop = Annotated[Named, stop, "the chance that a reader stops at a grade", Examples("sigmoid(2, 1.5)")]
EXP = stop.parse("exp")
