# A learned agent of Heart Rush, for Godot 4: no add-on, no server, nothing but these files.
#
#   var policy := HeartRushPolicy.new()
#   policy.read("res://enemy")  # the folder with policy.json and policy.safetensors
#   var answer := policy.act("duelist_0", view, legal)
#   print(answer.choice)
#
# `view` and `legal` are those of the engine protocol, which hosted fights send as well.
class_name HeartRushPolicy
extends RefCounted

const BONDS := [
	"frightens_me",
	"enrages_me",
	"charms_me",
	"grapples_me",
	"grappled_by_me",
	"climbs_on_me",
	"climbed_by_me",
]
const STATUSES := ["standing", "unconscious", "dead", "defeated"]
const COUNTED := [
	"hp",
	"wounds",
	"heart",
	"armed",
	"action",
	"interaction",
	"dash",
	"helped",
	"shrugs",
	"hit",
	"rush",
]

var description := {}
var actions := []
var temperature := 1.0
var mistakes := 0.0
var mistaken := []  # by action, whether it may be a mistake
var _weights := {}  # arrays by name
var _features := []  # dictionaries: owner, fact, and range


## Read the bundle in a folder; returns a sentence if that fails, and nothing if it works.
func read(folder: String) -> String:
	var text := _text_of(folder + "/policy.json")
	if text.is_empty():
		return "There is no policy.json in %s." % folder
	description = JSON.parse_string(text)
	actions = description.actions
	temperature = description.difficulty.temperature
	mistakes = description.difficulty.mistakes
	mistaken = []
	for action in actions:
		mistaken.append(description.difficulty.mistaken.has(action))
	_features = []
	for feature in description.features:
		_features.append(_split(feature))
	return _read_weights(folder + "/policy.safetensors")


## The answer to a request `act` of the engine protocol: choice, policy by action, and value.
## `chance` from 0 to 1 decides which action is drawn; by default it is random.
func act(seat: String, view: Dictionary, legal: Array, chance := -1.0) -> Dictionary:
	var observation = view.get("observation")
	if observation == null:
		observation = observe(seat, view)
	var mask := []
	for action in actions:
		mask.append(1.0 if legal.has(action) else 0.0)
	var shares := probabilities(observation, mask)
	var left := randf() if chance < 0.0 else chance
	var choice := ""
	var policy := {}
	for action in legal:
		var share: float = shares[actions.find(action)]
		policy[action] = share
		if share > 0.0 and left >= 0.0:
			choice = action
		left -= share
	return {"choice": choice, "policy": policy, "value": value(observation)}


## The probability of each action for an observation and a mask: 1 where an action is legal.
func probabilities(observation: Array, mask: Array) -> Array:
	var logits := _layers("policy", observation)
	var largest := -INF
	var may := 0
	for k in range(logits.size()):
		if mask[k]:
			if logits[k] > largest:
				largest = logits[k]
			may += int(mistaken[k])
	var shares := []
	var total := 0.0
	for k in range(logits.size()):
		var share := 0.0
		if mask[k] and temperature > 0.0:
			share = exp((logits[k] - largest) / temperature)
		elif mask[k] and logits[k] == largest:
			share = 1.0
		shares.append(share)
		total += share
	var erring := mistakes if may > 0 else 0.0
	for k in range(shares.size()):
		shares[k] *= (1.0 - erring) / total
		if mask[k] and mistaken[k]:
			shares[k] += erring / may
	return shares


## The expected result, from -1, a loss, to 1, a win; null if the agent gives none.
func value(observation: Array):
	if description.network.value == null:
		return null
	return clamp(_layers("value", observation)[0], -1.0, 1.0)


## The observation that a view describes; fields left out are as at the start of the fight.
func observe(seat: String, view: Dictionary) -> Array:
	var told := {"self": _told("self", view.get("self", {}), view, seat)}
	for kind in ["enemies", "allies"]:
		var others: Array = view.get(kind, [])
		for k in range(others.size()):
			var place := int(others[k].get("place", k + 1))
			var owner := "%s %d" % ["enemy" if kind == "enemies" else "ally", place]
			told[owner] = _told(owner, others[k], view, seat)
	var numbers := []
	for place in range(_features.size()):
		var feature: Dictionary = _features[place]
		var number = null
		if feature.owner == "moment":
			number = _of_moment(feature.fact, view)
		elif told.has(feature.owner):
			number = _of_fighter(feature.fact, told[feature.owner])
		if number == null:
			numbers.append(float(description.start[seat][place]))
		else:
			numbers.append(clamp(float(number) / feature.scale, feature.low, feature.high))
	return numbers


# What a view says about a fighter, with its stances round by round and the share of each.
func _told(owner: String, fields: Dictionary, view: Dictionary, seat: String) -> Dictionary:
	var agent = fields.get("agent", description.places[seat].get(owner))
	var by_round := {}
	for reveal in view.get("reveals", []):
		by_round[int(reveal.round)] = reveal.stances.get(agent)
	var rounds := by_round.keys()
	rounds.sort()
	var stances := []
	var counts := {}
	var taken := 0
	for number in rounds:
		var stance = by_round[number]
		stances.append(stance)
		if stance != null:
			counts[stance] = counts.get(stance, 0.0) + 1.0
			taken += 1
	for stance in counts:
		counts[stance] /= taken
	if fields.get("habits") != null:
		counts = fields.habits
	return {"fields": fields, "agent": agent, "stances": stances, "habits": counts}


# A number of the moment, before it is divided by its scale.
func _of_moment(fact: String, view: Dictionary):
	var words := fact.split(" ")
	var windows := maxf(1.0, description.windows_per_round)
	if words[0] == "window":
		return int(view.window == words[1])
	if words[0] == "phase":
		return int(view.get("phase") != null and view.phase == words[1])
	if fact == "round":
		return view.round
	if fact == "rounds_left":
		return description.max_rounds - view.round
	if fact == "windows_left":
		return view.get("windows_left", windows - 1.0) / windows
	push_error("The feature %s cannot be written from named fields; send the observation." % fact)
	return null


# A number of a fighter, before it is divided by its scale; null where the start of the fight holds.
func _of_fighter(fact: String, told: Dictionary):
	var fields: Dictionary = told.fields
	var number = null
	if " " in fact:
		number = _of_stances(fact.split(" "), told)
	elif fact == "hp_share" and fields.get("hp") != null:
		number = float(fields.hp) / description.hit_points[told.agent]
	elif COUNTED.has(fact) and fields.get(fact) != null:
		number = float(fields[fact])
	elif STATUSES.has(fact) and fields.has("status"):
		number = int(fields.status == fact)
	elif BONDS.has(fact) and fields.has("relations"):
		number = int(fields.relations.has(fact))
	elif description.conditions.has(fact) and fields.has("conditions"):
		number = fields.conditions.get(fact, 0)
	return number


# A number about a fighter's stances: "reveal 2 might", "count might", "stance might".
func _of_stances(words: PackedStringArray, told: Dictionary):
	if words[0] == "reveal":
		var back: int = told.stances.size() - int(words[1])
		return int(back >= 0 and told.stances[back] != null and told.stances[back] == words[2])
	if words[0] == "count":
		return told.habits.get(words[1], 0.0)
	if ["stance", "said", "pick"].has(words[0]) and told.fields.has(words[0]):
		var stance = told.fields[words[0]]
		return int(stance != null and stance == words[1])
	return null


# Whom a feature is about, and what it says of them: "enemy 1 hp" says the hp of enemy 1.
func _split(feature: Dictionary) -> Dictionary:
	var words: PackedStringArray = feature.name.split(" ")
	var owner := "moment"
	if words[0] == "self":
		owner = "self"
	elif ["enemy", "ally"].has(words[0]):
		owner = "%s %s" % [words[0], words[1]]
	var fact: String = feature.name
	if owner != "moment":
		fact = fact.substr(owner.length() + 1)
	var kept := feature.duplicate()
	kept.owner = owner
	kept.fact = fact
	return kept


# The output of fully connected layers with tanh between them; weights: (inputs, outputs).
func _layers(part: String, given: Array) -> Array:
	var inputs := given
	var place := 0
	while _weights.has("%s.%d.weight" % [part, place]):
		var weight: Array = _weights["%s.%d.weight" % [part, place]]
		var outputs: Array = _weights["%s.%d.bias" % [part, place]].duplicate()
		var columns := outputs.size()
		for row in range(inputs.size()):
			var input: float = tanh(inputs[row]) if place > 0 else float(inputs[row])
			if input != 0.0:
				var start := row * columns
				for column in range(columns):
					outputs[column] += input * weight[start + column]
		inputs = outputs
		place += 1
	return inputs


# Read the weights: eight bytes with the length of the header, the header in JSON, the numbers.
func _read_weights(path: String) -> String:
	var file := FileAccess.open(path, FileAccess.READ)
	if file == null:
		return "There is no file %s." % path
	var length: int = file.get_64()
	var header: Dictionary = JSON.parse_string(file.get_buffer(length).get_string_from_utf8())
	for name in header:
		if name == "__metadata__":
			continue
		if header[name].dtype != "F32":
			return "%s: %s: expected F32, got %s." % [path, name, header[name].dtype]
		file.seek(8 + length + int(header[name].data_offsets[0]))
		var numbers := []
		while file.get_position() < 8 + length + int(header[name].data_offsets[1]):
			numbers.append(file.get_float())
		_weights[name] = numbers
	return ""


func _text_of(path: String) -> String:
	var file := FileAccess.open(path, FileAccess.READ)
	return "" if file == null else file.get_as_text()
