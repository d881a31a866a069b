//! Open requests of a client, and their answers.
//!
//! A client that reads too slowly loses events, and answers may be among them. After `lagged`, the client requests a
//! snapshot. The table answers requests in order, so a request that is still open when that snapshot arrives has lost its
//! answer; the snapshot then decides.

use std::collections::BTreeMap;
use std::time::Instant;

use record::event::Event;
use record::table::{NodeId, Proposal, RequestId, SeatInfo, Snapshot, TableEvent, Turn};

use crate::handle::{TableClient, TableClosed};
use crate::level::LevelChoice;
use crate::request::TableCommand;

/// Error text of a request whose answer was lost and whose result no snapshot shows.
const LOST: &str = "the answer of the table was lost: too many events were waiting";

/// Result of a request, with the table's reason for refusing it.
pub type Answer = Result<(), String>;

/// The requests of a client that await an answer.
#[derive(Debug, Default)]
pub struct OpenRequests {
    sent: BTreeMap<u64, SentRequest>,
    /// The snapshot that was requested after the last `lagged`.
    resync: Option<RequestId>,
}

/// A request, and the state of the game when it was sent.
#[derive(Debug)]
struct SentRequest {
    command: TableCommand,
    before: Option<StateMark>,
}

/// What a request may change, to be compared with a later snapshot.
#[derive(Debug)]
struct StateMark {
    game: String,
    here: NodeId,
    n_nodes: usize,
    turn: Turn,
    proposal: Option<Proposal>,
    is_over: bool,
    touched: Option<String>,
    seats: [SeatInfo; 2],
}

impl OpenRequests {
    /// Sends a command. `known` is the client's copy of the game, if it has one.
    ///
    /// # Errors
    /// The table is closed.
    pub fn send(
        &mut self,
        client: &TableClient,
        command: TableCommand,
        at: Instant,
        known: Option<&Snapshot>,
    ) -> Result<RequestId, TableClosed> {
        let before = known.map(StateMark::of);
        let id = client.send_at(command.clone(), at)?;
        self.sent.insert(id.0, SentRequest { command, before });
        Ok(id)
    }

    /// Number of requests without an answer.
    pub fn len(&self) -> usize {
        self.sent.len()
    }

    /// `true` if every request is answered.
    pub fn is_empty(&self) -> bool {
        self.sent.is_empty()
    }

    /// Handles an event, and returns the requests that it answers. `known` is the client's copy of the game after the
    /// event.
    pub fn receive(
        &mut self,
        client: &TableClient,
        event: &Event,
        known: Option<&Snapshot>,
    ) -> Vec<(RequestId, Answer)> {
        match event {
            Event::Lagged { .. } if !self.sent.is_empty() => {
                // A closed table sends `closed`.
                self.resync = client.send(TableCommand::Snapshot).ok();
                Vec::new()
            }
            Event::Table(TableEvent::Done { request } | TableEvent::Refused { request, .. })
                if self.resync == Some(*request) =>
            {
                self.resync = None;
                let later = self.sent.split_off(&request.0);
                let lost = std::mem::replace(&mut self.sent, later).into_iter();
                lost.map(|(id, sent)| (RequestId(id), sent.result(known)))
                    .collect()
            }
            Event::Table(TableEvent::Done { request }) => {
                self.sent.remove(&request.0);
                vec![(*request, Ok(()))]
            }
            Event::Table(TableEvent::Refused { request, why }) => {
                self.sent.remove(&request.0);
                vec![(*request, Err(why.clone()))]
            }
            _ => Vec::new(),
        }
    }
}

impl SentRequest {
    /// Result of a request whose answer was lost, as a later snapshot shows it.
    fn result(&self, known: Option<&Snapshot>) -> Answer {
        let lost = || Err(LOST.to_owned());
        let (Some(before), Some(after)) = (&self.before, known) else {
            return lost();
        };
        let is_another_game = before.game != after.id;
        let is_elsewhere = is_another_game
            || before.here != after.tree.here()
            || before.n_nodes != after.tree.n_nodes();
        let is_ended = !before.is_over && after.ending.is_some();
        let is_proposed = before.proposal != after.proposal;
        let is_done = match &self.command {
            TableCommand::Snapshot => true,
            TableCommand::Play { code, from } => {
                let tree = &after.tree;
                let from = from.unwrap_or(before.here);
                let is_it = |node: &NodeId| tree.ply(*node).is_some_and(|ply| ply.code == *code);
                let is_made = tree.contains(from) && tree.children(from).iter().any(is_it);
                // The code may be in another spelling than the table's.
                !is_another_game && (is_made || is_elsewhere) || is_ended
            }
            TableCommand::GoTo { node } => after.tree.here() == *node,
            TableCommand::Go { .. } => {
                is_elsewhere || is_ended || matches!(after.turn, Turn::Engine(_))
            }
            TableCommand::Undo
            | TableCommand::Redo
            | TableCommand::Back { .. }
            | TableCommand::Forward { .. }
            | TableCommand::AddLine { .. }
            | TableCommand::TakeEmail { .. }
            | TableCommand::OfferDraw
            | TableCommand::Resign
            | TableCommand::Forfeit { .. }
            | TableCommand::Accept
            | TableCommand::Decline => is_elsewhere || is_ended || is_proposed,
            TableCommand::New { .. } | TableCommand::Load { .. } | TableCommand::Rematch => {
                is_another_game || is_proposed
            }
            TableCommand::Touch { .. } => before.touched != after.touched || is_ended,
            TableCommand::SetTouch { is_on } => after.touch_move == *is_on,
            TableCommand::SetLevel { level } => match level {
                LevelChoice::Fixed(level) => after.level == Some(*level) && !after.is_adaptive,
                LevelChoice::Adaptive(_) => after.is_adaptive,
            },
            TableCommand::SetPace { seconds } => after.pace == *seconds,
            TableCommand::SetAuto { .. } | TableCommand::SetSeat { .. } => {
                before.seats != after.seats || before.turn != after.turn
            }
            TableCommand::Analyse { .. } | TableCommand::Review { .. } => {
                after.analysis.running.is_some()
            }
            TableCommand::StopAnalysis => after.analysis.running.is_none(),
            _ => false,
        };
        if is_done { Ok(()) } else { lost() }
    }
}

impl StateMark {
    fn of(snapshot: &Snapshot) -> StateMark {
        StateMark {
            game: snapshot.id.clone(),
            here: snapshot.tree.here(),
            n_nodes: snapshot.tree.n_nodes(),
            turn: snapshot.turn,
            proposal: snapshot.proposal.clone(),
            is_over: snapshot.ending.is_some(),
            touched: snapshot.touched.clone(),
            seats: snapshot.seats.clone(),
        }
    }
}
