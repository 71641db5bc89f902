"""How hard the properties are tried: two profiles of hypothesis, `ci` and `long`.

The long run, some minutes on two cores:

    GROUNDING_FUZZ=long python -m pytest tests/property -m "slow or not slow"

`--hypothesis-profile long` chooses the profile too; the tests marked slow bring their own numbers
of rows and need only `-m slow`.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "ci",
    max_examples=25,  # of 20 rows each where a test draws rows
    deadline=None,  # an example may wait for the machine; bounds on time are tests of their own
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    print_blob=True,
)
settings.register_profile("long", settings.get_profile("ci"), max_examples=2_000)
settings.load_profile(os.environ.get("GROUNDING_FUZZ", "ci"))
