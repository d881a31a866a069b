//! Making moves, the ways a game can end, its journal and its record.

use std::time::{Duration, Instant};

use crate::model::{
    ClientId, Mover, NodeId, Placed, Ply, ProposalEnd, Refusal, Role, SeatId, TableEvent, Turn,
};
use kit::{Outcome, Side};
use protocol::Info;
use record::game::{Ending, GameRecord, GameResult, Termination};
use referee::engine::{BestMove, Fault, Request, given_name};
use referee::live_game::{Halt, Next};
use referee::play::{judge, record_of};

use crate::error::{Done, TableError, refuse};
use crate::journal::{Journal, JournalEntry, RecordedEnding, entries};
use crate::state::Table;

/// Time after which a player may claim the game of an opponent who has left, in addition to the time to reconnect.
const CLAIM_AFTER: Duration = Duration::from_secs(60);

impl Table {
    /// Makes a person's move that arrived at `at`.
    pub(super) fn play(
        &mut self,
        client: ClientId,
        code: &str,
        from: Option<NodeId>,
        at: Instant,
    ) -> Done {
        if let Some(why) = self.refuse_move(client) {
            return refuse(why);
        }
        if from.is_some_and(|from| from != self.tree.here()) {
            return refuse(Refusal::PositionChanged);
        }
        let elapsed = match self.turn() {
            Turn::Person(_) => self.timer.spent(at),
            // A move in place of a waiting engine uses no time.
            _ => Duration::ZERO,
        };
        let code = self.board().fork().play(code)?;
        let side = self.side();
        self.seat_mut(side).is_once = false;
        let best = BestMove {
            code,
            ponder: None,
            elapsed,
            thought: Info::default(),
        };
        self.is_held = false;
        self.judge(side, Ok(best), Mover::Person)
    }

    /// The reason for which this client may not move now.
    pub(super) fn refuse_move(&self, client: ClientId) -> Option<Refusal> {
        let player = self.player_and_side(self.side());
        let why = match self.turn() {
            Turn::Person(side) if self.owns(client, self.seat_id(side)) => return None,
            Turn::Held(_) | Turn::Waiting(_) if self.clients.is_host(client) => return None,
            _ if self.owned(client).is_empty() => Refusal::NotPlaying,
            Turn::Starting => Refusal::Starting,
            Turn::Over => Refusal::GameOver,
            Turn::Person(_) => Refusal::OthersTurn { player },
            Turn::Engine(_) | Turn::Held(_) | Turn::Waiting(_) => Refusal::EnginesTurn { player },
        };
        Some(why)
    }

    /// Judges a move or a fault of the player to move, and carries out the consequences.
    pub(super) fn judge(&mut self, side: Side, answer: Result<BestMove, Fault>, by: Mover) -> Done {
        let mover = self.seat_id(side);
        self.name_movers();
        let at = self.partners_to_move();
        for (seats, at) in self.seats.iter_mut().zip(at) {
            if let Some(engine) = seats[at].mover() {
                for note in std::mem::take(&mut engine.facts.notes) {
                    self.game.note(engine.name(), &note);
                }
            }
        }
        let seat = &mut self.seats[mover.side.index()][mover.partner];
        if judge(&mut self.game, side, answer, seat.mover().as_deref()) {
            self.seat_at_mut(mover).is_once = false;
            return self.grow(mover, by);
        }
        self.end_ply(side)
    }

    /// Passes the names of those who make the next moves to the game.
    pub(super) fn name_movers(&mut self) {
        self.game.names = Side::BOTH.map(|side| match self.seat(side) {
            seat if seat.is_engine_next() => seat.engine_name().to_owned(),
            _ => self.reason_name(self.seat_id(side)),
        });
    }

    /// Sends the engines in play the end of the game, and its result if that is not by the rules.
    fn tell_learners(&mut self, result: Option<Outcome>) {
        let at = self.partners_to_move();
        let position = self.game.arbiter.position();
        for (seats, at) in self.seats.iter_mut().zip(at) {
            if let Some(engine) = seats[at].mover() {
                // It need not learn.
                let _ = engine.ask(Request::GameOver { position, result });
            }
        }
    }

    /// Adds the last move to the tree and the journal, and sends it to all clients.
    fn grow(&mut self, mover: SeatId, by: Mover) -> Done {
        let side = mover.side;
        let from = self.tree.here();
        let code = self.moves().last().cloned().unwrap_or_default();
        let record = self.game.last_record().cloned();
        self.tree.grow(Ply {
            code: code.clone(),
            side,
            by,
            record: record.clone(),
        });
        let node = self.tree.here();
        self.count_clocks();
        self.note(&JournalEntry::Move {
            from,
            code: code.clone(),
            by,
            record: record.clone(),
        })?;
        let mut record = record.unwrap_or_default();
        if by == Mover::Engine && self.is_persons(mover) {
            // The records name the person, so the engine is named for this move.
            let engine = self.seat_at(mover).engine.as_ref();
            record.by = engine.map(given_name);
        }
        self.tell_all(TableEvent::MovePlayed {
            game: self.number(),
            ply: self.moves().len(),
            code,
            player: record.by.take(),
            placed: Placed {
                node,
                from,
                side,
                by,
            },
            record,
        });
        self.move_past_proposal(side);
        self.check_outcome()
    }

    /// Ends the game if it is over by the rules.
    pub(super) fn check_outcome(&mut self) -> Done {
        self.name_movers();
        match self.game.next() {
            Next::Over(Halt::Over(ending)) => {
                if self.game.is_over_by_rules() {
                    self.tell_learners(None);
                }
                self.end(*ending)
            }
            _ => Ok(()),
        }
    }

    /// Ends the game on time for the person to move.
    pub(super) fn run_out(&mut self, side: Side) -> Done {
        let elapsed = self.timer.spent(self.now);
        self.name_movers();
        self.game.ran_out(side, elapsed);
        self.end_ply(side)
    }

    /// The side and the time at which its flag falls, if a person with a clock is to move.
    pub(super) fn flag(&self) -> Option<(Side, Instant)> {
        let Turn::Person(side) = self.turn() else {
            return None;
        };
        let allowance = self.game.clocks[side.index()].allowance()?;
        Some((side, self.timer.end(allowance)?))
    }

    /// Resigns for the client's side.
    pub(super) fn resign(&mut self, client: ClientId) -> Done {
        let side = self.own_side(client).ok_or(Refusal::NotPlaying)?;
        let reason = format!("{} resigns", self.reason_name(self.own_seat(client, side)));
        self.end_by_players(Outcome::Win(side.other()), reason)
    }

    /// Ends the game by a decision of its players. Engines learn from it as from one that ended by the rules.
    pub(super) fn end_by_players(&mut self, outcome: Outcome, reason: String) -> Done {
        let ending = Ending::boxed(outcome.into(), Termination::Adjudication, reason);
        self.end(*ending)?;
        self.tell_learners(Some(outcome));
        Ok(())
    }

    /// Ends the game because a side overstepped a time limit that is kept outside the table.
    pub(super) fn forfeit(&mut self, side: Side) -> Done {
        let reason = format!("{} loses on time", self.reason_name(self.seat_id(side)));
        let result = GameResult::win(side.other());
        self.end(*Ending::boxed(result, Termination::TimeForfeit, reason))
    }

    /// Ends the game of an opponent who has left and does not come back in its turn.
    pub(super) fn claim(&mut self, client: ClientId, is_draw: bool) -> Done {
        let absent = match self.turn() {
            Turn::Person(side) if self.playing(client).contains(side.other()) => self.seat_id(side),
            _ => return refuse(Refusal::NothingToClaim),
        };
        let player = self.reason_name(absent);
        let Some(left) = self.seat_at(absent).left else {
            return refuse(Refusal::HasNotLeft { player });
        };
        let wait = self.setup.reconnect + CLAIM_AFTER;
        let away = self.now.saturating_duration_since(left);
        if away < wait {
            let (away, wait) = (away.as_secs(), wait.as_secs());
            return refuse(Refusal::LeftJustNow { player, away, wait });
        }
        let result = match is_draw {
            true => GameResult::Draw,
            false => GameResult::win(absent.side.other()),
        };
        let reason = format!("{player} left the game");
        self.end(*Ending::boxed(result, Termination::Abandoned, reason))
    }

    /// The player's name in the reason of a result: the side if the player is unnamed.
    pub(super) fn reason_name(&self, id: SeatId) -> String {
        match self.is_nameless(id) {
            true => self.side_name(id.side),
            false => self.seat_at(id).name.clone(),
        }
    }

    /// Ends the game: writes the record, then notifies the clients.
    pub(super) fn end(&mut self, mut ending: Ending) -> Done {
        let is_in_turn = self.board().outcome().is_none();
        self.last_turn = is_in_turn.then(|| (self.side(), self.spent()));
        self.give_up_searches();
        if ending.termination == Termination::Normal && !is_in_turn {
            ending.reason = self.board().explain().unwrap_or(ending.reason);
        }
        self.over = Some(ending);
        // Only the first ending of a game counts: later ones follow moves that were taken back.
        let is_first = self.endings.is_empty();
        let record = self.file()?;
        self.end_proposal(ProposalEnd::Withdrawn);
        if let Some(record) = record {
            let result = record.result;
            let record = Box::new(record);
            self.tell_all(TableEvent::GameOver { record });
            if is_first {
                self.adapt(result);
            }
        }
        Ok(())
    }

    /// Stops all searches for moves; their answers will be discarded.
    pub(super) fn give_up_searches(&mut self) {
        for seat in self.seats.iter_mut().flatten() {
            seat.give_up();
            seat.is_once = false;
        }
        self.count_clocks();
    }

    /// Records the finished game, unless this ending is already on record.
    pub(super) fn file(&mut self) -> Result<Option<GameRecord>, TableError> {
        let Some(ending) = self.over.clone() else {
            return Ok(None);
        };
        let (node, result) = (self.tree.here(), ending.result);
        let number = self.number();
        let is_new = number > self.records.n_games;
        let names = Side::BOTH.map(|side| self.player_name(side));
        let opening = self.opening.clone();
        let mut record = record_of(&self.game, ending, (number, number), names, opening);
        let stand_ins = self.seat_ids().filter_map(|id| self.stand_in(id));
        record.notes.extend(stand_ins);
        if is_new {
            self.endings.push(RecordedEnding {
                node,
                result,
                number,
            });
            self.make_ledger()?;
            self.records.file(&record).map_err(TableError::Records)?;
        } else if number > 0 {
            self.note(&JournalEntry::Over(number))?;
        }
        Ok(Some(record))
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

    /// A note that lists the moves of a seat made by another kind of player than the records name; `None` without any.
    fn stand_in(&self, id: SeatId) -> Option<String> {
        let (own, other) = match self.is_persons(id) {
            true => (Mover::Person, "an engine"),
            false => (Mover::Engine, "a person"),
        };
        let line = (self.opening.moves.len() + 1..).zip(self.tree.path(self.tree.here()));
        let is_others = |node| self.tree.ply(node).is_some_and(|ply| ply.by != own);
        let line = line.filter(|(_, node)| self.mover(*node) == Some(id) && is_others(*node));
        let numbers: Vec<String> = line.map(|(number, _)| number.to_string()).collect();
        (!numbers.is_empty()).then(|| {
            let (name, numbers) = (&self.seat_at(id).name, numbers.join(", "));
            format!("{name}: {other} played the moves {numbers}")
        })
    }
}
