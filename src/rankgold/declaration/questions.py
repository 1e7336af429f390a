"""The questions that measures answer: the list of measures and its page in the documentation are grouped by them."""

QUESTIONS = {
    "first": "How soon does the first good document come?",
    "count": "How many of the first k documents are relevant, and how many are missing?",
    "order": "How high do all the relevant documents stand?",
    "grades": "How good is the order when documents have grades?",
    "meanings": "Does the list cover all meanings of the query?",
    "agreement": "Is the whole list in the right order?",
    "judged": "How much of the list was judged, and what do the judgements alone say?",
    "tops": "How much do the tops of two rankings have in common?",
    "orders": "Do two rankings have their documents in the same order?",
    "catalogue": "How much of the catalogue do the lists show, and how evenly?",
    "popular": "Do the lists show more than bestsellers?",
    "variety": "How different are the items of a list, and the lists of users?",
    "groups": "Which groups of items get the attention?",
}
"""The question by its short name, which `@measure(question=...)` takes."""
