//! `go`: builds the search request and its limits.

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::{Dialect, Go, Reply};

use super::job::{Job, SearchTask, Task};
use super::{Running, Session, Step, error, options};
use crate::perft;
use crate::search::{Budget, Clock, Control, Limits, Request};
use crate::{Rejection, Side};

impl Session {
    pub(super) fn go(&mut self, go: &Go, arrival: Instant) -> Result<Step, Rejection> {
        let moves = self.candidates(&go.search_moves)?;
        if moves.is_empty() {
            let none = Reply::BestMove {
                mv: "none".to_owned(),
                ponder: None,
            };
            return Ok(vec![error(&"game is over".into()), none].into());
        }
        self.learning.search(self.history.side());
        let limits = self.limits(go);
        let replies = self.debug_limits(&limits).into_iter().collect();
        let running = Running {
            control: Arc::new(Control::new(arrival, go.ponder)),
            is_infinite: limits.is_infinite,
        };
        let task = SearchTask {
            searcher: self.searcher.take().expect("no search is running"),
            table: self.table.get(),
            request: Request {
                n_lines: options::spin(&self.options, "MultiPV"),
                skill: options::skill(&self.options, self.history.as_ref()),
                seed: self.seed(),
                heuristics: options::heuristics(&self.options),
                method: options::method(&self.options),
                ..Request::new(moves, limits)
            },
            dialect: self.dialect,
            mate_as_written: go.mate,
            can_ponder: self.options.check("Ponder"),
        };
        let job = self.start(running, Task::Search(Box::new(task)));
        Ok(Step {
            replies,
            job: Some(job),
            ..Step::default()
        })
    }

    /// The value of `Seed`. If it is 0, a player that errs at random has another seed in each game.
    fn seed(&self) -> u64 {
        match options::spin(&self.options, options::SEED) {
            0 if options::errs_at_random(&self.options) => self.game_seed,
            seed => seed,
        }
    }

    pub(super) fn perft(&mut self, depth: u32, arrival: Instant) -> Result<Step, Rejection> {
        let most = perft::MAX_DEPTH;
        if depth > most {
            return Err(format!("perft {depth}: expected at most {most} plies").into());
        }
        let running = Running {
            control: Arc::new(Control::new(arrival, false)),
            is_infinite: false,
        };
        Ok(Step {
            job: Some(self.start(running, Task::Perft(depth))),
            ..Step::default()
        })
    }

    fn start(&mut self, running: Running, task: Task) -> Job {
        if self.is_input_closed && !running.is_bounded() {
            running.control.stop();
        }
        let control = Arc::clone(&running.control);
        self.running = Some(running);
        Job {
            control,
            history: self.history.fork(),
            task,
        }
    }

    /// The moves to choose from: those named, or all of them; none if the game is over.
    fn candidates(&self, named: &[String]) -> Result<Vec<String>, Rejection> {
        let mut legal = self.history.moves();
        if named.is_empty() || legal.is_empty() {
            return Ok(legal);
        }
        let codes = named.iter().flat_map(|word| self.history.split_codes(word));
        let canonical = |code| self.history.fork().play(code);
        let chosen = codes.map(canonical).collect::<Result<Vec<_>, _>>()?;
        legal.retain(|code| chosen.contains(code));
        Ok(legal)
    }

    fn limits(&self, go: &Go) -> Limits {
        let overhead = Duration::from_millis(options::spin(&self.options, "Move Overhead"));
        let clock = self.clock(go);
        let mut budget = clock.map_or(Budget::None, |clock| Budget::for_clock(clock, overhead));
        if let Some(time) = go.move_time {
            budget = budget.within(time, overhead);
        }
        let mate = go.mate.map(|mate| match self.dialect {
            Dialect::Ugi => mate,
            Dialect::Uci | Dialect::Uai => mate.saturating_mul(2).saturating_sub(1),
        });
        let has_limit =
            go.depth.is_some() || go.nodes.is_some() || mate.is_some() || budget != Budget::None;
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate,
            budget,
            is_infinite: go.infinite || !has_limit,
        }
    }

    /// The clock of the side to move. If only the opponent's clock is given, that one is used.
    fn clock(&self, go: &Go) -> Option<Clock> {
        let p1 = (go.p1_time, go.p1_inc);
        let p2 = (go.p2_time, go.p2_inc);
        let ((left, increment), other) = match self.history.side() {
            Side::P1 => (p1, p2.0),
            Side::P2 => (p2, p1.0),
        };
        let left = left.or(other)?;
        Some(Clock {
            left,
            increment: increment.unwrap_or_default(),
            moves_to_go: go.moves_to_go,
        })
    }

    fn debug_limits(&self, limits: &Limits) -> Option<Reply> {
        let (soft, hard) = (limits.budget.soft()?, limits.budget.hard()?);
        let (soft, hard) = (soft.as_millis(), hard.as_millis());
        let text = format!("no new depth after {soft} ms, stop at {hard} ms");
        self.is_debugging.then(|| Reply::string(text))
    }
}
