//! The clocks of both sides, counted from the moves of the current line.

use std::time::{Duration, Instant};

use crate::model::{Mover, SeatId, Turn};
use kit::Side;
use record::plan::partner_to_move;

use crate::seat::SeatStage;
use crate::state::Table;

impl Table {
    /// Sets both clocks to the time that the moves of the current line have left. They depend on nothing else, so a
    /// takeback and a reopened ledger restore them. An engine that searches on a separate clock keeps it.
    pub(super) fn count_clocks(&mut self) {
        let mut clocks = Side::BOTH.map(|side| self.fresh_clock(side));
        for (index, node) in self.tree.path(self.tree.here()).into_iter().enumerate() {
            let Some(ply) = self.tree.ply(node) else {
                continue;
            };
            let (side, other) = (ply.side, ply.side.other());
            let partner = partner_to_move(index, self.partners(side).len());
            let seat = SeatId { side, partner };
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
