"""Conversion of a policy to an ONNX graph. It requires `heartrush-env[export]`, but not torch.

The graph uses opset 15 and only operators from the first versions of ONNX, so that browsers, Unity and Godot can run
it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from heartrush_agents.learned.network import Layers
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from heartrush_env import __version__
from heartrush_env.app.heart_rush.export.policy import Policy

OPSET, IR = 15, 8
BATCH = "batch"
FORBIDDEN = 1e9  # subtracted from the logits of illegal actions, which makes their probabilities exactly 0
ML_AGENTS_VERSION = 3.0  # the model version that ML-Agents 2 and later read
OBSERVATION, MASK, PROBABILITIES, LOGITS, VALUE = "observation", "action_mask", "probabilities", "logits", "value"


def as_onnx(policy: Policy) -> bytes:
    """Return the policy as an ONNX model.

    The inputs are observation and action_mask. The outputs are probabilities, logits and, if the agent gives one,
    value. All are float32: observation (batch, features); action_mask (batch, actions), 1 for legal actions and 0
    otherwise; probabilities and logits (batch, actions); value (batch, 1) from -1 to 1.
    """
    pen = _Pen()
    logits = pen.layers(policy.network.policy, OBSERVATION, "policy", LOGITS)
    pen.probabilities(policy, logits, MASK, PROBABILITIES)
    actions = len(policy.game.action_names)
    outputs = [_floats(PROBABILITIES, actions), _floats(LOGITS, actions)]
    if policy.gives_value:
        pen.add("Clip", [pen.layers(policy.network.value, OBSERVATION, "value"), -1.0, 1.0], VALUE)
        outputs.append(_floats(VALUE, 1))
    inputs = [_floats(OBSERVATION, len(policy.game.feature_names)), _floats(MASK, actions)]
    return pen.model(policy, inputs, outputs)


def for_ml_agents(policy: Policy) -> bytes:
    """Return the policy as a model with the tensors of Unity's ML-Agents, as one discrete branch.

    `discrete_actions` is sampled from the probabilities. `deterministic_discrete_actions` is the most likely action.
    Both are int64 (batch, 1). The three constants are float32.
    """
    pen = _Pen()
    actions = len(policy.game.action_names)
    logits = pen.layers(policy.network.policy, "obs_0", "policy")
    shares = pen.probabilities(policy, logits, "action_masks", PROBABILITIES)
    # Multinomial takes logarithms: 0 becomes the smallest normal float32, which is never drawn in practice.
    drawn = pen.add("Log", [pen.add("Max", [shares, float(np.finfo(np.float32).tiny)])])
    pen.add("Multinomial", [drawn], "discrete_actions", dtype=TensorProto.INT64, sample_size=1)
    pen.add("ArgMax", [shares], "deterministic_discrete_actions", axis=1, keepdims=1)
    constants = {
        "version_number": np.array([ML_AGENTS_VERSION], np.float32),
        "memory_size": np.array([0.0], np.float32),
        "discrete_action_output_shape": np.array([[actions]], np.float32),
    }
    outputs = []
    for name, array in constants.items():
        pen.add("Identity", [pen.constant(array)], name)
        outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, array.shape))
    outputs += [
        helper.make_tensor_value_info(name, TensorProto.INT64, [BATCH, 1])
        for name in ("discrete_actions", "deterministic_discrete_actions")
    ]
    inputs = [_floats("obs_0", len(policy.game.feature_names)), _floats("action_masks", actions)]
    return pen.model(policy, inputs, [*outputs, _floats(PROBABILITIES, actions)])


def _floats(name: str, width: int) -> Any:
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, [BATCH, width])


class _Pen:
    """A builder for the nodes and constants of a graph."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.constants: list[Any] = []

    def add(self, kind: str, inputs: list[str | float], output: str | None = None, **attributes: Any) -> str:
        """Add a node whose inputs are tensor names or numbers, and return the name of its output."""
        names = [name if isinstance(name, str) else self.constant(np.array(name, np.float32)) for name in inputs]
        output = output or f"{kind.lower()}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, names, [output], name=f"node_{len(self.nodes)}", **attributes))
        return output

    def constant(self, array: NDArray[Any], name: str | None = None) -> str:
        """Add a constant and return its name."""
        name = name or f"constant_{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def layers(self, layers: Layers, inputs: str, part: str, output: str | None = None) -> str:
        """Add dense layers with tanh in between, named as in the safetensors file, and return the output's name."""
        last = len(layers.weights) - 1
        for place, (weight, bias) in enumerate(zip(layers.weights, layers.biases, strict=True)):
            names = [self.constant(array, f"{part}.{place}.{of}") for array, of in ((weight, "weight"), (bias, "bias"))]
            inputs = self.add("Gemm", [inputs, *names], output if place == last else None)
            if place < last:
                inputs = self.add("Tanh", [inputs])
        return inputs

    def probabilities(self, policy: Policy, logits: str, mask: str, output: str) -> str:
        """Add the softmax of the legal logits with the agent's temperature and mistakes, and return its name."""
        difficulty = policy.difficulty
        closed = self.add("Mul", [self.add("Sub", [mask, 1.0]), FORBIDDEN])
        legal = self.add("Add", [logits, closed])
        if difficulty.temperature == 0:  # only the most likely actions; ties split evenly
            best = self.add("ReduceMax", [legal], axes=[1], keepdims=1)
            best = self.add("Cast", [self.add("Equal", [legal, best])], to=TensorProto.FLOAT)
            shares = self.add("Div", [best, self._sum(best)])
        else:
            if difficulty.temperature != 1:
                legal = self.add("Mul", [legal, 1 / difficulty.temperature])
            plain = None if difficulty.mistakes else output
            shares = self.add("Softmax", [legal], plain, axis=1)
        if difficulty.mistakes:
            may = self.add("Mul", [mask, self.constant(policy.mistaken.astype(np.float32)[None])])
            count = self._sum(may)
            erring = self.add("Mul", [self.add("Min", [count, 1.0]), difficulty.mistakes])
            right = self.add("Mul", [shares, self.add("Sub", [1.0, erring])])
            wrong = self.add("Div", [self.add("Mul", [may, erring]), self.add("Max", [count, 1.0])])
            return self.add("Add", [right, wrong], output)
        return shares if shares == output else self.add("Identity", [shares], output)

    def _sum(self, numbers: str) -> str:
        """Add the sum of each row, (batch, 1), and return its name."""
        axes = self.constant(np.array([1], np.int64))
        return self.add("ReduceSum", [numbers, axes], keepdims=1)

    def model(self, policy: Policy, inputs: list[Any], outputs: list[Any]) -> bytes:
        """Check the finished model and return its bytes."""
        graph = helper.make_graph(self.nodes, policy.agent.id, inputs, outputs, self.constants)
        made = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", OPSET)],
            ir_version=IR,
            producer_name="heartrush-env",
            producer_version=__version__,
        )
        onnx.checker.check_model(made, full_check=True)
        content: bytes = made.SerializeToString(deterministic=True)
        return content
