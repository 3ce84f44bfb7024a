"""The texts of the page of `play` in English, and all of them in every language for its scripts.

The page also has the public page's texts, because it shows the same match. Groups are by the module that reads them.
"""

from firmware_host.i18n import phrases
from firmware_host.i18n.owner_texts import OWNER_TEXTS
from firmware_host.i18n.page_texts import TEXTS, Texts, all_texts
from firmware_host.i18n.phrases import N_, ngettext
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.seat.menu import MenuCommand

# Room: of all that follows: a page at which a person plays, in a browser on a computer or a phone.
WORKBENCH_TEXTS: Texts = {
    "heading": N_("A table for Dudo, seen from above"),
    "others": N_("The other seats"),
    "centre": N_("The middle of the table"),
    "mine": N_("Your seat"),
    "your-name": N_("Your name"),
    "so-far": N_("The story so far"),
    "gone": N_("The table is gone. Start it again with make play: this page finds it by itself."),
    "no-connection": N_("No connection"),
    "take-back": N_("Take it back"),
    "moment": N_("A moment …"),
    "players": N_("{count} players"),
    # Room: the answer to “What would you do?”; {bid} is such as "5 trains", {percent} such as "63 %".
    "advice": {
        "ask": N_("What would you do?"),
        "bid": N_("I would bid {bid}. By the odds that holds in {percent} of cases."),
        "call": N_("I would call {call}. By the odds that is right in {percent} of cases."),
        "kind": N_("I would choose {kind}."),
        "pass": N_("I would pass. That is honest in {percent} of cases."),
        "look": N_("Look at your dice first, then ask again."),
        "wait": N_("I would wait."),
        "nothing": N_("There is nothing to decide now."),
    },
    # Room: why the table did not do what the person asked for.
    "refused": {
        "late": N_("That came too late, so it was not done. Look at the table, then press again."),
        "taken": N_("Another browser has taken {name}’s chair."),
        "panel-of-another": N_("{name}’s display is for the person in that chair alone."),
        "chair-of-another": N_("{name}’s chair is somebody else’s; sit down there first."),
        "covered": N_("{name}’s seat is covered; sit down there or uncover it first."),
        "party": N_("At a party nobody looks under a cover."),
        "place-of-a-guest": N_("A guest has {name}’s seat; take it back first."),
        "no-guest": N_("There is no guest at {name}’s seat."),
        "after-the-round": phrases.AFTER_THE_ROUND,
    },
    # Room: where the host invites guests and takes their seats back.
    "party": {
        "open": ngettext("Guests: {count} seat free", "Guests: {count} seats free"),
        "title": N_("Invite guests"),
        "how": N_("Guests scan the code with their phone’s camera and choose a seat. Each code works for one phone."),
        "type": N_("Or open this address and type the code:"),
        "none": N_("Every seat is taken."),
        "who": {
            "open": N_("free, a robot plays"),
            "guest": N_("a guest"),
            "away": N_("a guest, whose phone sleeps"),
            "host": N_("here"),
        },
        "back": N_("Take back"),
        "sure": N_("Really take {name}’s seat from its guest?"),
        "listen": N_(
            "Dice travel encrypted, but without HTTPS: nobody reads them by listening to the Wi-Fi, yet its operator "
            "could change the guests’ page. Invite guests only over a network that you trust."
        ),
    },
    # Room: the buttons and the cup, on their caps the keys of the keyboard; labels are for a screen reader.
    "keys": {
        "left": {"cap": "◀", "key": "←", "label": N_("Left")},
        "right": {"cap": "▶", "key": "→", "label": N_("Right")},
        "ok": {"cap": "OK", "key": N_("Enter"), "label": "OK"},
        "dudo": {"cap": "DUDO", "key": "D", "label": "Dudo"},
        "shake": {"cap": N_("Shake"), "key": "S", "label": N_("Shake the cup")},
        # Room: beside “Lift”: how to use this button.
        "lift": {"cap": N_("Lift"), "how": N_("hold"), "key": "↑", "label": N_("Lift the cup, as long as it is held")},
    },
    # Room: a seat: who is there, its menu, and a few letters about it.
    "seat": {
        "you": N_("you"),
        "robot": N_("robot"),
        "person": N_("person"),
        "free": N_("free"),
        "look-under": N_("look under"),
        "look-under-whose": N_("Look under the cover of {name}’s display"),
        "uncover": N_("Look under the cover"),
        "cover": N_("Cover it again"),
        "sit": N_("Sit here"),
        "stand": N_("Stand up: a robot plays on"),
        "stand-free": N_("Stand up: the seat stays free"),
        "phone": OWNER_TEXTS["owner-seats-phone"],
        # Room: a key switch that opens the menu for staff.
        "key-on": N_("Turn the service key"),
        "key-off": N_("Turn the service key back"),
        "more": N_("More about {name}’s seat"),
        "panel": N_("{name}’s display"),
        "your-panel": N_("Your display"),
        "covered": N_("covered"),
        "your-dice": phrases.HEARD_OWN_DICE,
        "dice-of": phrases.HEARD_DICE_OF,
        "unplug": N_("Unplug the {device}"),
        "plug": N_("Plug the {device} in"),
        "no-board": N_("seat unplugged"),
        "no-buttons": N_("no buttons"),
        "no-cup": N_("no cup"),
        "no-panel": N_("no display"),
        "no-phone": N_("away"),
        "away-out": N_("away, out in {minutes} min"),
        "in": N_("is in"),
        "not-in": N_("not in"),
        "not-playing": N_("not in the match"),
        "aside": N_("{dice}, {count} aside"),
    },
    "devices": {str(device): text for device, text in phrases.DEVICE.items()},
    "call-names": {str(call): text for call, text in phrases.CALL.items()},
    "choices": {str(kind): text for kind, text in phrases.KIND_IN_WORDS.items()},
    # Room: the middle of the table: the heading of a special round.
    "special": {
        "fixed-face": N_("Palifico: the face stays"),
        "fixed-face-no-wilds": N_("Obliging: the face stays"),
        "fixed-face-no-wilds-open": N_("Open palo fijo: the face stays, look at the others’ dice"),
        "fixed-face-no-wilds-closed": N_("Closed palo fijo: the face stays, look with one die"),
        "blind": N_("Blind: only {owner} may look"),
        "blind-yours": N_("Blind: only you may look"),
        "open": N_("Open: look at all dice but your own"),
    },
    # Room: the middle of the table: what happens, what the table waits for, and what a call costs.
    "middle": {
        "begins": N_("The match begins"),
        "broken-off": N_("The last match was broken off: everybody had gone"),
        "waiting-for-players": N_("Waiting for players"),
        "may-start": N_("Any player may start"),
        "you-choose": N_("You may choose {kinds}"),
        "chooses": N_("{name} may choose {kinds}"),
        "your-turn": phrases.YOUR_TURN,
        "order": N_("One die each for the order of play"),
        "opener": N_("One die each: who opens?"),
        "you-open": N_("You open"),
        "likely": ngettext("About {count} of each face is likely", "About {count} of each face are likely"),
        "bid": N_("{bid} bid"),
        "there": N_("{bid} there"),
        "you-out": phrases.YOU_ARE_OUT,
        "out": N_("{name} is out"),
        "you-lose": N_("You lose a die"),
        "you-gain": N_("You win a die"),
        "over": N_("The match is over"),
        "you-win": phrases.YOU_WIN,
        "sealed-why": N_(
            "The same on every display. They fix the dice before anybody shakes: note them to check later."
        ),
        "sealed-match": N_("With them “dudo-table verify” proves that no die was changed."),
    },
    # Room: who calls what on whom, where one of both is the person at the page.
    "claims": {
        "dudo": {"mine": N_("You doubt {who}"), "me": N_("{caller} doubts you")},
        "calza": {"mine": N_("You call calza on {who}"), "me": N_("{caller} calls calza on you")},
        "kill": {"mine": N_("You call kill on {who}"), "me": N_("{caller} calls kill on you")},
        "spot": {"mine": N_("You call spot on {who}"), "me": N_("{caller} calls spot on you")},
        "pass": {"mine": N_("You doubt {who}’s pass"), "me": N_("{caller} doubts your pass")},
    },
    # Room: one line about what to do now.
    "hint": {
        "looking-on": N_("You are looking on. To play, take a seat: ⋯ and “Sit here”."),
        "soon": N_("You take {name}’s seat after this round"),
        "unplugged": N_("Your seat is unplugged: plug it in again (⋯)"),
        "began-without": N_("This match began without you: join the next one"),
        "join": N_("Press OK to join"),
        "begins-in": N_("The match begins in {seconds} s"),
        "one-more": N_("You are in. Waiting for one more"),
        "start": N_("You are in. OK starts the match"),
        "choose-round": N_("◀ ▶ choose the round, OK takes it"),
        "shake": phrases.SHAKE_CUP,
        "no-cup": N_("No cup: OK lets the table shake for you"),
        "nothing-to-see": N_("No dice for you to see in this round"),
        "your-dice": N_("There are your dice. Let go and they are gone"),
        "their-dice": N_("There are everybody else’s dice. Let go and they are gone"),
        "lift-own": N_("Hold the cup up to peek at your dice"),
        "lift-others": N_("Hold the cup up to peek at everybody else’s dice"),
        "hold-own": N_("Hold OK to peek at your dice"),
        "hold-others": N_("Hold OK to peek at everybody else’s dice"),
        "turn": N_("Your turn: ◀ ▶ choose a bid, OK says it"),
        "turn-doubt": N_("Your turn: ◀ ▶ choose a bid, OK says it, DUDO doubts"),
        "turn-no-button": N_("Your turn: ◀ ▶ choose a bid or DUDO, OK says it"),
        "turn-doubt-pass": N_("Your turn: ◀ ▶ choose a bid, OK says it, DUDO doubts the pass"),
        "may-call": N_("{waiting}. You may call {calls}: ◀, then OK"),
        "cups-go-up": N_("The cups go up …"),
        "last-die": N_("That was your last die"),
        "seen-shake": N_("Seen enough? Shake for the next round"),
        "seen-ok": N_("Seen enough? OK goes on"),
        "again": phrases.COMMAND[MenuCommand.AGAIN],
        "out": N_("You are out. See how it ends"),
        "waiting-shake": N_("Waiting for {names} to shake"),
        "waiting-go-on": N_("Waiting for {names} to go on"),
    },
    # Room: one line about what OK does now, where it is not what one expects there.
    "ok": {
        "staff": N_("The staff menu is open: ◀ ▶ choose, OK takes it"),
        "paused": phrases.PAUSED_WHY,
        "name-entry": N_("Your name: ◀ ▶ choose, OK takes it, DUDO goes back"),
        "robot-out": N_("A robot has this seat. OK sends it away"),
        "robot-other": N_("A robot has this seat. OK gives it another strength"),
        "pass": N_("OK passes. ◀ ▶ choose something else"),
        "says": N_("OK says {call}. ◀ ▶ choose something else"),
        **dict.fromkeys(map(str, RobotLevel), N_("OK seats a robot here. ◀ goes back")),
        "lesson": N_("A lesson: do what your display says. OK goes on, a held ◀ leaves"),
        MenuCommand.LEARN: N_("OK begins a lesson of two minutes. ◀ goes back"),
        MenuCommand.PHONE: N_("A guest’s phone scans this code. ◀ ▶ choose something else"),
        MenuCommand.LEAVE: N_("OK leaves the table. ◀ goes back"),
        MenuCommand.NAME: N_("OK asks for your name. ◀ ▶ choose something else"),
        MenuCommand.LANGUAGE: N_("OK changes the language. ◀ ▶ choose something else"),
        MenuCommand.QUIETER: N_("OK turns the sound down. ◀ ▶ choose something else"),
        MenuCommand.LOUDER: N_("OK turns the sound up. ◀ ▶ choose something else"),
        MenuCommand.PLAY_ON: N_("OK plays on without who is away. ◀ goes back"),
        MenuCommand.UNDO: N_("OK asks the others to take it back. ◀ goes back"),
        MenuCommand.KEEP: N_("OK says no: it is not taken back"),
        MenuCommand.AGREE: N_("OK says yes: it is taken back if all agree"),
        MenuCommand.GIVE_UP: N_("OK asks whether to leave this match. ◀ goes back"),
        MenuCommand.STAY: N_("OK says no: you stay in the match"),
        MenuCommand.QUIT: N_("OK leaves this match for good"),
    },
    # Room: how to play, sentence by sentence; {call} is an exact call such as CALZA.
    "lesson": {
        "shake": N_("All shake. Peek under your cup: your dice are on your display as long as it is up."),
        "bid": N_(
            "In turn, bid how many dice of one face lie under all cups together. "
            "◀ ▶ offer what is higher than the last bid."
        ),
        "wild": N_("Aces, the ones, count as every face."),
        "wild-special": N_("Aces, the ones, count as every face, but not in every special round: the middle says so."),
        "plain": N_("Aces, the ones, are a face like any other."),
        "dudo": N_(
            "Don’t believe the last bid? DUDO lifts all cups. Too few dice: the bidder loses one. Enough: you do."
        ),
        "anyone": N_("Everybody may doubt, at any time."),
        "call": N_("{call}: the bid is exactly right."),
        "call-in-turn": N_("{call}, in turn: the bid is exactly right."),
        "call-out-of-turn": N_("{call}, while others are in turn: the bid is exactly right."),
        # Room: what an exact call brings, and then what a miss costs, as two halves of a sentence.
        "caller-gains": N_("If so, you win a die;"),
        "bidder-loses": N_("If so, the bidder loses a die;"),
        "nobody-loses": N_("If so, nobody loses;"),
        "caller-loses": N_("if not, you lose one."),
        "bidder-gains": N_("if not, the bidder wins one."),
        "find-calls": N_("You find the exact calls with ◀."),
        "pass": N_("PASS claims that your dice are five alike, five different, or three and two. It can be doubted."),
        "special": N_("A player who falls to one die plays a special round: {kinds}."),
        # Room: the kinds of such a round, in that sentence; {name} is one of the first two.
        "palifico": N_("palifico"),
        "obliging": N_("obliging"),
        "fixed-face": N_("{name} (the face stays)"),
        "fixed-face-no-wilds": N_("{name} (the face stays, aces are not wild)"),
        "fixed-face-no-wilds-open": N_("open palo fijo (you see all dice but your own)"),
        "fixed-face-no-wilds-closed": N_("closed palo fijo (players with one die may look)"),
        "blind": N_("blind (nobody else may look)"),
        "open": N_("open (you see all dice but your own)"),
        "win": N_("The last one with dice wins."),
        "rules": N_("The rules played here: {rules}"),
        "faces": N_("The faces"),
        "keys": N_("The caps show the keys; {key} is this."),
    },
}


def all_workbench_texts() -> str:
    """Return all languages' texts as JSON, by language code."""
    return all_texts({**TEXTS, **WORKBENCH_TEXTS})
