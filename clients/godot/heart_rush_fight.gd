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
signal lost  ## the connection is lost; it is opened again, and the fight goes on
signal failed(sentence: String)  ## a message was refused, or the server is gone

const LARGEST_MESSAGE := 1 << 20
const FIRST_WAIT := 0.1  ## seconds before another try; each waits twice as long
const LONGEST_WAIT := 5.0
const MOST_TRIES := 60  ## five minutes in all
const PAST := ["chosen", "late", "over"]  ## a choice was taken already, or its time has passed

@export var server := "ws://127.0.0.1:8765/v1/host"

var fight := ""
var token := ""
var seat := ""
var state := {}
var _socket := WebSocketPeer.new()
var _opening := {}
var _owner := ""  # the token that may close the fight
var _met := false  # there was a connection
var _greeted := false  # in this connection
var _tries := 0
var _wait := 0.0  # seconds until the next try
var _choice := ""  # for the window `_chosen`, until it is accepted
var _told := 0  # the number of the next event
var _chosen := -1  # the last window that you chose for
var _over := true  # nothing goes on


## Begin a fight: its scenario by name or as a table, your seat, and the agents of the others.
func begin(game: Dictionary, my_seat: String, agents: Dictionary) -> void:
	seat = my_seat
	fight = ""
	token = ""
	_met = false
	_tries = 0
	_choice = ""
	state = {}
	_told = 0
	_chosen = -1
	_over = false
	_opening = {"type": "new", "game": game, "agents": agents}
	_connect()


## Choose one of the offers of `asked`, by its name.
func choose(offer_name: String) -> void:
	_chosen = int(state.window)
	_choice = offer_name
	_send_choice()


func _process(delta: float) -> void:
	if _over:
		return
	if _wait > 0.0:
		_wait -= delta
		if _wait <= 0.0:
			_connect()
		return
	_socket.poll()
	match _socket.get_ready_state():
		WebSocketPeer.STATE_OPEN:
			if not _greeted:
				_greet()
			while _socket.get_available_packet_count() > 0 and not _over:
				_hear(JSON.parse_string(_socket.get_packet().get_string_from_utf8()))
		WebSocketPeer.STATE_CLOSED:
			_lose()


func _connect() -> void:
	_socket = WebSocketPeer.new()
	_socket.inbound_buffer_size = LARGEST_MESSAGE
	_greeted = false
	var problem := _socket.connect_to_url(server)
	if problem != OK:
		_fail("There is no connection to %s (%s)." % [server, error_string(problem)])


# Open a lost connection again after a while; one that never was is a failure.
func _lose() -> void:
	if not _met or _tries == MOST_TRIES:
		_fail("The connection to %s is closed. Does heartrush serve run there?" % server)
		return
	if _tries == 0:
		lost.emit()
	_wait = minf(LONGEST_WAIT, FIRST_WAIT * pow(2.0, _tries))
	_tries += 1


# Begin the fight in a new connection, or go on with it.
func _greet() -> void:
	_met = true
	_greeted = true
	_tries = 0
	if token != "":
		_send({"type": "watch", "fight": fight, "token": token})
		return
	if fight != "":  # its seat is taken, but the token was lost on the way
		_send({"type": "close", "fight": fight, "token": _owner, "id": "close"})
	_send(_opening)


func _hear(message: Dictionary) -> void:
	match message.type:
		"created":
			fight = message.fight
			_owner = message.token
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
		"accepted":
			_choice = ""
		"closed":
			if message.get("id") != "close":
				_fail("The fight was closed.")
		"error":
			if message.code in PAST:
				_choice = ""
			elif message.get("id") != "close":
				_fail(message.message)


# Ask the player, if the state does, or end; all that has happened is told by now.
func _ask() -> void:
	if state.over:
		_over = true
		_socket.close()
		ended.emit(state.winners)
	elif state.has("mine") and not state.mine.legal.is_empty():
		if int(state.window) > _chosen:
			asked.emit(state.mine.legal)
		elif _choice != "":
			_send_choice()  # lost with the connection, perhaps; if not, this one is refused


func _send_choice() -> void:
	_send(
		{"type": "choose", "fight": fight, "token": token, "window": _chosen, "choice": _choice}
	)


func _send(message: Dictionary) -> void:
	if _socket.get_ready_state() != WebSocketPeer.STATE_OPEN:
		return  # what matters is sent again by the next connection
	_socket.send_text(JSON.stringify(message))


func _fail(sentence: String) -> void:
	_over = true
	failed.emit(sentence)
