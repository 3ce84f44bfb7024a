"""Robot seats: who plays where, a robot's present options, and protection from other input.

`Table` asks it for each message. A robot acts through the scene's own `act`, as a press does. docs/robots.md is for
owners.
"""

from collections.abc import Hashable, Iterator
from dataclasses import replace

from drivers.messages import Drawn, Message, Opened, Settled, Shaken
from engine import Player
from firmware_host.table.effects import HostMessage
from firmware_host.table.robot_level import RobotLevel
from firmware_host.table.robots import AskRobot, RobotAction, RobotTurn
from firmware_host.table.scenes.bidding import anyone_may_call
from firmware_host.table.scenes.lobby import Lobby
from firmware_host.table.scenes.over import MatchOver
from firmware_host.table.scenes.reveal import Reveal
from firmware_host.table.scenes.scene import Game, Scene, SceneContext
from firmware_host.table.seat.menu import MenuCommand
from firmware_host.table.seat.view import SceneName
from firmware_host.wire import Left, Seat


class RobotSeats:
    """One table's robots. Their seats are in the context, and from there in each recorded scene."""

    def __init__(self, scene: Scene, context: SceneContext) -> None:
        self._context = context
        self._turns: dict[Seat, RobotTurn] = {}
        self.recover(scene)

    def recover(self, scene: Scene) -> None:
        """Take the robots from a recorded scene, and ask each again."""
        self._context.robots.clear()
        self._context.robots.update(scene.robots)
        self._turns = {}

    def update(self, scene: Scene) -> Scene:
        """Return the scene with robots at seats still in play. They leave the lobby with the last person."""
        robots = self._context.robots
        for seat in [seat for seat in robots if seat not in _players(scene)]:
            del robots[seat]
        if isinstance(scene, Lobby) and robots and set(scene.joined) <= set(robots):
            for seat in robots:
                self._context.announce(Left(seat))
            robots.clear()
            scene = Lobby(last=scene.last)
        seats = tuple(sorted(robots.items()))
        return scene if seats == scene.robots else replace(scene, robots=seats)

    def seats_in_match(self, scene: Scene) -> tuple[Seat, ...]:
        """Return the robot seats in a match: their cups show no dice to people."""
        return tuple(self._context.robots) if scene.is_in_a_match else ()

    # People's input at a robot's seat

    def ignores(self, message: Message | HostMessage, scene: Scene) -> bool:
        """Return whether a cup message is void, because a robot plays at its seat."""
        if isinstance(message, Shaken | Settled | Drawn | Opened):
            return Seat(message.seat) in self.seats_in_match(scene)
        return False

    # Robot actions

    def act(self, action: RobotAction, scene: Scene) -> Scene:
        """Carry out a robot's decision, unless its subject has changed by now."""
        turn = self._turns.get(action.seat)
        if turn is None or turn.subject != action.subject:
            return scene
        return scene.act(action.seat, action.item, action.at_ns, self._context)

    def changed_turns(self, scene: Scene) -> Iterator[AskRobot]:
        """Yield each robot's options where they have changed."""
        before, self._turns = self._turns, dict(self._all_turns(scene))
        for seat in sorted({*before, *self._turns}):
            if before.get(seat) != self._turns.get(seat):
                yield AskRobot(seat, self._turns.get(seat))

    def _all_turns(self, scene: Scene) -> Iterator[tuple[Seat, RobotTurn]]:
        game = scene.game
        if game is None or scene.paused or not scene.is_in_a_match:
            return
        for seat, level in self._context.robots.items():
            player = game.player(seat)
            if player is None or not game.position.dice[player]:
                continue
            turn = self._turn(scene, game, seat, player, level)
            if turn is not None:
                yield seat, turn

    def _turn(self, scene: Scene, game: Game, seat: Seat, player: Player, level: RobotLevel) -> RobotTurn | None:
        is_awaited, subject = player in scene.waiting_for(), _subject(scene, game)
        match scene.name:
            case SceneName.SHAKING if is_awaited:
                return RobotTurn(level, subject, MenuCommand.ROLL)
            case SceneName.CHOOSING if is_awaited:
                return RobotTurn(level, subject, view=game.match.view(player))
            case SceneName.BIDDING if not scene.has_pending_action(seat):
                view = game.match.view(player)
                if is_awaited:
                    return RobotTurn(level, subject, view=view)
                may_call = anyone_may_call(game.position.rules) and any(True for _ in view.legal)
                return RobotTurn(level, subject, view=view, is_in_turn=False) if may_call else None
            case SceneName.REVEAL if is_awaited and isinstance(scene, Reveal):
                if scene.cue_ms(self._context.now_ns) is not None:
                    return None
                return RobotTurn(level, subject, MenuCommand.GO_ON, is_hurried=self._only_robots_awaited(scene, game))
        return None

    def _only_robots_awaited(self, scene: Scene, game: Game) -> bool:
        """Return whether people play, and all have pressed OK."""
        robots, living = self._context.robots, game.seats(game.position.living)
        awaited = game.seats(scene.waiting_for())
        return any(seat not in robots for seat in living) and all(seat in robots for seat in awaited)


def _players(scene: Scene) -> tuple[Seat, ...]:
    """Return the layout seats in this match, or in the next one."""
    if isinstance(scene, Lobby):
        return scene.joined
    if isinstance(scene, MatchOver):
        return scene.stays
    return () if scene.game is None else scene.game.players


def _subject(scene: Scene, game: Game) -> Hashable:
    """Return an action's subject: in another round or over another bid, the same action is another one."""
    position = game.position
    return scene.name, game.id, game.deals, position.number, position.standing, position.passer, position.turn
