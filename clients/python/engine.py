"""A whole engine of docs/protocol.md in one file that needs nothing: `python engine.py`. Make it yours in `weigh`."""

import hashlib
import json
import random
import re
import sys
import time

MAX_LINE, MAX_ID, MAX_BATCH, MAX_SEALS = 2**20, 128, 256, 1024
KNOWN = re.compile(  # the names of all actions: `make docs` writes them
    "pass|shrug|take|yield|pick_up|stand|break_free|wriggle_free|tear_free|cut_free|shake_off|put_out_fire|let_go"
    "|hop_off|swap|(stance|say) (might|agility|cunning|defensive)|rise( rush)?|overcome (frightened|enraged"
    "|aggravated)|attack [0-9]+( (dazed|off_balanced|weakened)([+](dazed|off_balanced|weakened))?)?|(grapple"
    "|climb_on|blind|trip|shove|disarm|taunt|swing_past|help|douse|cut_loose) [0-9]+|dirty_strike [0-9]+ (dazed"
    "|off_balanced|weakened)|opportunity [0-9]+ (might|agility|cunning)( rush)?"
)
IDENTITY = {
    "type": "identity", "protocol": 1, "name": "starter", "version": "1.0.0",
    "description": "Mixes the stances by its dice, and strikes at whoever has the least hit points.",
    "plays": {"game": "heart_rush", "shapes": ["duel", "team"], "tables": {}},  # it reads names: any tables will do
    "options": [{"name": "temperature", "kind": "number", "default": 1, "min": 0, "max": 5, "description": "How even"}],
}  # fmt: skip
settings, sealed = {"temperature": 1}, {}


class Refusal(Exception):
    """A message that cannot be played: a code of the protocol and a sentence."""


def error(id, code, sentence):
    """An answer that says what is wrong."""
    return {"type": "error", "id": id if isinstance(id, str) else None, "code": code, "message": sentence}


def weigh(action, view):
    """How much an action is liked: this is the whole brain."""
    (kind, _, rest), me, enemies = action.partition(" "), view["self"], view["enemies"]
    if kind == "stance":
        return me[rest] if rest != "defensive" else 3 if me["hp"] < me["hp_max"] / 3 else 0.5
    if kind == "attack":
        weakest = min((foe for foe in enemies if foe["hp"] > 0), key=lambda foe: foe["hp"])
        return 8 + 4 * rest.count("ed") if int(rest.split()[0]) == weakest["place"] else 0.1
    return {"shrug": 2, "take": 1, "yield": 0.01, "pass": 0.5, "rise": 5, "stand": 5, "pick_up": 5}.get(kind, 0.2)


def mix(legal, view):
    """The probability of each legal action, by the temperature."""
    weights, temperature = {action: weigh(action, view) for action in legal}, settings["temperature"]
    most = max(weights.values())
    for action, weight in weights.items():
        weights[action] = (weight / most) ** (1 / temperature) if temperature > 0.01 else float(weight == most)
    return {action: weight / sum(weights.values()) for action, weight in weights.items()}


def need(message, field, kind, code="bad_field"):
    """A field of a message, if it is there and of its kind."""
    if not isinstance(message.get(field), kind) or isinstance(message[field], bool):
        raise Refusal(code, f"{field} is missing or of the wrong kind.")
    return message[field]


def act(message):
    """Answer one request."""
    began, id, seed = time.perf_counter(), need(message, "id", str), message.get("seed")
    game, view, legal = need(message, "game", dict), need(message, "view", dict), need(message, "legal", list)
    if len(id) > MAX_ID or not (seed is None or need(message, "seed", int) >= 0) or not need(message, "seat", str):
        raise Refusal("bad_field", f"id has {MAX_ID} characters at most, seed is from 0 on, seat is a name.")
    if type(game.get("scenario")) is not dict and not re.fullmatch("[a-z0-9_]+", need(game, "scenario", str)):
        raise Refusal("bad_field", "scenario is the name of a shipped one or a table, never a path.")
    if game.get("game", "heart_rush") != "heart_rush":
        raise Refusal("not_played", "This engine plays heart_rush alone.")
    if not legal or not all(isinstance(action, str) and KNOWN.fullmatch(action) for action in legal):
        raise Refusal("illegal", "legal must name at least one action, and only those of the protocol.")
    if not all(type(number) in (int, float) and abs(number) < 1e4 for number in view.get("observation") or []):
        raise Refusal("bad_view", "observation is a list of numbers within their bounds.")
    try:
        policy = mix(legal, view)
    except Exception as problem:
        raise Refusal("bad_view", f"The view lacks what this engine reads ({problem!r}).") from None
    choice = random.Random(seed).choices(list(policy), list(policy.values()))[0]
    reason = "mixes: " + ", ".join(f"{name} {policy[name]:.0%}" for name in sorted(policy, key=policy.get)[:-4:-1])
    answer = {"type": "choice", "id": id, "choice": choice, "policy": policy, "value": None, "reason": reason}
    answer["ms"] = 1000 * (time.perf_counter() - began)
    if message.get("sealed") is not True:
        return answer
    nonce = random.SystemRandom().randbytes(16).hex()
    sealed[id] = {**answer, "nonce": nonce}
    sealed.pop(next(iter(sealed)) if len(sealed) > MAX_SEALS else None, None)  # the oldest
    return {"type": "sealed", "id": id, "seal": hashlib.sha256(f"{nonce}:{choice}".encode()).hexdigest()}


def answers(message):
    """All answers to one message."""
    kind, id = message.get("type"), message.get("id")
    if kind == "hello":
        return [IDENTITY, {"type": "ready"}]
    if kind == "set":
        if message.get("name") not in list(settings) or not 0 <= need(message, "value", int | float, "bad_option") <= 5:
            raise Refusal("bad_option", "The option here is temperature, a number from 0 to 5.")
        settings[message["name"]] = message["value"]
        return [{"type": "ready", **({} if id is None else {"id": id})}]
    if kind == "act_batch":
        if len(need(message, "requests", list)) > MAX_BATCH or len(need(message, "id", str)) > MAX_ID:
            raise Refusal("bad_field", f"requests holds at most {MAX_BATCH}, id at most {MAX_ID} characters.")
        return [{"type": "choices", "id": id, "choices": [guarded(one, act)[0] for one in message["requests"]]}]
    if kind == "open":
        if need(message, "id", str) not in sealed:
            raise Refusal("nothing_sealed", "Nothing is sealed under this id.")
        return [sealed.pop(id)]
    if kind not in ("act", "end"):
        raise Refusal("unknown_type", "There is no such type of message.")
    return [act(message)] if kind == "act" else []  # nothing was remembered that could go


def guarded(message, answer=answers):
    """The answers to one message, which may be an error."""
    id = message.get("id") if isinstance(message, dict) else None
    try:
        if not isinstance(message, dict) or (answer is act and message.get("type") != "act"):
            raise Refusal("unknown_type" if answer is act else "bad_json", "This is no JSON object of such a type.")
        return [answer(message)] if answer is act else answer(message)
    except Refusal as refusal:
        return [error(id, *refusal.args)]
    except Exception as problem:  # whatever it is, the next message is answered
        return [error(id, "internal", f"{type(problem).__name__}: {problem}")]


def main():
    """Answer line by line until quit or the end of input."""
    while line := sys.stdin.buffer.readline(MAX_LINE + 2):
        message, piece, long = None, line, len(line.rstrip(b"\r\n")) > MAX_LINE
        found = [error(None, "too_long", f"A line has at most {MAX_LINE} bytes.")] if long else []
        while len(piece) >= MAX_LINE and not piece.endswith(b"\n"):
            piece = sys.stdin.buffer.readline(MAX_LINE)  # too long, and skipped to its end
        if line.strip() and not long:
            try:
                message = json.loads(line.decode())
                json.dumps(message, allow_nan=False)  # raises for numbers that are not finite
                found = guarded(message)
            except (ValueError, RecursionError) as problem:
                found = [error(None, "bad_json", f"The line is no JSON ({problem}).")]
        if isinstance(message, dict) and message.get("type") == "quit":
            break
        print(*map(json.dumps, found), sep="\n", end="\n" if found else "", flush=True)


if __name__ == "__main__":
    main()
