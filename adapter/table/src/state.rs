//! The state of a table, and queries that all parts need: the turn, the clocks, the owners of seats.
//!
//! [`Table`] never blocks and never reads the clock. [`Table::handle`] processes a request, [`Table::poll`] engine
//! output and expired deadlines; both take the current time as an argument. `run` contains the thread around it.

use std::time::{Duration, Instant};

use crate::model::{ClientId, ClockInfo, NodeId, Proposal, SeatId, SideSet, Tree, Turn};
use kit::{DynHistory, Side};
use record::game::Ending;
use record::opening::Opening;
use record::registry::Rules;
use referee::live_game::LiveGame;

use crate::analyst::Analyst;
use crate::journal::{Journal, RecordedEnding};
use crate::records::Records;
use crate::seat::{EngineSource, Seat, SeatStage, is_unnamed};
use crate::session::Clients;
use crate::setup::{Resumed, TableSetup};
use crate::turn_timer::{Pace, TurnTimer};

/// Lifecycle of a table.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// The plan's engines are being started. The setup's game is opened when all are ready.
    Starting,
    /// A game is in progress or over.
    Open,
    /// The table is closed.
    Closed,
}

/// A game that is to replace the current one, and the sides that engines play in it, if they change.
pub(super) type NextGame = (Journal, Option<SideSet>);

/// One game with its players and clients.
pub(super) struct Table {
    /// The plan, the helper and the settings as they are now. The plan lists the players in the order of the seats.
    pub(super) setup: TableSetup,
    pub(super) rules: Rules,
    pub(super) source: EngineSource,
    pub(super) level: Option<u32>,
    /// The level follows the person's results.
    pub(super) is_adaptive: bool,
    /// Indexed by side, then by partner in the order of turns. No side is empty.
    pub(super) seats: [Vec<Seat>; 2],
    pub(super) analyst: Analyst,
    pub(super) clients: Clients,

    pub(super) id: String,
    pub(super) opening: Opening,
    pub(super) game: LiveGame,
    pub(super) tree: Tree,
    pub(super) over: Option<Ending>,
    /// The side to move when the game ended without a move, and the time that it had used in this turn.
    pub(super) last_turn: Option<(Side, Duration)>,
    pub(super) endings: Vec<RecordedEnding>,

    /// The open proposal.
    pub(super) proposal: Option<Proposal>,
    /// The game that was proposed last.
    pub(super) next_game: Option<NextGame>,
    /// Two people have agreed to hints and analysis in this game.
    pub(super) allows_hints: bool,
    /// The node of the last engine restart. After a second crash at the same node, the table waits for `go`.
    pub(super) restarted_at: Option<NodeId>,
    /// Engines wait for `go`.
    pub(super) is_held: bool,
    pub(super) timer: TurnTimer,
    pub(super) pace: Pace,
    /// The first node whose move counts on each side's clock: earlier ones were made under another limit.
    pub(super) clock_since: [usize; 2],

    pub(super) phase: Phase,
    /// The ledger that the table continues, until the game is opened.
    pub(super) resumed: Option<Resumed>,
    pub(super) records: Records,
    /// The time of the request or the poll being handled.
    pub(super) now: Instant,
    /// The turn last sent to clients: the node, the turn, and whether a clock is running.
    pub(super) told: Option<(NodeId, Turn, bool)>,
}

impl Table {
    pub(super) fn is_closed(&self) -> bool {
        self.phase == Phase::Closed
    }

    /// The current position with its history.
    pub(super) fn board(&self) -> &dyn DynHistory {
        let board = self.game.arbiter.board();
        board.expect("the arbiter of a table knows the rules")
    }

    /// The side to move; in a finished game, the side that would be next.
    pub(super) fn side(&self) -> Side {
        self.board().side()
    }

    /// The moves played, starting with those of the opening.
    pub(super) fn moves(&self) -> &[String] {
        self.game.arbiter.moves()
    }

    /// The current name of a side on the board: `red` or `x`; `p1` if the game has no other name.
    pub(super) fn side_name(&self, side: Side) -> String {
        self.board().side_names()[side.index()].clone()
    }

    /// The player and the side, as in `Ann (red)`: a name alone could be mistaken for the other side. For partners, the
    /// one who moves next.
    pub(super) fn player_and_side(&self, side: Side) -> String {
        self.name_and_side(self.seat_id(side))
    }

    pub(super) fn name_and_side(&self, id: SeatId) -> String {
        let side = self.side_name(id.side);
        match self.is_nameless(id) {
            true => side,
            false => format!("{} ({side})", self.seat_at(id).name),
        }
    }

    /// `true` if the player is called by the side alone: no name was given, and there are no partners.
    pub(super) fn is_nameless(&self, id: SeatId) -> bool {
        self.seats[id.side.index()].len() == 1 && is_unnamed(&self.seat_at(id).name)
    }

    /// The seat that makes the side's next move.
    pub(super) fn seat(&self, side: Side) -> &Seat {
        self.seat_at(self.seat_id(side))
    }

    pub(super) fn seat_mut(&mut self, side: Side) -> &mut Seat {
        self.seat_at_mut(self.seat_id(side))
    }

    pub(super) fn turn(&self) -> Turn {
        let side = self.side();
        let seat = self.seat(side);
        match self.phase {
            Phase::Starting => Turn::Starting,
            _ if self.over.is_some() => Turn::Over,
            _ if !seat.is_engine_next() => Turn::Person(side),
            _ if seat.stage == SeatStage::Thinking => Turn::Engine(side),
            _ if self.is_held => Turn::Held(side),
            _ if self.is_anyone_awaited() => Turn::Waiting(side),
            _ => Turn::Engine(side),
        }
    }

    /// `true` if the game waits for an absent guest.
    pub(super) fn is_anyone_awaited(&self) -> bool {
        let mut seats = self.all_seats();
        seats.any(|seat| !seat.is_auto && seat.is_awaited)
    }

    /// `true` if engines play both sides.
    pub(super) fn is_watched(&self) -> bool {
        self.all_seats().all(|seat| seat.is_auto)
    }

    /// The sides where this client moves now.
    pub(super) fn playing(&self, client: ClientId) -> SideSet {
        self.sides_with(|id| !self.seat_at(id).is_auto && self.owns(client, id))
    }

    /// The sides where another person moves now.
    pub(super) fn with_others(&self, client: ClientId) -> SideSet {
        self.sides_with(|id| !self.seat_at(id).is_auto && !self.owns(client, id))
    }

    /// The side that this client plays; of two, the side to move.
    pub(super) fn own_side(&self, client: ClientId) -> Option<Side> {
        let (playing, to_move) = (self.playing(client), self.side());
        let mut sides = [to_move, to_move.other()].into_iter();
        sides.find(|side| playing.contains(*side))
    }

    /// The name of the player to move, if partners take turns on this side.
    pub(super) fn turn_name(&self) -> Option<String> {
        let side = self.turn().side()?;
        (self.partners(side).len() > 1).then(|| self.seat(side).name.clone())
    }

    /// The clocks at the given time.
    pub(super) fn clocks(&self) -> [ClockInfo; 2] {
        let to_move = self.turn().side();
        Side::BOTH.map(|side| {
            let clock = &self.game.clocks[side.index()];
            let is_own_turn = to_move == Some(side);
            let spent = match &self.over {
                Some(over) if over.is_time_loss_of(side) => Duration::MAX,
                Some(_) => match self.last_turn {
                    Some((last, spent)) if last == side => spent,
                    _ => Duration::ZERO,
                },
                None if is_own_turn => self.spent(),
                None => Duration::ZERO,
            };
            let left = clock.left().saturating_sub(spent).as_secs_f64();
            ClockInfo {
                limit: clock.limit(),
                left: clock.allowance().map(|_| left),
                is_running: is_own_turn && self.is_clock_running(),
            }
        })
    }

    /// The number of this game in the ledger if it is recorded, else the next free number.
    pub(super) fn number(&self) -> usize {
        let here = self.tree.here();
        let result = self.over.as_ref().map(|over| over.result);
        let is_it = |it: &&RecordedEnding| it.node == here && Some(it.result) == result;
        let recorded = self.endings.iter().find(is_it);
        recorded.map_or(self.records.n_games + 1, |ending| ending.number)
    }
}
