"""What is not judged, or judged more than once: bounds, what to judge next, pools, agreement, one qrels of many."""
