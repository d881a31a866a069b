//! The answer of a table to a search request: all moves by their values, without a search.
//!
//! A table's value holds for a game in which no position stood before. Where earlier occurrences count, it holds all the same
//! unless a position that is drawn on its next return can lie on the way:
//!
//! - A draw stays one. What a player does to avoid a loss he can do all the same; that the game is drawn sooner does not hurt him.
//! - A win in `d` plies stays one if no position that is drawn on return is itself decided in fewer than `d`. On the shortest
//!   way every position is decided in fewer plies than the one before, whatever the other side does, so no such position is
//!   met. Where this does not hold the table gives no answer, and the search finds what is still there.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::numbering::Ending;
use super::values::{before_move, flipped, score};
use super::{TableError, Tablebase};
use crate::puzzle::Value;
use crate::search::{Heuristics, Line, MAX_PLY, Method, Progress, Request, Skill};
use crate::{Game, Outcome, PositionHistory};

/// A move at the root.
struct Ranked<M> {
    mv: M,
    value: Value,
    /// Of a thousand replies those that lose; counted only where the best moves are draws.
    chances: u64,
}

impl<G: Game> Tablebase<G> {
    /// The lines of a search with this request: its moves by their values. Among drawn moves the best leaves the opponent the
    /// largest share of replies that lose. `None` where only a search can tell, and where the search is to be weaker or by a
    /// method of its own. A file that cannot be read is an error once, and then gives no answers.
    pub fn answer(
        &self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
    ) -> Option<Result<Progress<G::Move>, TableError>> {
        let is_plain = request.skill == Skill::FULL
            && request.method == Method::Best
            && request.heuristics == Heuristics::FULL;
        if !is_plain || self.is_broken.load(Relaxed) {
            return None;
        }
        let answer = self.ranked_lines(history, request);
        self.is_broken.store(answer.is_err(), Relaxed);
        answer.transpose()
    }

    fn ranked_lines(
        &self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
    ) -> Result<Option<Progress<G::Move>>, TableError> {
        let mut prober = Prober {
            table: self,
            history: history.clone(),
            n_hits: 0,
        };
        let Some(mut ranked) = prober.rank(request)? else {
            return Ok(None);
        };
        ranked.sort_by_key(|ranked| Reverse((score(ranked.value), ranked.chances)));
        ranked.truncate(request.n_lines.max(1));
        let mut lines = Vec::new();
        for Ranked { mv, value, .. } in ranked {
            let pv = prober.line(mv, value)?;
            lines.push(Line::exact(score(value), pv));
        }
        let longest = lines.iter().map(|line| line.pv.len()).max();
        let depth = longest.unwrap_or(1) as u32;
        Ok(Some(Progress {
            depth,
            seldepth: depth,
            lines,
            nodes: prober.n_hits,
            tb_hits: prober.n_hits,
            ..Progress::default()
        }))
    }
}

/// Plays moves and probes.
struct Prober<'a, G: Game> {
    table: &'a Tablebase<G>,
    history: PositionHistory<G>,
    n_hits: u64,
}

impl<G: Game> Prober<'_, G> {
    /// The values of the request's moves; `None` if one is not known.
    fn rank(
        &mut self,
        request: &Request<G::Move>,
    ) -> Result<Option<Vec<Ranked<G::Move>>>, TableError> {
        let Some(limit) = self.nearest_drawn_on_return()? else {
            return Ok(None);
        };
        let mut moves = request.moves.clone();
        if request.seed != 0 {
            fastrand::Rng::with_seed(request.seed).shuffle(&mut moves);
        }
        let mut ranked = Vec::new();
        for mv in moves {
            match self.value_of(mv)? {
                Some(Value::Win(plies) | Value::Loss(plies)) if plies > limit => return Ok(None),
                None => return Ok(None),
                Some(value) => ranked.push(Ranked {
                    mv,
                    value,
                    chances: 0,
                }),
            }
        }
        let best = ranked.iter().map(|ranked| score(ranked.value)).max();
        if best == Some(score(Value::Draw)) {
            for ranked in ranked
                .iter_mut()
                .filter(|ranked| ranked.value == Value::Draw)
            {
                ranked.chances = self.chances(ranked.mv)?;
            }
        }
        Ok(Some(ranked))
    }

    /// The plies from the root up to which wins are sure: the distance of the nearest decided position that would be drawn on its
    /// return. `None` if the table does not know one.
    fn nearest_drawn_on_return(&mut self) -> Result<Option<u32>, TableError> {
        let drawn = self.history.keys_drawn_on_return();
        let mut nearest = u32::MAX;
        let mut earlier = self.history.clone();
        while !drawn.is_empty() {
            let key = earlier.game().key(earlier.position());
            if drawn.binary_search(&key).is_ok() {
                match self.table.value(earlier.position())? {
                    None => return Ok(None),
                    Some(Value::Draw) => {}
                    Some(Value::Win(plies) | Value::Loss(plies)) => nearest = nearest.min(plies),
                }
            }
            if earlier.undo().is_none() {
                break;
            }
        }
        // A move that wins in as many plies more leads to a position that is no farther than this one.
        Ok(Some(nearest.saturating_add(1)))
    }

    /// The value of a move, from the player who makes it.
    fn value_of(&mut self, mv: G::Move) -> Result<Option<Value>, TableError> {
        let side = self.history.side();
        self.history.play(mv);
        let value = match self.history.outcome() {
            Some(Outcome::Draw) => Ok(Some(Value::Draw)),
            Some(Outcome::Win(winner)) if winner == side => Ok(Some(Value::Win(0))),
            Some(Outcome::Win(_)) => Ok(Some(Value::Loss(0))),
            None => {
                self.n_hits += 1;
                let value = self.table.value(self.history.position());
                // A position of the same side to move, as after a turn that is two moves, is not turned.
                let is_same = self.history.side() == side;
                value.map(|value| value.map(|value| if is_same { value } else { flipped(value) }))
            }
        };
        self.history.undo();
        Ok(value?.map(before_move))
    }

    /// Of a thousand replies to a move, those after which the player who made it wins.
    fn chances(&mut self, mv: G::Move) -> Result<u64, TableError> {
        let side = self.history.side();
        self.history.play(mv);
        let replies = self.history.moves();
        let mut n_wrong = 0;
        for &reply in &replies {
            self.history.play(reply);
            n_wrong += u64::from(match self.history.outcome() {
                Some(outcome) => outcome == Outcome::Win(side),
                None => {
                    self.n_hits += 1;
                    let wins = match self.history.side() == side {
                        true => Ending::Win,
                        false => Ending::Loss,
                    };
                    self.table.result(self.history.position())? == Some(wins)
                }
            });
            self.history.undo();
        }
        self.history.undo();
        Ok(1_000 * n_wrong / (replies.len() as u64).max(1))
    }

    /// A move, and if it decides the game the best moves of both sides to the end.
    fn line(&mut self, mv: G::Move, value: Value) -> Result<Vec<G::Move>, TableError> {
        let mut line = vec![mv];
        if value == Value::Draw {
            return Ok(line);
        }
        let ply = self.history.ply();
        self.history.play(mv);
        while self.history.outcome().is_none() && line.len() < MAX_PLY {
            let mut best = None;
            for mv in self.history.moves() {
                let value = self.value_of(mv)?.unwrap_or(Value::Draw);
                let score = score(value);
                if best.is_none_or(|(most, _)| score > most) {
                    best = Some((score, mv));
                }
            }
            let (_, mv) = best.expect("a game that goes on has a move");
            line.push(mv);
            self.history.play(mv);
        }
        self.history.rewind(ply);
        Ok(line)
    }
}
