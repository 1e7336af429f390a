"""Batches of tensors as torchmetrics takes them, and measures that a Trainer of Lightning logs and watches."""

import pickle

import pytest
import pytorch_lightning as lightning
import torch
from torchmetrics.retrieval import RetrievalNormalizedDCG

import rankgold
from rankgold.compat.integrations import BatchMetrics
from tests.peers.collections import arrays


def test_batches_add_up_to_the_numbers_of_torchmetrics():
    ours, theirs = BatchMetrics(["ndcg@5"]), RetrievalNormalizedDCG(top_k=5)
    for number in range(3):
        grades, scores = (torch.tensor(array) for array in arrays(number))
        order = torch.randperm(grades.numel(), generator=torch.Generator().manual_seed(number))
        indexes = torch.arange(len(grades)).repeat_interleave(grades.shape[1]) + 100 * number
        batch = [tensor.reshape(-1)[order] for tensor in (scores, grades, indexes)]
        ours.update(*batch)
        theirs.update(*batch)
    assert ours.compute() == pytest.approx({"ndcg_at_5": float(theirs.compute())}, abs=1e-6)


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16, torch.float32, torch.float64])
def test_scores_with_gradients_of_any_type_are_taken(kind):
    # The relevant document has the lower of the two scores.
    metrics = BatchMetrics("rr")
    metrics.update(torch.tensor([[1.0, 3.0]], dtype=kind, requires_grad=True), torch.tensor([[1, 0]]))
    assert metrics.compute() == {"rr": 0.5}


def test_masked_cells_hold_no_document():
    metrics = BatchMetrics("rr")
    mask = torch.tensor([[True, True, False]])
    metrics.update(torch.tensor([[1.0, 2.0, 9.0]]), torch.tensor([[0, 1, 0]]), mask=mask)
    assert metrics.compute() == {"rr": 1.0}


def test_metrics_of_several_processes_are_sent_and_merged():
    grades, scores = (torch.tensor(array) for array in arrays(1))
    parts = []
    for rows in (slice(0, 12), slice(12, None)):
        part = BatchMetrics(["ap", "rr@10"])
        part.update(scores[rows], grades[rows])
        parts.append(pickle.loads(pickle.dumps(part)))
    parts[0].merge(parts[1])
    expected = rankgold.evaluate(rankgold.from_arrays(grades, scores), ["ap", "rr@10"]).to_metrics()
    assert parts[0].compute() == expected


class Ranker(lightning.LightningModule):
    """A linear model of two features, with the measures of each epoch."""

    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(2, 1)
        self.metrics = BatchMetrics(["ndcg@10", "rr"])
        self.seen = []

    def training_step(self, batch, _):
        features, grades = batch
        return torch.nn.functional.mse_loss(self.layer(features).squeeze(-1), grades)

    def validation_step(self, batch, _):
        features, grades = batch
        self.metrics.update(self.layer(features).squeeze(-1), grades)

    def on_validation_epoch_end(self):
        means = self.metrics.compute()
        self.seen.append(means)
        self.log_dict(means)
        self.metrics.reset()

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.05)


@pytest.mark.filterwarnings("ignore")
def test_lightning_logs_the_measures_and_watches_one(tmp_path):
    torch.manual_seed(0)
    features = torch.randn(12, 6, 2)
    grades = (features[..., 0] > 0.5).float()
    data = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(features, grades), batch_size=4)
    watched = lightning.callbacks.ModelCheckpoint(tmp_path, monitor="ndcg_at_10", mode="max")
    trainer = lightning.Trainer(
        max_epochs=3, accelerator="cpu", logger=False, callbacks=[watched], enable_progress_bar=False,
        enable_model_summary=False, num_sanity_val_steps=0,
    )  # fmt: skip
    model = Ranker()
    trainer.fit(model, data, data)
    assert len(model.seen) == 3
    assert trainer.callback_metrics["rr"] == pytest.approx(model.seen[-1]["rr"], abs=1e-6)
    assert float(watched.best_model_score) == pytest.approx(max(means["ndcg_at_10"] for means in model.seen), abs=1e-6)
    scores = model.layer(features).squeeze(-1)
    hits = rankgold.from_arrays(grades, scores)
    assert model.seen[-1] == pytest.approx(rankgold.evaluate(hits, ["ndcg@10", "rr"]).to_metrics(), abs=1e-12)
