"""Tensors of PyTorch wherever arrays are taken."""

import numpy as np
import pytest
import torch

import rankgold
from tests.peers.collections import arrays

MEASURES = ["ap", "ndcg@10", "rr", "p@5"]


def means(hits):
    return rankgold.evaluate(hits, MEASURES).means


@pytest.mark.parametrize("kind", [torch.int64, torch.int32, torch.uint8, torch.float16, torch.float32, torch.float64])
def test_tensors_of_any_type_score_as_arrays(kind):
    grades, scores = arrays(1)
    expected = means(rankgold.from_arrays(grades, scores))
    assert means(rankgold.from_arrays(torch.tensor(grades).to(kind), torch.tensor(scores))) == expected
    assert means(rankgold.from_labels(torch.tensor(grades).to(kind))) == means(rankgold.from_labels(grades))


def test_flat_tensors_with_groups_and_a_mask_score_as_arrays():
    grades, scores = arrays(2)
    mask = torch.tensor(scores) > 1
    expected = means(rankgold.from_arrays(grades, scores, mask=mask.numpy()))
    groups = torch.full((len(grades),), grades.shape[1])
    flat = [torch.tensor(array).reshape(-1) for array in (grades, scores)]
    assert means(rankgold.from_arrays(*flat, groups=groups, mask=mask.reshape(-1))) == expected


def test_a_transposed_tensor_is_read_in_its_own_order():
    grades, scores = arrays(3)
    turned = torch.tensor(np.ascontiguousarray(scores.T)).T
    assert not turned.is_contiguous()
    assert means(rankgold.from_arrays(grades, turned)) == means(rankgold.from_arrays(grades, scores))


def test_the_scores_of_a_model_that_is_being_trained_are_read():
    # The only relevant document has the lower score.
    model = torch.nn.Linear(1, 1, bias=False)
    with torch.no_grad():
        model.weight.fill_(2.0)
    scores = model(torch.tensor([[[1.0], [3.0]]])).squeeze(-1)
    assert scores.requires_grad
    assert rankgold.evaluate(rankgold.from_arrays(torch.tensor([[1, 0]]), scores), ["rr"])["rr"] == 0.5


def test_lists_of_tensors_may_differ_in_length():
    # Ranks 1 and 4 of two relevant ones; rank 2 of one: (1/1 + 2/4) / 2 and 1/2.
    hits = rankgold.from_labels([torch.tensor([1, 0, 0, 1]), torch.tensor([0.0, 1.0], requires_grad=True)])
    assert rankgold.evaluate(hits, ["ap"]).per_query["ap"].to_list() == [0.75, 0.5]


def test_a_type_that_numpy_does_not_have_is_an_error_that_says_what_to_do():
    with pytest.raises(rankgold.DataError, match=r"Convert it with .float\(\)"):
        rankgold.from_arrays([[1, 0]], torch.tensor([[1.0, 2.0]], dtype=torch.bfloat16))
