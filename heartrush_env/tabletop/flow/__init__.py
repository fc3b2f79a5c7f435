"""Flows: a round is written as a page of generators and played as compiled steps that may pause at any wait.

A flow is a generator function over a fight's record. `yield ask(...)` pauses the flow if `ask` returns true, and
`yield from other(fight, log, ...)` plays another flow:

    @flow
    def engagement(fight, log):
        yield ask(fight, STANCE)
        reveal_all(fight, log)
        for k in range(len(PHASES)):
            yield from phase(fight, log, k)

    MACHINE = Machine(engagement, frames=8, numbers=2)

Each flow is cut at its waits and compiled into a function that can be entered at any of them. Flows call one another
directly. Only when the fight pauses does each flow write a frame, the innermost first: its number, its wait, and the
numbers that it still needs. `advance` enters the outermost flow again, and that flow enters the flow that it waits for.
Each place on the page that plays a flow therefore has one call, and the compiler can merge the page into one function.
A flow that may reach itself again is not called directly. `advance` plays it separately, then resumes the flow that
waits for it. If the record has no room for it and everything that it calls, it is skipped.

Around a wait, a flow may use `if`, `while`, and `for` over a range; between waits it may use anything. Only whole
numbers are kept across a wait. The fight's record must have the fields of `stack`.
"""

from heartrush_env.tabletop.flow.flows import Flow, FlowError, flow, interrupts, stack
from heartrush_env.tabletop.flow.machine import Machine

__all__ = ["Flow", "FlowError", "Machine", "flow", "interrupts", "stack"]
