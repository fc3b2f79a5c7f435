# A whole fight through the WebSocket of `heartrush serve` (docs/kits/godot.md), for Godot 4.
# The server knows the rules, plays the enemies and says what happens; you show it, and choose.
#
# Start `heartrush serve`. Add a node with this script to your scene, and in the scene's script:
#
#   fight.told.connect(show_line)       # a line for your log
#   fight.asked.connect(show_buttons)   # a button for each offer; pressed: fight.choose(offer.name)
#   fight.begin({"scenario": "duel"}, "knight_0", {"duelist_0": "duelist@easy"})
class_name HeartRushFight
extends Node

signal told(line: String)  ## what happens, in the rulebook's words
signal changed(state: Dictionary)  ## the fight now: docs/hosting.md describes its fields
signal asked(legal: Array)  ## you choose: offers with a name for `choose`, words for people
signal ended(winners: Array)  ## the teams that have won; none after a draw
signal failed(sentence: String)  ## a message was refused, or the server is gone

const LARGEST_MESSAGE := 1 << 20

@export var server := "ws://127.0.0.1:8765/v1/host"

var fight := ""
var token := ""
var seat := ""
var state := {}
var _socket := WebSocketPeer.new()
var _opening := {}
var _told := 0  # the number of the next event
var _chosen := -1  # the last window that you chose for
var _over := true  # nothing goes on


## Begin a fight: its scenario by name or as a table, your seat, and the agents of the others.
func begin(game: Dictionary, my_seat: String, agents: Dictionary) -> void:
	_socket = WebSocketPeer.new()
	_socket.inbound_buffer_size = LARGEST_MESSAGE
	seat = my_seat
	state = {}
	_told = 0
	_chosen = -1
	_over = false
	_opening = {"type": "new", "game": game, "agents": agents}
	var problem := _socket.connect_to_url(server)
	if problem != OK:
		_fail("There is no connection to %s (%s)." % [server, error_string(problem)])


## Choose one of the offers of `asked`, by its name.
func choose(offer_name: String) -> void:
	_chosen = int(state.window)
	_send(
		{"type": "choose", "fight": fight, "token": token, "window": _chosen, "choice": offer_name}
	)


func _process(_delta: float) -> void:
	if _over:
		return
	_socket.poll()
	match _socket.get_ready_state():
		WebSocketPeer.STATE_OPEN:
			if not _opening.is_empty():
				_send(_opening)
				_opening = {}
			while _socket.get_available_packet_count() > 0 and not _over:
				_hear(JSON.parse_string(_socket.get_packet().get_string_from_utf8()))
		WebSocketPeer.STATE_CLOSED:
			_fail("The connection to %s is closed. Does heartrush serve run there?" % server)


func _hear(message: Dictionary) -> void:
	match message.type:
		"created":
			fight = message.fight
			_send({"type": "join", "fight": fight, "seat": seat, "name": "Godot"})
		"joined":
			token = message.token
			_send({"type": "watch", "fight": fight, "token": token})
		"state":
			state = message
			changed.emit(state)
			if int(state.events) > _told:
				_send({"type": "events", "fight": fight, "since": _told})  # then you are asked
			else:
				_ask()
		"events":
			for event: Dictionary in message.events:
				if int(event.number) < _told:
					continue  # it was asked for twice
				for line: String in event.lines:
					told.emit(line)
			_told = maxi(_told, int(message.next))
			if _told < int(state.events):
				_send({"type": "events", "fight": fight, "since": _told})
			else:
				_ask()
		"error":
			_fail(message.message)


# Ask the player, if the state does, or end; all that has happened is told by now.
func _ask() -> void:
	if state.over:
		_over = true
		_socket.close()
		ended.emit(state.winners)
	elif state.has("mine") and not state.mine.legal.is_empty() and int(state.window) > _chosen:
		asked.emit(state.mine.legal)


func _send(message: Dictionary) -> void:
	_socket.send_text(JSON.stringify(message))


func _fail(sentence: String) -> void:
	_over = true
	failed.emit(sentence)
