"""Makes the sample recommendations: dishes, what users ordered, and what two recommenders would show them.

    python scripts/samples/dishes.py

Orders are drawn at random: some dishes are popular, and every user prefers two cuisines. `bestsellers` shows everyone
the most ordered dishes; `neighbours` shows the dishes that are ordered together with those of the user.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

SAMPLES = Path(__file__).parents[2] / "src" / "rankgold" / "samples"
MENUS = {
    ("Italian", "Trattoria"): "lasagne:pasta carbonara:pasta pesto-linguine:pasta margherita:pizza marinara:pizza"
    " risotto:rice minestrone:soup tiramisu:dessert",
    ("Japanese", "Izakaya"): "ramen:soup miso-soup:soup sushi:rice onigiri:rice gyoza:dumplings tempura:fried"
    " mochi:dessert",
    ("Indian", "Tandoor"): "palak-paneer:curry dal:curry chana-masala:curry biryani:rice samosa:fried naan:bread"
    " kulfi:dessert",
    ("Mexican", "Cantina"): "tacos:bread burrito:rice enchiladas:bread pozole:soup churros:dessert",
    ("Lebanese", "Cedar"): "falafel:fried hummus:bread tabbouleh:salad baklava:dessert",
    ("American", "Diner"): "caesar:salad burger:bread mac-and-cheese:pasta pancakes:dessert chowder:soup",
}
FAVOURITES = {"margherita": 1.2, "burger": 1.0, "ramen": 0.9}
USERS = [f"u{number:02}" for number in range(1, 31)]
SHOWN = 22


def main() -> None:
    random = np.random.default_rng(3)
    menu = [(*entry.split(":"), *place) for place, dishes in MENUS.items() for entry in dishes.split()]
    dishes = [dish for dish, *_ in menu]
    cuisines = np.array([cuisine for _, _, cuisine, _ in menu])
    prices = [round(price * 2) / 2 for price in random.uniform(4, 16, len(menu))]
    _write(
        "dishes.csv",
        "item,category,group,price",
        [
            f"{dish},{kind}|{cuisine},{kitchen},{price:g}"
            for (dish, kind, cuisine, kitchen), price in zip(menu, prices, strict=True)
        ],
    )
    appeal = random.permutation(1 / np.arange(1, len(menu) + 1) ** 0.8)
    for dish, value in FAVOURITES.items():
        appeal[dishes.index(dish)] = value
    ordered = np.zeros((len(USERS), len(menu)))
    for user in range(len(USERS)):
        liked = np.isin(cuisines, random.choice(np.unique(cuisines), 2, replace=False))
        chance = appeal * np.where(liked, 4.0, 0.6)
        chosen = random.choice(len(menu), int(random.integers(4, 9)), replace=False, p=chance / chance.sum())
        ordered[user, chosen] = 1
    rows = [f"{USERS[user]},{dishes[dish]}" for user, dish in zip(*np.nonzero(ordered), strict=True)]
    _write("orders.csv", "user,item", rows)
    counts = ordered.sum(axis=0)
    _recommend(
        "bestsellers.csv", np.tile(counts / len(USERS) + np.linspace(0.0004, 0, len(menu)), (len(USERS), 1)), dishes
    )
    together = ordered.T @ ordered / np.sqrt(np.outer(counts + 1, counts + 1))
    np.fill_diagonal(together, 0)
    near = ordered @ together + random.uniform(0, 0.004, ordered.shape)
    _recommend("neighbours.csv", near + 0.5 * ordered, dishes)


def _recommend(name: str, scores: np.ndarray, dishes: list[str]) -> None:
    rows = []
    for user, row in zip(USERS, scores, strict=True):
        rows += [f"{user},{dishes[dish]},{row[dish]:.3f}" for dish in np.argsort(-row, kind="stable")[:SHOWN]]
    _write(name, "user,item,score", rows)


def _write(name: str, header: str, rows: list[str]) -> None:
    (SAMPLES / name).write_text("\n".join([header, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
