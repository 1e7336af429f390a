"""Matches on Spark.

Rows are matched and measured on the executors.

The rows of a query are brought together by a shuffle, and Arrow batches of many queries are matched and measured at
once, by the code of the local engine. The driver receives scores or hits, never rows of the run. Small judgements are
broadcast to the tasks. Then only the rows of judged queries are shuffled, and where the run's ranks are trusted only
the rows of judged documents.
"""
