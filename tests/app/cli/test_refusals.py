"""Bad arguments of commands: each is refused with one sentence on standard error, before any other output."""

import shlex

import pytest

from tests.app.cli.running import Out, refusal

PLAIN = "--rule profile=plain"
STANCE = f"{PLAIN} --decisions stance"
CHARGER = "rate duel --agents might,agility,charger --fights 8 --match 2 --processes 1"
LEARNER = "duel exploit frequency mirror_duel"
MIRROR = f"duel exploit uniform mirror_duel {PLAIN}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "COMMAND"),
        ("figth", "'figth'"),
        ("figth duel", "did you mean fight"),
        ("simulat", "did you mean encounter simulate"),
        ("solve", "did you mean duel solve"),
        ("docs", "COMMAND"),
        ("engine", "expected an agent's id or folder, or --schema; got none"),
        ("machine bench --seconds 0", "above 0"),
        ("machine warm everything", "'everything'"),
        ("rules no such heading", "No heading, function or ruling mentions 'no such heading'"),
        # fight
        ("fight", "SCENARIO"),
        ("fight dule", "expected ambush, brawl"),
        ("fight nowhere.toml", "no such file"),
        ("fight duel --green random", "Expected a team of 'duel' (--blue, --red) or an option"),
        ("fight duel --red", "--red: expected the id of an agent"),
        ("fight duel --red --blue random", "--red: expected the id of an agent"),
        ("fight duel --red unifrom", "did you mean 'uniform'"),
        ("fight duel --seed -1", "'-1' is not a whole number of at least 0"),
        ("fight duel --seed 9223372036854775808", "2**63 - 1"),
        ("fight duel --seed x", "--seed"),
        ("fight duel --fights 0", "at least 1"),
        ("fight duel --decisions stanc", "did you mean stance"),
        ("fight duel --decisions some", "--decisions"),
        ("fight duel --rule profile", "KEY=VALUE"),
        ("fight duel --rule profil=plain", "did you mean 'profile'"),
        ("fight duel --rule levels=maybe", "true or false"),
        ("fight duel --record duel.png", "--record: expected a file ending in .hrr, .gif or .mp4, got 'duel.png'."),
        ("fight duel --record no/such/file", "--record: expected an existing folder, got 'no/such'."),
        # replay
        ("replay", "FILE"),
        ("replay no.hrr", "no.hrr: expected a record, but there is no such file."),
        ("replay a b", "Expected one file, or several with --check or --dataset, got 2 files."),
        ("replay a --check --dataset b", "not allowed with"),
        ("replay a --step --pause 1", "not allowed with"),
        ("replay a --pause -1", "'-1' is not a number of seconds from 0 to 3600"),
        ("replay a --pause nan", "'nan' is not a number of seconds from 0 to 3600"),
        ("replay a --pause long", "'long' is not a number of seconds from 0 to 3600"),
        # arena
        ("arena unifrom", "did you mean 'uniform'"),
        ("arena might might", "'might' twice"),
        ("arena might --scenario dule", "expected ambush, brawl"),
        ("arena might --scenario free_for_all", "expected a scenario of two teams, got 'free_for_all'"),
        ("arena might --population might,,uniform", "'might,,uniform' is not a list of agents"),
        ("arena might --population nobody", "Unknown agent 'nobody'"),
        ("arena might --held-out 1", "'1' is not a share between 0 and 1"),
        ("arena might --held-out much", "'much' is not a share between 0 and 1"),
        ("arena might --splits 0", "at least 1"),
        ("arena might --duels 0", "at least 1"),
        ("arena might --matches 1", "at least 2"),
        ("arena might --seed -1", "at least 0"),
        ("arena might --rule profil=plain", "did you mean 'profile'"),
        ("arena might --json --markdown", "not allowed with"),
        # match
        ("match nobody might", "Unknown agent 'nobody'"),
        ("match might exec:", "Expected a program, as in"),
        ("match might 'exec:no_such_program here'", "no_such_program cannot be started"),
        ("match might might --scenario free_for_all", "A match is between two teams"),
        ("match might might --scenario no_such", "no_such"),
        ("match might might --fights 0", "is not a whole number of at least"),
        ("match might might --fights many", "is not a whole number of at least"),
        ("match might might --budget-ms -5", "is not a whole number of at least"),
        ("match might might --seed 1.5", "is not a whole number of at least"),
        # rate
        ("rate dule", "expected ambush, brawl"),
        ("rate duel --agents unifrom,might", "did you mean 'uniform'"),
        ("rate duel --agents might,,uniform", "'might,,uniform' is not a list of agents"),
        ("rate duel --agents might,might", "'might' twice"),
        ("rate duel --agents might", "two different agents"),
        ("rate duel --against nobody", "Unknown agent 'nobody'"),
        ("rate duel --fights 0", "at least 1"),
        ("rate duel --match 0", "at least 1"),
        ("rate duel --processes 0", "at least 1"),
        ("rate duel --seed -1", "at least 0"),
        ("rate duel --seed 9223372036854775808 --fights 8 --match 2 --processes 1", "2**63 - 1"),
        ("rate duel --rule profil=plain", "did you mean 'profile'"),
        ("rate duel --json --markdown", "not allowed with"),
        ("rate duel mirror_duel --against might", "--against: expected a single scenario"),
        ("rate duel mirror_duel --markdown", "--markdown: expected a single scenario"),
        (f"{CHARGER} --json --out /nowhere", "'charger' plays none of these scenarios"),
        (
            "rate duel --agents might,cunning --side green",
            "side: expected a team of 'duel' (blue or red), got 'green'.",
        ),
        # serve, conform
        ("serve nobody", "Unknown agent 'nobody'"),
        ("serve uniform uniform", "Expected each agent once, got uniform twice."),
        ("serve uniform --host 0.0.0.0", "so --allow-host must say how clients call the server."),
        ("serve uniform --host no.such.invalid", "The server cannot listen on no.such.invalid, port 8765"),
        ("conform", "conform needs a program after --"),
        ("conform -- no_such_program", "no_such_program cannot be started"),
        # duel analyse
        (f"duel analyse dule {PLAIN}", "expected ambush, brawl"),
        ("duel analyse duel", "the setting levels is on"),
        (
            "duel analyse skirmish",
            "'skirmish' cannot be analysed: it has a map, and only fights without one are solved.",
        ),
        ("duel analyse brawl", "'brawl' cannot be analysed: it has 4 fighters, and only duels of two are solved."),
        (f"duel analyse melee {PLAIN}", "only duels of two are solved"),
        (f"duel analyse duel {PLAIN} --agent nobody", "Unknown agent 'nobody'"),
        (f"duel analyse duel {PLAIN} --agent duelist", "cannot take a seat"),
        (f"duel analyse duel {STANCE} --state 41,1,8,10", "Expected a state with hit points from 0 to"),
        (f"duel analyse duel {STANCE} --state 1,0,8,10", ", in which the duel is over."),
        (f"duel analyse duel {STANCE} --state 1,x,8,10", "not a state such as 12,30,6,10"),
        (f"duel analyse duel {STANCE} --record none.hrr", "there is no such file"),
        (f"duel analyse duel {STANCE} --plots pyproject.toml", "the folder cannot be made"),
        # duel exploit
        ("duel exploit unifrom duel", "did you mean 'uniform'"),
        ("duel exploit uniform dule", "expected ambush, brawl"),
        ("duel exploit uniform duel --method exact", "the setting maneuvers is on"),
        ("duel exploit uniform duel --rule edition=classic --method exact", "the setting levels is on"),
        (f"{LEARNER} {STANCE} --method exact", "remembers the whole match"),
        (f"{LEARNER} {STANCE}", "--decisions: expected full, since this agent needs a learner"),
        (f"{LEARNER} {PLAIN} --frontier 0.5", "--frontier needs an agent whose best response is computed exactly"),
        ("duel exploit frequency free_for_all", "two teams"),
        (f"{MIRROR} --decisions stance --out x", "--out keeps a learner"),
        (f"{MIRROR} --decisions stance --frontier 2", "'2' is not a list of probabilities"),
        (f"{MIRROR} --decisions stance --total-samples 0", "at least 1"),
        (
            f"{MIRROR} --rule edition=classic --frontier 1",
            "--frontier: expected a duel of June 2025, got 'mirror_duel', which is",
        ),
        ("duel exploit equilibrium duel --rule profile=levels --method exact", "or for networks"),
        # duel solve
        (f"duel solve dule {PLAIN}", "expected ambush, brawl"),
        ("duel solve duel --positions 2000", "expected at most 2000 positions (max_positions)"),
        ("duel solve duel --positions 2000", "rounds = fewer, which leaves later rounds open"),
        pytest.param(
            "duel solve examples/small_brawl.toml --positions 100",
            "it has more than 100 positions",
            marks=pytest.mark.long,
        ),
        (
            "duel solve examples/small_brawl.toml --exploit uniform",
            "--exploit: expected a duel under the profile 'plain' or 'levels'",
        ),
        (f"duel solve melee {PLAIN}", "only duels of two are solved"),
        (f"duel solve duel {PLAIN} --exploit nobody", "Unknown agent 'nobody'"),
        (f"duel solve duel {PLAIN} --exploit duelist", "cannot take a seat"),
        (f"duel solve duel {STANCE} --out no/such/place.npz", "expected an existing folder, got no/such"),
        # encounter simulate
        (
            "encounter simulate brawl",
            "'brawl': name the party's team (blue or red), since the scenario has heroes on every side",
        ),
        (
            "encounter simulate",
            "simulate: expected a scenario, several with rests between them, or --day, but no scenario is given",
        ),
        ("encounter simulate --day no.toml", "no.toml"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: str, said: str, capsys: Out) -> None:
    assert said in refusal(capsys, "", *shlex.split(words))
