//! The state of a table, and queries that all parts need: the turn, the owners of seats, the snapshot.
//!
//! [`Table`] never blocks and never reads the clock. [`Table::handle`] processes a request, [`Table::poll`] engine
//! output and expired deadlines; both take the current time as an argument. `run` contains the thread around it.

use std::time::{Duration, Instant};

use crate::model::{
    ClientId, ClockInfo, NodeId, Proposal, Role, SeatId, SideSet, Snapshot, TableEvent, Tree, Turn,
};
use kit::{DynHistory, Side};
use record::game::Ending;
use record::opening::Opening;
use record::registry::Rules;
use referee::live_game::LiveGame;

use crate::analyst::Analyst;
use crate::error::{Done, TableError};
use crate::journal::{Journal, JournalEntry, RecordedEnding, entries};
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

    /// Updates engines, clocks and clients after a change of the game.
    pub(super) fn reconcile(&mut self) -> Done {
        while self.stop_waiting().is_some() {}
        self.pace.arrive(self.tree.here(), self.now);
        // Ends: a second failure at the same node holds the engine.
        while let Turn::Engine(side) = self.turn()
            && self.drive(side)?
        {}
        self.drive_analyst();
        self.set_timer(self.now);
        let turn = (self.tree.here(), self.turn(), self.is_clock_running());
        let is_new = self.told != Some(turn) && self.phase != Phase::Starting;
        self.clients.has_told |= is_new;
        // At the event `turn`, a client already knows what it may do.
        self.send_views();
        if is_new {
            self.told = Some(turn);
            self.tell_all(TableEvent::Turn {
                node: self.tree.here(),
                turn: self.turn(),
                player: self.turn_name(),
                clocks: self.clocks(),
            });
        }
        Ok(())
    }

    /// The name of the player to move, if partners take turns on this side.
    fn turn_name(&self) -> Option<String> {
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

    /// The state of the table as one client sees it.
    pub(super) fn snapshot(&self, client: ClientId) -> TableEvent {
        let role = self.clients.role(client).unwrap_or(Role::Spectator);
        let is_told_ledger = role == Role::Host && self.records.is_begun();
        let clients = self.clients.all.values();
        let snapshot = Snapshot {
            client,
            role,
            game: self.setup.plan.game.clone(),
            id: self.id.clone(),
            number: self.number(),
            opening: self.opening.clone(),
            tree: self.tree.clone(),
            seats: Side::BOTH.map(|side| self.seat_info(side)),
            clocks: self.clocks(),
            turn: self.turn(),
            player: self.turn_name(),
            proposal: self.proposal.clone(),
            view: self.view(client),
            ending: self.over.clone(),
            level: self.level,
            is_adaptive: self.is_adaptive,
            pace: self.pace.pause.as_secs_f64(),
            analysis: self.analyst.told.clone(),
            clients: clients.map(|client| client.info.clone()).collect(),
            ledger: is_told_ledger.then(|| self.setup.plan.ledger.clone()),
        };
        TableEvent::Snapshot(Box::new(snapshot))
    }

    /// Sends an event to one client.
    pub(super) fn tell(&mut self, client: ClientId, event: TableEvent) {
        if let Some(client) = self.clients.all.get_mut(&client) {
            client.tell(event);
        }
    }

    /// Sends an event to all clients.
    pub(super) fn tell_all(&mut self, event: TableEvent) {
        use TableEvent::{Analysed, EngineLine, Reviewed};
        let is_output = matches!(event, EngineLine { .. } | Analysed(_) | Reviewed { .. });
        self.clients.has_told |= !is_output;
        for client in self.clients.all.values_mut() {
            client.tell(event.clone());
        }
    }

    /// Sends a fresh snapshot to every client.
    pub(super) fn send_snapshots(&mut self) {
        for client in self.clients.ids_where(|_| true) {
            let snapshot = self.snapshot(client);
            self.tell(client, snapshot);
        }
    }

    /// The number of this game in the ledger if it is recorded, else the next free number.
    pub(super) fn number(&self) -> usize {
        let here = self.tree.here();
        let result = self.over.as_ref().map(|over| over.result);
        let is_it = |it: &&RecordedEnding| it.node == here && Some(it.result) == result;
        let recorded = self.endings.iter().find(is_it);
        recorded.map_or(self.records.n_games + 1, |ending| ending.number)
    }

    /// Appends an entry to the journal; must be called before the event is sent to clients.
    pub(super) fn note(&mut self, entry: &JournalEntry) -> Done {
        match self.records.note(entry).map_err(TableError::Records)? {
            true => self.make_ledger(),
            false => Ok(()),
        }
    }

    /// Creates the ledger, unless it exists, and sends the host its path.
    pub(super) fn make_ledger(&mut self) -> Done {
        let made = self.records.make_ledger(&mut self.setup);
        if made.map_err(TableError::Records)? {
            let hosts = self.clients.all.values_mut();
            for host in hosts.filter(|client| client.info.role == Role::Host) {
                let path = self.setup.plan.ledger.clone();
                host.tell(TableEvent::LedgerBegun { path });
            }
        }
        Ok(())
    }

    /// Appends a whole game to the journal.
    pub(super) fn note_game(&mut self, journal: &Journal) -> Done {
        let mut entries = entries(journal).into_iter();
        entries.try_for_each(|entry| self.note(&entry))
    }
}
