"""A policy in, an error out if it needs an order of rows: those of a frame on Spark have none."""

from rankgold.errors import PolicyError
from rankgold.policy import Policy

_UNORDERED = {
    ("ties", "input"): "the rows of a frame on Spark have no order by which to rank tied documents",
    ("duplicates", "first"): "the rows of a frame on Spark have no order, so there is no first one",
    ("duplicates", "last"): "the rows of a frame on Spark have no order, so there is no last one",
}
"""The choices of a policy that Spark does not support, and why."""


def check_order(policy: Policy) -> None:
    for (field, choice), reason in _UNORDERED.items():
        if getattr(policy, field) == choice:
            raise PolicyError(f"Spark does not support {field}={choice}: {reason}.")
