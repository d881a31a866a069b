//! A client at a table that waits for its answers, and its copy of the game: the table's snapshot, kept up to date by its
//! events.

use std::time::{Duration, Instant};

use crate::model::{
    ActionId, ClientId, ClockInfo, Mover, NodeId, Ply, Proposed, Role, SeatInfo, SideSet, Sitter,
    Snapshot, TableCommand, TableEvent, Tree, Turn,
};
use crossbeam_channel::RecvTimeoutError;
use kit::{DynHistory, Rejection, Side};
use record::clock::Limit;
use record::game::{Ending, GameRecord};
use record::opening::Opening;
use record::registry::{Registry, Rules};

use crate::journal::line_record;
use crate::seat::is_unnamed;
use crate::session::{JoinWish, SessionError, TableClient, TableHandle};

/// Timeout of an answer. A table never blocks, so only a stuck machine reaches it.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A client that has joined a table.
pub struct TableSession {
    /// The channels to the table. Each event must be passed to [`ClientGame::update`].
    pub client: TableClient,
    /// The client's copy of the game.
    pub game: ClientGame,
    /// The token that reclaims a guest's seat.
    pub token: Option<String>,
}

impl TableSession {
    /// Joins a table and waits for its first snapshot.
    ///
    /// # Errors
    /// The table refuses the client, has ended or does not answer, or its game has no rules.
    pub fn join(
        table: &TableHandle,
        registry: Registry,
        wish: JoinWish,
    ) -> Result<TableSession, SessionError> {
        let client = table.join(wish)?;
        let (mut token, mut joined) = (None, None);
        let deadline = Instant::now() + TIMEOUT;
        let snapshot = loop {
            match receive(&client, Some(deadline))? {
                TableEvent::Welcome { token: own, .. } => token = own,
                TableEvent::Snapshot(snapshot) => joined = Some(*snapshot),
                TableEvent::Refused { why, .. } => return Err(SessionError::Refused(why)),
                TableEvent::Closed { why, .. } => return Err(SessionError::Closed(why)),
                // It follows the snapshot.
                TableEvent::Done { .. } => {
                    if let Some(snapshot) = joined.take() {
                        break snapshot;
                    }
                }
                _ => {}
            }
        };
        let rules = registry.rules(&snapshot.game);
        let rules = rules.map_err(|error| SessionError::Broken(error.to_string()))?;
        let no_rules = || SessionError::Broken(format!("{} has no rules", snapshot.game));
        let game = ClientGame::new(rules.ok_or_else(no_rules)?, snapshot)?;
        Ok(TableSession {
            client,
            game,
            token,
        })
    }

    /// Waits for the next event and updates the game by it; without a deadline, for any time.
    ///
    /// # Errors
    /// The table has ended or does not answer.
    pub fn next_event(&mut self, deadline: Option<Instant>) -> Result<TableEvent, SessionError> {
        let event = receive(&self.client, deadline)?;
        self.game.update(&event)?;
        Ok(event)
    }

    /// Sends a command and waits for its answer. Returns the events received until then.
    ///
    /// # Errors
    /// The table refuses the command, has ended or does not answer.
    pub fn request(&mut self, command: TableCommand) -> Result<Vec<TableEvent>, SessionError> {
        let id = self.client.send(command)?;
        let deadline = Instant::now() + TIMEOUT;
        let mut events = Vec::new();
        loop {
            let event = self.next_event(Some(deadline))?;
            match event {
                TableEvent::Done { request } if request == id => return Ok(events),
                TableEvent::Refused { request, why } if request == id => {
                    return Err(SessionError::Refused(why));
                }
                TableEvent::Closed { why, .. } => return Err(SessionError::Closed(why)),
                event => events.push(event),
            }
        }
    }

    /// Waits until the table's engines run; without a deadline, for any time.
    ///
    /// # Errors
    /// The table has ended, or the engines take too long.
    pub fn await_start(&mut self, deadline: Option<Instant>) -> Result<(), SessionError> {
        while self.game.turn() == Turn::Starting {
            if let TableEvent::Closed { why, .. } = self.next_event(deadline)? {
                return Err(SessionError::Closed(why));
            }
        }
        Ok(())
    }
}

fn receive(client: &TableClient, deadline: Option<Instant>) -> Result<TableEvent, SessionError> {
    let events = &client.events;
    let event = match deadline {
        Some(deadline) => events.recv_deadline(deadline),
        None => events.recv().map_err(RecvTimeoutError::from),
    };
    event.map_err(|error| match error {
        RecvTimeoutError::Timeout => SessionError::Timeout,
        RecvTimeoutError::Disconnected => client.closed(),
    })
}

/// A client's copy of the game. Its rules serve to draw the board and to parse input; only the table judges moves.
pub struct ClientGame {
    rules: Rules,
    snapshot: Snapshot,
    /// The position at the tree's current node.
    board: Box<dyn DynHistory>,
    /// Time when the clocks were last received.
    clocks_at: Instant,
}

impl ClientGame {
    /// Creates the copy from a snapshot.
    ///
    /// # Errors
    /// The rules reject the snapshot's opening or moves.
    pub fn new(rules: Rules, snapshot: Snapshot) -> Result<ClientGame, Rejection> {
        Ok(ClientGame {
            board: open(&rules, &snapshot.opening, snapshot.tree.line())?,
            rules,
            snapshot,
            clocks_at: Instant::now(),
        })
    }

    /// Applies an event. Returns `true` if the position changed.
    ///
    /// # Errors
    /// The rules reject a move of the event.
    pub fn update(&mut self, event: &TableEvent) -> Result<bool, Rejection> {
        match event {
            TableEvent::MovePlayed {
                code,
                player,
                record,
                placed,
                ..
            } => {
                let is_here = self.here() == placed.from;
                let mut record = record.clone();
                record.by.clone_from(player);
                let tree = &mut self.snapshot.tree;
                tree.go(placed.from);
                tree.grow(Ply {
                    code: code.clone(),
                    side: placed.side,
                    by: placed.by,
                    record: Some(record),
                });
                self.snapshot.ending = None;
                if is_here {
                    self.board.play(code)?;
                } else {
                    self.board = self.board_at(self.here())?;
                }
                return Ok(true);
            }
            TableEvent::GameOver { record } => {
                self.snapshot.ending = Some(Ending {
                    result: record.result,
                    termination: record.termination,
                    reason: record.reason.clone(),
                    fault: record.fault.clone(),
                });
            }
            TableEvent::Snapshot(snapshot) => {
                let board = open(&self.rules, &snapshot.opening, snapshot.tree.line())?;
                self.snapshot = (**snapshot).clone();
                self.board = board;
                self.clocks_at = Instant::now();
                return Ok(true);
            }
            TableEvent::WentTo { node } => {
                self.snapshot.tree.go(*node);
                self.snapshot.ending = None;
                self.board = self.board_at(*node)?;
                return Ok(true);
            }
            TableEvent::LineAdded { from, plies, .. } => {
                self.snapshot.tree.add_line(*from, plies);
            }
            TableEvent::Turn {
                turn,
                player,
                clocks,
                ..
            } => {
                self.snapshot.turn = *turn;
                self.snapshot.player.clone_from(player);
                self.set_clocks(*clocks);
            }
            TableEvent::TableView(view) => self.snapshot.view.clone_from(view),
            TableEvent::Clocks { clocks } => self.set_clocks(*clocks),
            TableEvent::Joined(who) => self.snapshot.clients.push(who.clone()),
            TableEvent::Left { who, .. } => {
                let clients = &mut self.snapshot.clients;
                clients.retain(|other| other.client != who.client);
            }
            TableEvent::SeatChanged { side, seat } => {
                self.snapshot.seats[side.index()].clone_from(seat);
            }
            TableEvent::LevelChanged { level, is_adaptive } => {
                self.snapshot.level = Some(*level);
                self.snapshot.is_adaptive = *is_adaptive;
            }
            TableEvent::PaceChanged { seconds } => self.snapshot.pace = *seconds,
            TableEvent::LedgerBegun { path } => self.snapshot.ledger = Some(path.clone()),
            TableEvent::Proposed(proposal) => self.snapshot.proposal = Some(proposal.clone()),
            TableEvent::ProposalEnded { .. } => self.snapshot.proposal = None,
            TableEvent::AnalysisStarted(study) => self.snapshot.analysis.begin(study.clone()),
            TableEvent::Analysed(analysed) => self.snapshot.analysis.keep(analysed.clone()),
            TableEvent::Reviewed { ply, .. } => self.snapshot.analysis.review.push(ply.clone()),
            TableEvent::AnalysisEnded { .. } => self.snapshot.analysis.running = None,
            _ => {}
        }
        Ok(false)
    }

    fn set_clocks(&mut self, clocks: [ClockInfo; 2]) {
        self.snapshot.clocks = clocks;
        self.clocks_at = Instant::now();
    }

    /// The current position.
    pub fn board(&self) -> &dyn DynHistory {
        self.board.as_ref()
    }

    /// The snapshot, with all later events applied.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// The moves with their branches.
    pub fn tree(&self) -> &Tree {
        &self.snapshot.tree
    }

    /// The side to move, and the kind of player.
    pub fn turn(&self) -> Turn {
        self.snapshot.turn
    }

    /// The current node.
    pub fn here(&self) -> NodeId {
        self.tree().here()
    }

    /// `true` if the game is over.
    pub fn is_over(&self) -> bool {
        self.turn() == Turn::Over
    }

    /// The name of a side's player in the records; the names of partners are joined.
    pub fn player_name(&self, side: Side) -> &str {
        &self.seat(side).name
    }

    fn seat(&self, side: Side) -> &SeatInfo {
        &self.snapshot.seats[side.index()]
    }

    /// The partners who take turns on a side; empty if one player plays alone.
    pub fn partners(&self, side: Side) -> &[SeatInfo] {
        &self.seat(side).partners
    }

    /// The name of a client who plays this side. Each partner has a separate name.
    pub fn name_of(&self, client: ClientId, side: Side) -> &str {
        let partners = self.partners(side);
        let mut all = partners.iter();
        let guest = all.find(|partner| partner.client == Some(client));
        let is_hosts = |by: &&SeatInfo| by.sitter == Sitter::Host && by.by == Mover::Person;
        let own = guest.or_else(|| partners.iter().find(is_hosts));
        own.map_or(self.player_name(side), |partner| &partner.name)
    }

    /// `true` if a partner's seat belongs to this client.
    pub fn is_own(&self, partner: &SeatInfo) -> bool {
        match self.snapshot.role {
            Role::Host => partner.sitter == Sitter::Host,
            Role::Player(_) => partner.client == Some(self.snapshot.client),
            Role::Spectator => false,
        }
    }

    /// The current name of a side on the board: `red` or `x`; `p1` if the game has no other name.
    pub fn side_name(&self, side: Side) -> String {
        self.board.side_names()[side.index()].clone()
    }

    /// The player and the side, as in `Ann (red)`; the side alone if the player has no name.
    pub fn player_and_side(&self, side: Side) -> String {
        self.named(self.player_name(side), side)
    }

    /// A player's name and the side, or the side alone for an unnamed player without partners.
    pub fn named(&self, name: &str, side: Side) -> String {
        let side_name = self.side_name(side);
        if is_unnamed(name) && self.partners(side).is_empty() {
            return side_name;
        }
        format!("{name} ({side_name})")
    }

    /// Parses the name of a side: `p1`, `p2`, or its name on the board.
    pub fn find_side(&self, word: &str) -> Option<Side> {
        let is = |name: String| name.eq_ignore_ascii_case(word);
        let is_meant = |side: &Side| is(side.to_string()) || is(self.side_name(*side));
        Side::BOTH.into_iter().find(is_meant)
    }

    /// Number of seats kept for absent guests.
    pub fn n_missing(&self) -> usize {
        let sitters = self.players().map(|seat| seat.sitter);
        sitters
            .filter(|sitter| *sitter == Sitter::AwayGuest)
            .count()
    }

    /// The kind of player that moves in each seat now.
    pub fn movers(&self) -> impl Iterator<Item = Mover> {
        self.players().map(|seat| seat.by)
    }

    /// The players of both sides.
    fn players(&self) -> impl Iterator<Item = &SeatInfo> {
        self.snapshot.seats.iter().flat_map(SeatInfo::players)
    }

    /// Number of moves played, including those of the opening.
    pub fn n_moves(&self) -> usize {
        self.board.ply()
    }

    /// `true` if the client has a seat on this side, even if an engine moves there now.
    fn owns(&self, side: Side) -> bool {
        match self.snapshot.role {
            Role::Player(sides) => sides.contains(side),
            _ => self.is_own(self.seat(side)),
        }
    }

    /// The sides that the host plays.
    pub fn hosts_sides(&self) -> SideSet {
        let sides = Side::BOTH.into_iter().map(|side| (side, self.seat(side)));
        let own = sides.filter(|(_, seat)| seat.sitter == Sitter::Host && seat.by == Mover::Person);
        own.map(|(side, _)| side).collect()
    }

    /// `true` if the client moves on this side now.
    pub fn plays(&self, side: Side) -> bool {
        self.snapshot.view.plays.contains(side)
    }

    /// `true` if the client makes all moves of both sides.
    pub fn plays_alone(&self) -> bool {
        let is_own = |seat: &SeatInfo| self.is_own(seat) && seat.by == Mover::Person;
        self.players().all(is_own)
    }

    /// `true` if the last move was made in a seat of the client.
    pub fn is_last_own(&self) -> bool {
        self.tree().ply(self.here()).is_some_and(|ply| {
            let by = ply.record.as_ref().and_then(|record| record.by.as_ref());
            let mut partners = self.partners(ply.side).iter();
            by.map_or(self.owns(ply.side), |name| {
                partners.any(|partner| partner.name == *name && self.is_own(partner))
            })
        })
    }

    /// `true` if the client plays any side.
    pub fn has_seat(&self) -> bool {
        !self.snapshot.view.plays.is_empty()
    }

    /// `true` if the client may move now: in its turn, or as the host for an engine that is waiting.
    pub fn may_move(&self) -> bool {
        self.snapshot.view.cannot_move.is_none()
    }

    /// `true` if another client's proposal needs this client's answer.
    pub fn is_asked(&self) -> bool {
        self.has_action(ActionId::Accept)
    }

    /// `true` if the client must wait for an answer to its proposal. A draw offer does not count: the game continues
    /// meanwhile.
    pub fn is_asking(&self) -> bool {
        let proposal = self.snapshot.proposal.as_ref();
        let stops = proposal.is_some_and(|proposal| proposal.what != Proposed::Draw);
        stops && self.has_action(ActionId::Decline) && !self.is_asked()
    }

    fn has_action(&self, id: ActionId) -> bool {
        let mut actions = self.snapshot.view.actions.iter();
        actions.any(|action| action.id == id)
    }

    /// The time left on a clock; `None` without one. A fixed time per move does not count as a clock.
    pub fn time_left(&self, side: Side) -> Option<Duration> {
        let clock = &self.snapshot.clocks[side.index()];
        let is_clock = matches!(clock.limit, Limit::Clock(..));
        let left = Duration::try_from_secs_f64(clock.left.filter(|_| is_clock)?);
        let spent = clock.is_running.then(|| self.clocks_at.elapsed());
        Some(
            left.unwrap_or_default()
                .saturating_sub(spent.unwrap_or_default()),
        )
    }

    /// The rules of the game with its options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// A record of the current line with this date; the result is unknown while the game is in progress.
    pub fn record(&self, date: String) -> GameRecord {
        let snapshot = &self.snapshot;
        let (opening, ending) = (&snapshot.opening, snapshot.ending.clone());
        let names = Side::BOTH.map(|side| self.player_name(side).to_owned());
        let mut record = line_record(snapshot.number, names, opening, self.tree(), ending, date);
        record.first = self.rules.first_mover(opening).unwrap_or(Side::P1);
        record
    }

    /// The position of any node.
    ///
    /// # Errors
    /// There is no such node.
    pub fn board_at(&self, node: NodeId) -> Result<Box<dyn DynHistory>, Rejection> {
        if !self.tree().contains(node) {
            return Err(Rejection(format!("there is no node {}", node.0)));
        }
        let line = self.tree().path(node).into_iter();
        let plies = line.filter_map(|node| self.tree().ply(node));
        open(&self.rules, &self.snapshot.opening, plies)
    }
}

/// The position after an opening and the moves of a line.
fn open<'a>(
    rules: &Rules,
    opening: &Opening,
    line: impl Iterator<Item = &'a Ply>,
) -> Result<Box<dyn DynHistory>, Rejection> {
    let mut board = rules.open(opening)?;
    for ply in line {
        board.play(&ply.code)?;
    }
    Ok(board)
}
