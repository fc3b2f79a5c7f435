"""The protocol without msgspec: one sentence that names the extra."""

from __future__ import annotations

import sys

import pytest

from tests.processes import finished


@pytest.mark.parametrize("module", ["fields", "messages", "requests", "views"])
def test_a_module_that_needs_msgspec_names_the_extra(module: str) -> None:
    script = f"import sys; sys.modules['msgspec'] = None; import heartrush_env.protocol.{module}"
    ended = finished(sys.executable, "-c", script, text=True)
    assert ended.stderr.splitlines()[-1] == (
        "heartrush_env.tabletop.errors.HeartRushError: The engine protocol needs msgspec, which is not installed: "
        "pip install 'heartrush-env[protocol]'."
    )
