"""A rollout buffer that skips samples without a choice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class ChoiceBuffer(MaskableRolloutBuffer):
    """A rollout buffer limited to samples with more than one legal action; in many windows a seat has just one."""

    def get(self, batch_size: int | None = None) -> Iterator[MaskableRolloutBufferSamples]:  # type: ignore[override]
        """Yield minibatches of about `batch_size` samples, in random order."""
        if not self.generator_ready:
            for name in ("observations", "actions", "values", "log_probs", "advantages", "returns", "action_masks"):
                setattr(self, name, self.swap_and_flatten(getattr(self, name)))
            self.generator_ready = True
        rows = np.random.permutation(np.flatnonzero(self.action_masks.sum(axis=1) > 1))
        for batch in np.array_split(rows, max(1, round(len(rows) / (batch_size or len(rows) or 1)))):
            if len(batch) > 1:  # advantages are normalised over a minibatch
                yield self._get_samples(batch)
