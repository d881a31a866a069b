//! The engines in the seats, and the clocks: starts and prepares engines, requests moves, handles their answers and
//! faults, and counts the time of both sides from the moves of the current line.

use std::time::{Duration, Instant};

use kit::Side;
use referee::engine::{BestMove, EngineEvent, Fault, Infos, Request};
use referee::live_game::{Halt, Next};
use referee::play::report_fault;

use crate::error::{Done, TableError};
use crate::model::{Amount, Mover, SeatId, TableEvent, Turn};
use crate::seat::{SeatStage, engine_of};
use crate::state::{Phase, Table};

/// The longest pause between moves, in seconds.
const MAX_PAUSE: f64 = 3600.0;

/// Maximum number of events processed per engine at a time, so that flooding does not block the table.
const MAX_EVENTS: usize = 64;

impl Table {
    /// Performs the next step towards a move by the engine whose turn it is. Returns `false` if there is none to do now.
    pub(super) fn drive(&mut self, side: Side) -> Result<bool, TableError> {
        match self.seat(side).stage {
            SeatStage::Off => self.prepare(side)?,
            SeatStage::Ready if self.pause_end().is_none() => self.start_search(side)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Sets the pause before each move where engines play both sides.
    pub(super) fn set_pace(&mut self, seconds: f64) -> Done {
        Amount::Pause.check(seconds, 0.0..=MAX_PAUSE)?;
        self.pace.pause = Duration::from_secs_f64(seconds);
        self.pace.skip();
        self.tell_all(TableEvent::PaceChanged { seconds });
        Ok(())
    }

    /// The time when the engine to move may start its search; `None` if it may now.
    pub(super) fn pause_end(&self) -> Option<Instant> {
        self.pace.end(self.now).filter(|_| self.is_watched())
    }

    /// Announces the game to the seat's engine, starting its process if necessary. An engine that moves for a person
    /// keeps its name.
    fn prepare(&mut self, side: Side) -> Done {
        let id = self.seat_id(side);
        let is_stand_in = self.is_persons(id);
        let seat = &mut self.seats[side.index()][id.partner];
        seat.stage = SeatStage::Preparing;
        let engine = seat.engine.get_or_insert_with(|| {
            let mut engine = engine_of(&self.source, &seat.spec, Infos::Best);
            if seat.is_named && !is_stand_in {
                engine.rename(&seat.name);
            }
            engine
        });
        let begun = engine.ask(Request::NewGame { seed: None });
        begun.or_else(|fault| self.on_fault(id, fault))
    }

    /// Requests a move from the engine to move. Its configured limit applies, also when it moves for a person.
    fn start_search(&mut self, side: Side) -> Done {
        let id = self.seat_id(side);
        if self.has_own_clock(id) {
            self.game.clocks[side.index()] = self.seat(side).engine_clock();
        }
        let now = self.now;
        self.seat_mut(side).think(now);
        self.name_movers();
        let at = self.partners_to_move();
        let [own, other] = [side, side.other()].map(|side| (side.index(), at[side.index()]));
        let (search, ponder) = match self.game.next() {
            Next::Go { search, ponder, .. } => (search, ponder),
            Next::Over(halt) => return self.halt(side, halt),
            Next::Ask { .. } => unreachable!("a table knows the rules"),
        };
        if let Some((position, go)) = ponder
            && let Some(engine) = self.seats[other.0][other.1].mover()
        {
            let position = &position;
            // An engine that cannot ponder now gets `go` in time.
            let _ = engine.ask(Request::Ponder { position, go });
        }
        let engine = self.seats[own.0][own.1].mover();
        let asked = engine.map_or(Ok(()), |engine| engine.ask(Request::Go(search)));
        match asked {
            Ok(()) => {
                let seat = self.seat_mut(side);
                if std::mem::take(&mut seat.is_stop_pending) {
                    seat.move_now();
                }
                Ok(())
            }
            Err(fault) if self.is_persons(id) && !fault.is_stop() => {
                self.lose_stand_in(id, &fault.to_string())
            }
            Err(fault) => self.lose(side, &fault),
        }
    }

    /// Processes the output of all engines with an outstanding answer.
    pub(super) fn poll_engines(&mut self) -> Done {
        for id in self.seat_ids() {
            let now = self.now;
            for _ in 0..MAX_EVENTS {
                let Some(engine) = self.seat_at_mut(id).busy_engine() else {
                    break;
                };
                match engine.poll(now) {
                    Ok(Some(event)) => self.on_event(id, event)?,
                    Ok(None) => break,
                    Err(fault) => self.on_fault(id, fault)?,
                }
            }
        }
        Ok(())
    }

    fn on_event(&mut self, id: SeatId, event: EngineEvent) -> Done {
        let seat = self.seat_at_mut(id);
        let is_thinking = seat.stage == SeatStage::Thinking;
        match event {
            EngineEvent::Started => {
                seat.stage = SeatStage::Off;
                self.try_open()
            }
            EngineEvent::Ready => {
                seat.rest();
                self.settle_name(id);
                self.send_notes(id);
                Ok(())
            }
            EngineEvent::Moved(best) if is_thinking => {
                seat.rest();
                self.send_notes(id);
                self.receive_move(id, best)
            }
            EngineEvent::Info(info) if is_thinking => {
                self.tell_all(TableEvent::EngineLine {
                    side: id.side,
                    analysis: (*info).into(),
                });
                Ok(())
            }
            EngineEvent::Learned(text) => {
                let note = TableEvent::note(seat.engine_name(), text);
                self.tell_all(note);
                Ok(())
            }
            EngineEvent::Moved(_) | EngineEvent::Info(_) | EngineEvent::Responses(_) => Ok(()),
        }
    }

    /// Reports what the user should know of an engine, such as the options that it rejected.
    fn send_notes(&mut self, id: SeatId) {
        let Some(engine) = &mut self.seat_at_mut(id).engine else {
            return;
        };
        let notes = std::mem::take(&mut engine.facts.notes);
        let name = engine.name().to_owned();
        for text in notes {
            self.tell_all(TableEvent::note(&name, text));
        }
    }

    /// Judges an engine's move. If the engine moves for a person and its move is late or illegal, the person takes over.
    fn receive_move(&mut self, id: SeatId, best: BestMove) -> Done {
        if self.is_persons(id) {
            if let Err(why) = self.board().fork().play(&best.code) {
                return self.lose_stand_in(id, &format!("made an illegal move: {why}"));
            }
            let allowance = self.game.clocks[id.side.index()].allowance();
            if allowance.is_some_and(|allowance| best.elapsed > allowance) {
                return self.lose_stand_in(id, "did not move in time");
            }
        }
        self.judge(id.side, Ok(best), Mover::Engine)
    }

    /// Handles a fault: the engine loses if it was to move; if it moves for a person, the person takes over.
    fn on_fault(&mut self, id: SeatId, fault: Fault) -> Done {
        let side = id.side;
        if self.phase == Phase::Starting {
            return Err(self.start_error(id, fault));
        }
        let search_timeout = self.search_timeout(&self.seat_at(id).spec);
        let stage = self.seat_at(id).stage;
        if fault.is_silence() && self.seat_at(id).is_stop_late(search_timeout, self.now) {
            return self.replace_engine(id, "did not stop in time and was restarted");
        }
        if self.is_persons(id) {
            return self.lose_stand_in(id, &fault.to_string());
        }
        let is_mortal = fault.is_death() || matches!(fault, Fault::Start(_));
        match stage {
            // After the game was announced to it, the turn passed to a partner.
            SeatStage::Preparing if id != self.seat_id(side) => {
                self.replace_engine(id, &fault.to_string())
            }
            SeatStage::Thinking | SeatStage::Preparing
                if self.setup.restarts_engines && is_mortal =>
            {
                self.restart_engine(id, &fault)
            }
            SeatStage::Thinking => self.judge(side, Err(fault), Mover::Engine),
            SeatStage::Preparing => self.lose(side, &fault),
            SeatStage::Off | SeatStage::Starting | SeatStage::Ready => {
                self.replace_engine(id, &fault.to_string())
            }
        }
    }

    /// Ends the game because of a fault of the engine to move, if it is its own.
    fn lose(&mut self, side: Side, fault: &Fault) -> Done {
        self.name_movers();
        let engine = self.seat_mut(side).mover();
        let complaint = engine.and_then(|engine| engine.facts.complaint.clone());
        self.game.failed(side, fault, complaint.as_ref());
        self.end_ply(side)
    }

    /// Carries out the end of play at this ply.
    pub(super) fn end_ply(&mut self, side: Side) -> Done {
        match self.game.next() {
            Next::Over(halt) => self.halt(side, halt),
            Next::Go { .. } | Next::Ask { .. } => Ok(()),
        }
    }

    /// Handles the end of play at this ply: the game ends, or, if no player is at fault, engines wait for `go`.
    fn halt(&mut self, side: Side, halt: Halt) -> Done {
        let id = self.seat_id(side);
        self.seat_at_mut(id).stage = SeatStage::Off;
        self.count_clocks();
        match halt {
            Halt::Over(mut ending) => {
                for side in Side::BOTH {
                    if let Some(engine) = self.seat_mut(side).mover() {
                        report_fault(&mut ending, side, engine);
                    }
                }
                return self.end(*ending);
            }
            Halt::Stopped => {}
            Halt::Trouble(why) => self.send_fault(id, &why),
        }
        self.is_held = true;
        Ok(())
    }

    /// Kills an engine that failed without losing the game. Its next turn starts a new process.
    fn replace_engine(&mut self, id: SeatId, what: &str) -> Done {
        self.send_fault(id, what);
        self.seat_at_mut(id).drop_engine();
        self.count_clocks();
        Ok(())
    }

    /// Replaces an engine that crashed in its turn. After a second crash at the same node, engines wait for `go`.
    fn restart_engine(&mut self, id: SeatId, fault: &Fault) -> Done {
        let here = Some(self.tree.here());
        let what = if self.restarted_at == here {
            self.is_held = true;
            format!("{fault} again: the game is paused; go starts the engine once more")
        } else {
            format!("{fault}: restarted, and continues the game")
        };
        self.restarted_at = here;
        self.replace_engine(id, &what)
    }

    /// Gives a seat back to its person after the engine there has failed.
    fn lose_stand_in(&mut self, id: SeatId, what: &str) -> Done {
        self.replace_engine(id, what)?;
        self.seat_at_mut(id).is_once = false;
        let mut autos = self.autos();
        autos[id.side.index()].set(id.partner, false);
        self.seat_engines(&autos)
    }

    fn send_fault(&mut self, id: SeatId, what: &str) {
        let engine = self.seat_at(id).engine_name().to_owned();
        self.tell_all(TableEvent::Fault {
            engine,
            text: what.to_owned(),
        });
    }

    /// Sets both clocks to the time that the moves of the current line have left. They depend on nothing else, so a
    /// takeback and a reopened ledger restore them. An engine that searches on a separate clock keeps it.
    pub(super) fn count_clocks(&mut self) {
        let mut clocks = Side::BOTH.map(|side| self.fresh_clock(side));
        for (index, node) in self.tree.path(self.tree.here()).into_iter().enumerate() {
            let Some(ply) = self.tree.ply(node) else {
                continue;
            };
            let (side, other) = (ply.side, ply.side.other());
            let seat = self.seat_after(index, side);
            let seconds = ply.record.as_ref().map_or(0.0, |record| record.time);
            let elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
            let counts = |side: Side| node.0 >= self.clock_since[side.index()];
            let is_charged = self.is_charged(seat, ply.by);
            if counts(side) && is_charged {
                // The move was in time when it was played. If the limit has changed since, an excess is no loss.
                let _ = clocks[side.index()].spend(elapsed);
            }
            let is_own_engine = is_charged && !self.is_persons(seat);
            if counts(other) && (ply.by == Mover::Person || is_own_engine) {
                clocks[other.index()].gain(elapsed);
            }
        }
        let to_move = self.seat_id(self.side());
        let is_thinking = self.seat_at(to_move).stage == SeatStage::Thinking;
        let searching = (is_thinking && self.has_own_clock(to_move)).then_some(to_move.side);
        for (side, clock) in Side::BOTH.into_iter().zip(clocks) {
            if searching != Some(side) {
                self.game.clocks[side.index()] = clock;
            }
        }
    }

    /// `true` if a move in this seat uses the clock of its side. An engine that moves for a person never uses the
    /// person's, nor does a partner with another limit.
    fn is_charged(&self, id: SeatId, by: Mover) -> bool {
        let has_own = self.own_players(id.side).next().is_some();
        let is_own_kind = !self.is_persons(id) || has_own == (by == Mover::Person);
        let limit = self.seat_at(id).spec.limit;
        is_own_kind && (by == Mover::Person || limit == self.fresh_clock(id.side).limit())
    }

    /// `true` if the engine in this seat makes its next move on a separate clock.
    pub(super) fn has_own_clock(&self, id: SeatId) -> bool {
        let limit = self.seat_at(id).engine_clock().limit();
        !self.is_charged(id, Mover::Engine) || limit != self.fresh_clock(id.side).limit()
    }

    pub(super) fn set_timer(&mut self, now: Instant) {
        let is_running = matches!(self.turn(), Turn::Person(_)) && !self.is_anyone_awaited();
        self.timer.set(self.tree.here(), is_running, now);
    }

    /// `true` if the clock of the side to move is running.
    pub(super) fn is_clock_running(&self) -> bool {
        match self.turn() {
            Turn::Person(_) => self.timer.is_running(),
            Turn::Engine(_) => self.pause_end().is_none(),
            _ => false,
        }
    }

    /// The time that the player to move has used in this turn.
    pub(super) fn spent(&self) -> Duration {
        match self.turn() {
            Turn::Person(_) => self.timer.spent(self.now),
            Turn::Engine(side) => self.seat(side).searched(self.now),
            _ => Duration::ZERO,
        }
    }
}
