"""The methods of fusion, by what they count: scores, ranks, votes, or what judgements taught them."""

from rankgold.fusion.methods import judged_places, ranks, scores, votes

__all__ = ["judged_places", "ranks", "scores", "votes"]
