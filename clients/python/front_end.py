"""A front end of docs/protocol.md in one file that needs nothing: it asks an engine what it would do.

    python front_end.py heartrush engine uniform          # one decision of a duel
    python front_end.py --all node engine.mjs             # a series: each of the sample moments, sealed and in a batch

The moments are in heartrush_env/protocol/transcripts/moments.jsonl; a front end of your own fills in the same fields
from its own fights.
"""

import hashlib
import json
import queue
import subprocess
import sys
import threading
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "heartrush_env/protocol/transcripts/moments.jsonl"
START_SECONDS, ANSWER_SECONDS = 120, 10  # an engine may have something to load first


class Engine:
    """An engine that runs beside us; `with` ends it whatever happens."""

    def __init__(self, command):
        """Start it and read its answers in a thread, so that waiting for one can have an end."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def tell(self, message):
        """Send a message."""
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()
        except OSError:
            sys.exit("The engine does not read any more.")

    def hear(self, kind, id=None, seconds=ANSWER_SECONDS):
        """The next answer of this type and id; answers to what we gave up waiting for are passed over."""
        while True:
            try:
                line = self.lines.get(timeout=seconds)
            except queue.Empty:
                sys.exit(f"The engine gave no {kind} within {seconds} seconds.")
            if line is None:
                sys.exit(f"The engine left before its {kind}.")
            answer = json.loads(line)
            if answer["type"] == "error":
                sys.exit(f"The engine refused ({answer['code']}): {answer['message']}")
            if answer["type"] == kind and answer.get("id") == id:
                return answer


def request(number, moment, **more):
    """A request that holds all it takes to answer it: what the seat may see, what it may do, and a seed."""
    fields = {field: moment[field] for field in ("game", "seat", "view", "legal")}
    return {"type": "act", "id": f"request-{number}", **fields, "seed": 7 + number, "budget_ms": 1000, **more}


def check(answer, moment):
    """Trust no engine: a choice must be legal, and its mix must be one."""
    policy = answer["policy"]
    if answer["choice"] not in moment["legal"] or not set(policy) <= set(moment["legal"]):
        sys.exit(f"The engine chose {answer['choice']!r}, which is not legal.")
    if abs(sum(policy.values()) - 1) > 1e-6:
        sys.exit("The probabilities do not add up to 1.")
    return answer


def show(moment, answer):
    """Tell what the engine would do."""
    print(f"{moment['says']}\n  {answer['choice']}  ({answer['reason']})")


def series(engine, moments):
    """Every moment once, then one that is sealed and opened, then all in a batch."""
    for number, moment in enumerate(moments):
        engine.tell(request(number, moment))
        show(moment, check(engine.hear("choice", f"request-{number}"), moment))
    engine.tell(request(900, moments[0], sealed=True))
    seal = engine.hear("sealed", "request-900")["seal"]
    engine.tell({"type": "open", "id": "request-900"})
    opened = check(engine.hear("choice", "request-900"), moments[0])
    if hashlib.sha256(f"{opened['nonce']}:{opened['choice']}".encode()).hexdigest() != seal:
        sys.exit("The engine opened another choice than it had sealed.")
    print(f"Sealed, then opened: {opened['choice']}")
    engine.tell({"type": "act_batch", "id": "all", "requests": [request(k, one) for k, one in enumerate(moments)]})
    for answer, moment in zip(engine.hear("choices", "all")["choices"], moments, strict=True):
        check(answer, moment)
    print(f"All {len(moments)} moments in one batch: answered.")


def main(words):
    """Start the engine that the command line names, and ask it."""
    everything = words[:1] == ["--all"]
    command = words[1:] if everything else words
    if not command:
        sys.exit("usage: python front_end.py [--all] ENGINE [ARGUMENTS ...]")
    moments = [json.loads(line) for line in SAMPLES.read_text(encoding="utf-8").splitlines()]
    with Engine(command) as engine:
        engine.tell({"type": "hello", "protocol": 1})
        identity = engine.hear("identity", seconds=START_SECONDS)
        engine.hear("ready", seconds=START_SECONDS)
        print(f"{identity['name']} {identity['version']}: {identity['description']}")
        if everything:
            series(engine, [one for one in moments if one["shape"] in identity["plays"]["shapes"]])
        else:
            engine.tell(request(0, moments[0]))
            show(moments[0], check(engine.hear("choice", "request-0"), moments[0]))
        engine.tell({"type": "quit"})
        engine.process.wait(ANSWER_SECONDS)


if __name__ == "__main__":
    main(sys.argv[1:])
