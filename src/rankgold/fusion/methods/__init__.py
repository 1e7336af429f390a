"""The methods of fusion, by what they count: scores, ranks, votes, or what judgements taught them."""

from rankgold.fusion.methods import learned, ranks, scores, votes

__all__ = ["learned", "ranks", "scores", "votes"]
