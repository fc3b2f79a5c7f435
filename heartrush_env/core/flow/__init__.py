"""Flows: a round is written as a page of generators, and played as compiled steps that may rest at any wait.

A flow is a generator function over a fight's record. `yield ask(...)` rests there if `ask` answers yes, and
`yield from other(fight, log, ...)` plays another flow:

    @flow
    def engagement(fight, log):
        yield ask(fight, STANCE)
        reveal_all(fight, log)
        for k in range(len(PHASES)):
            yield from phase(fight, log, k)

    MACHINE = Machine(engagement, frames=8, numbers=2)

Each flow is cut at its waits and compiled into a function that can be entered at any of them. Flows call one another
directly. Only when the fight comes to rest does each of them write a frame, the innermost first: its flow, its wait,
and the numbers that it still needs. `advance` enters the outermost flow again, which enters the one that it waits for.
So each place on the page that plays a flow has one call of it, and the compiler can merge the page into one function.
A flow that may reach itself again is not called directly; `advance` plays it by itself, then resumes the flow that
waits for it. If the record has no room for it and everything that it calls, it is skipped.

Around a wait, a flow may use `if`, `while`, and `for` over a range; between waits it may use anything. Only whole
numbers are kept across a wait. A record that flows play on has the fields of `stack`.
"""

from heartrush_env.core.flow.flows import Flow, FlowError, flow, interrupts, stack
from heartrush_env.core.flow.machine import Machine

__all__ = ["Flow", "FlowError", "Machine", "flow", "interrupts", "stack"]
