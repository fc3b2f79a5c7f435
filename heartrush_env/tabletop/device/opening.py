"""The devices by name."""

from __future__ import annotations

import re
from typing import Final

from heartrush_env.tabletop.device.cuda import cuda_device
from heartrush_env.tabletop.device.device import Device, DeviceError

NAMES: Final = re.compile(r"cuda(?::(\d{1,3}))?")


def open_device(name: str) -> Device:
    """Return the device of a name, "cuda" or "cuda:N"; raise DeviceError if there is no such device."""
    found = NAMES.fullmatch(name) if isinstance(name, str) else None
    if found is None:
        raise DeviceError(f'device: expected "cpu", "cuda" or "cuda:" and a number, got {name!r}.')
    return cuda_device(int(found[1] or 0))
