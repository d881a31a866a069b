//! A table's answer to a search request: all moves with their values, without a search.
//!
//! A table's value assumes that no position has occurred before. If earlier occurrences count, the value is still right
//! unless the play can reach a position whose next occurrence is a draw:
//!
//! - A draw remains a draw. Any drawing strategy remains available, and an earlier draw by repetition does no harm.
//! - A win in `d` plies remains a win if no position that draws on return is itself decided in fewer than `d` plies. On
//!   the shortest way, every position is decided in fewer plies than the one before, for any defence, so no such
//!   position is reached. If this does not hold, the table gives no answer and the search is used.
//!
//! A stop or the time limit cuts an answer off: lines end early, drawn moves are no longer compared, and if some moves
//! have not been looked up, the best of the others is a lower bound.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::{TableError, Tablebase};
use crate::search::score::DRAW;
use crate::search::{Bound, Budget, Control, Heuristics, Line, MAX_PLY, Method, Progress, Request};
use crate::{DynHistory, Outcome, Value};

/// A root move with its value.
struct RankedMove {
    mv: String,
    value: Value,
    /// Replies that lose, in thousandths of all replies; counted only if the best moves are draws.
    chances: u64,
}

impl Tablebase {
    /// Answers a search request: its moves ranked by their values. Drawn moves are ranked by the share of the
    /// opponent's replies that lose. `None` if only a search can answer, and if the request asks for lower skill,
    /// another method or a disabled heuristic. If the file cannot be read, the first call returns the error and later
    /// ones `None`. `control` and the time limit cut the answer off.
    pub fn answer(
        &self,
        history: &dyn DynHistory,
        request: &Request,
        control: &Control,
    ) -> Option<Result<Progress, TableError>> {
        let is_plain = request.skill.is_none()
            && request.method == Method::Best
            && request.heuristics == Heuristics::FULL;
        if !is_plain || self.is_broken.load(Relaxed) {
            return None;
        }
        let answer = self.ranked_lines(history, request, control);
        self.is_broken.store(answer.is_err(), Relaxed);
        answer.transpose()
    }

    fn ranked_lines(
        &self,
        history: &dyn DynHistory,
        request: &Request,
        control: &Control,
    ) -> Result<Option<Progress>, TableError> {
        let mut prober = Prober {
            table: self,
            history: history.fork(),
            control,
            budget: request.limits.budget,
            n_hits: 0,
        };
        let Some(mut ranked) = prober.rank(request)? else {
            return Ok(None);
        };
        let is_complete = ranked.len() == request.moves.len();
        ranked.sort_by_key(|ranked| Reverse((ranked.value.score(), ranked.chances)));
        ranked.truncate(request.n_lines.max(1));
        let mut lines = Vec::new();
        for RankedMove { mv, value, .. } in ranked {
            lines.push(Line {
                score: value.score(),
                bound: (!is_complete).then_some(Bound::Lower),
                pv: prober.line(mv, value)?,
            });
        }
        let longest = lines.iter().map(|line| line.pv.len()).max();
        let seldepth = longest.unwrap_or(1) as u32;
        // Among moves that were not looked up there may be a better one than a draw or a loss.
        let has_score = is_complete || lines[0].score > DRAW;
        let depth = if has_score {
            let limit = request.limits.depth.unwrap_or(u32::MAX);
            seldepth.min(limit.max(1))
        } else {
            0
        };
        Ok(Some(Progress {
            depth,
            seldepth,
            lines,
            nodes: prober.n_hits,
            tb_hits: prober.n_hits,
            ..Progress::default()
        }))
    }
}

/// Plays moves and probes the table.
struct Prober<'a> {
    table: &'a Tablebase,
    history: Box<dyn DynHistory>,
    control: &'a Control,
    budget: Budget,
    n_hits: u64,
}

impl Prober<'_> {
    fn play(&mut self, mv: &str) {
        self.history.play(mv).expect("a legal move");
    }

    /// `true` if the answer must be given with what is known.
    fn must_stop(&self) -> bool {
        self.control.is_stopped() || self.control.is_past(self.budget.hard())
    }

    /// The values of the request's moves, of at least one; `None` if one is unknown.
    fn rank(&mut self, request: &Request) -> Result<Option<Vec<RankedMove>>, TableError> {
        let Some(limit) = self.nearest_drawn_on_return()? else {
            return Ok(None);
        };
        let mut moves = request.moves.clone();
        if request.seed != 0 {
            fastrand::Rng::with_seed(request.seed).shuffle(&mut moves);
        }
        let mut ranked = Vec::new();
        for mv in moves {
            match self.value_of(&mv)? {
                Some(Value::Win(plies) | Value::Loss(plies)) if plies > limit => return Ok(None),
                None => return Ok(None),
                Some(value) => ranked.push(RankedMove {
                    mv,
                    value,
                    chances: 0,
                }),
            }
            if self.must_stop() {
                return Ok(Some(ranked));
            }
        }
        let best = ranked.iter().map(|ranked| ranked.value.score()).max();
        if best == Some(Value::Draw.score()) {
            let is_draw = |ranked: &&mut RankedMove| ranked.value == Value::Draw;
            for ranked in ranked.iter_mut().filter(is_draw) {
                if self.must_stop() {
                    break;
                }
                ranked.chances = self.chances(&ranked.mv)?;
            }
        }
        Ok(Some(ranked))
    }

    /// Maximum distance from the root, in plies, at which wins and losses are certain: one more than that of the
    /// nearest decided position that would be drawn on its return. `None` if the table does not contain such a
    /// position.
    fn nearest_drawn_on_return(&self) -> Result<Option<u32>, TableError> {
        let mut nearest = u32::MAX;
        for position in self.history.drawn_on_return() {
            match self.table.value(position.as_ref())? {
                None => return Ok(None),
                Some(Value::Draw) => {}
                Some(Value::Win(plies) | Value::Loss(plies)) => nearest = nearest.min(plies),
            }
        }
        // A move that wins in one ply more leads to a position whose distance is at most `nearest`.
        Ok(Some(nearest.saturating_add(1)))
    }

    /// The value of a move for the player who makes it.
    fn value_of(&mut self, mv: &str) -> Result<Option<Value>, TableError> {
        let side = self.history.side();
        self.play(mv);
        let value = match self.history.outcome() {
            Some(outcome) => Ok(Some(Value::of(outcome, side))),
            None => {
                self.n_hits += 1;
                let value = self.table.value(self.history.as_ref());
                value.map(|value| value.map(Value::flipped))
            }
        };
        self.history.undo();
        Ok(value?.map(Value::before_move))
    }

    /// Replies to a move after which the player who made it wins, in thousandths of all replies.
    fn chances(&mut self, mv: &str) -> Result<u64, TableError> {
        let side = self.history.side();
        self.play(mv);
        let replies = self.history.moves();
        let mut n_wrong = 0;
        for reply in &replies {
            self.play(reply);
            n_wrong += u64::from(match self.history.outcome() {
                Some(outcome) => outcome == Outcome::Win(side),
                None => {
                    self.n_hits += 1;
                    matches!(
                        self.table.value(self.history.as_ref())?,
                        Some(Value::Win(_))
                    )
                }
            });
            self.history.undo();
        }
        self.history.undo();
        Ok(1_000 * n_wrong / (replies.len() as u64).max(1))
    }

    /// The move, followed by the best moves of both sides to the end if it decides the game and there is time.
    fn line(&mut self, mv: String, value: Value) -> Result<Vec<String>, TableError> {
        let mut line = vec![mv];
        if value == Value::Draw {
            return Ok(line);
        }
        self.play(&line[0]);
        while self.history.outcome().is_none() && line.len() < MAX_PLY && !self.must_stop() {
            let mut best = None;
            for mv in self.history.moves() {
                let value = self.value_of(&mv)?.unwrap_or(Value::Draw);
                let score = value.score();
                if best.as_ref().is_none_or(|(most, _)| score > *most) {
                    best = Some((score, mv));
                }
            }
            let (_, mv) = best.expect("a game that goes on has a move");
            self.play(&mv);
            line.push(mv);
        }
        for _ in &line {
            self.history.undo();
        }
        Ok(line)
    }
}
