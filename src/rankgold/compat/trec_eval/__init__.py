"""The arguments of trec_eval in, what trec_eval prints out."""
