"""What every test run needs: names for the doctests in src/, and how hard hypothesis tries."""

import os

import pytest
from hypothesis import settings

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


class DoctestNames:
    """A plugin of its own: a fixture of this file would be seen below tests/ only, and the doctests are in src/."""

    @pytest.fixture(autouse=True)
    def names_in_doctests(self, doctest_namespace):
        import karat

        doctest_namespace["one_query"] = lambda labels: karat.from_labels([labels])


def pytest_configure(config):
    config.pluginmanager.register(DoctestNames(), "karat doctest names")
