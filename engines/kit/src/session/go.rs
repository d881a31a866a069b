//! `go`: builds the search request and its limits, searches, and reports in `info` lines.

use std::sync::Arc;
use std::time::{Duration, Instant};

use protocol::{Dialect, Go, Info, Reply};

use super::{Session, error, lock, options};
use crate::search::score::DRAW;
use crate::search::{Budget, Control, Limits, Line, Progress, Request, mate_distance};
use crate::{DynHistory, Rejection, Side, perft, uct};

impl Session {
    pub(super) fn go(&mut self, go: &Go, arrival: Instant) -> Result<Vec<Reply>, Rejection> {
        let moves = self.candidates(&go.search_moves)?;
        if moves.is_empty() {
            let none = Reply::BestMove {
                mv: "none".to_owned(),
                ponder: None,
            };
            let fault = self.history.fault();
            let why = fault.map_or("game is over".into(), Rejection);
            return Ok(vec![error(&why), none]);
        }
        self.learning.search(self.history.side());
        let limits = self.limits(go);
        let replies = self.debug_limits(&limits).into_iter().collect();
        let is_held = go.infinite || limits == Limits::default();
        let request = Request {
            n_lines: options::spin(&self.options, "MultiPV"),
            skill: options::skill(&self.options, self.history.as_ref()),
            seed: self.seed(),
            heuristics: options::heuristics(&self.options),
            method: options::method(&self.options),
            ..Request::new(moves, limits)
        };
        let (searcher, table) = (Arc::clone(&self.searcher), self.table.table.clone());
        let (dialect, can_ponder) = (self.dialect, self.options.check("Ponder"));
        let plays_out = !self.has_engine();
        // A proof is not what playouts look for.
        let mate = go.mate.filter(|_| !plays_out);
        let control = Control::new(arrival, go.ponder, is_held);
        self.start(control, move |history, control, send| {
            let started = Instant::now();
            let mut report = |found: &Progress| {
                infos(dialect, found, started.elapsed()).for_each(&mut *send);
            };
            let answer = table.and_then(|table| table.answer(&*history, &request, control));
            let found = match answer {
                Some(Ok(found)) => {
                    report(&found);
                    found
                }
                failed => {
                    if let Some(Err(error)) = failed {
                        let note = format!("TablePath: {error}; searching without it");
                        report(&Progress::note(note));
                    }
                    match plays_out {
                        true => uct::search(history.fork(), &request, control, &mut report),
                        false => {
                            history.search(&mut lock(&searcher), &request, control, &mut report)
                        }
                    }
                }
            };
            control.wait_for_release();
            if let Some(why) = history.fault() {
                send(Reply::Error(why));
            }
            let best = &found.lines[0];
            let plies = mate_distance(best.score).filter(|plies| *plies > 0);
            let is_found = |most| plies.is_some_and(|plies| plies as u32 <= most);
            if let Some(mate) = mate.filter(|_| !request.limits.mate.is_some_and(is_found)) {
                send(Reply::string(format!("no mate in {mate}")));
            }
            send(Reply::BestMove {
                mv: best.pv[0].clone(),
                ponder: best.pv.get(1).filter(|_| can_ponder).cloned(),
            });
        });
        Ok(replies)
    }

    /// The value of `Seed`. If it is 0, a player that errs or plays out games at random has another seed in each game.
    fn seed(&self) -> u64 {
        let is_random = !self.has_engine() || options::errs_at_random(&self.options);
        match options::spin(&self.options, options::SEED) {
            0 if is_random => self.game_seed,
            seed => seed,
        }
    }

    pub(super) fn perft(&mut self, depth: u32, arrival: Instant) -> Result<(), Rejection> {
        let most = perft::MAX_DEPTH;
        if depth > most {
            return Err(format!(
                "perft {depth}: no tree that deep can be counted: ask for {most} plies at most"
            )
            .into());
        }
        let control = Control::new(arrival, false, false);
        self.start(control, move |history, control, send| {
            let mut each = |mv, nodes| send(Reply::Divide { mv, nodes });
            let total = history.divide(depth, &|| control.is_stopped(), &mut each);
            let stopped = || Reply::string("perft stopped".to_owned());
            send(total.map_or_else(stopped, Reply::PerftTotal));
        });
        Ok(())
    }

    /// Begins a job in the current position.
    fn start(
        &mut self,
        control: Control,
        run: impl FnOnce(&mut dyn DynHistory, &Control, &mut dyn FnMut(Reply)) + Send + 'static,
    ) {
        let control = Arc::new(control);
        if self.is_closed && !control.is_bounded() {
            control.stop();
        }
        self.running = Some(Arc::clone(&control));
        let mut history = self.history.fork();
        self.job = Some(Box::new(move |send| run(history.as_mut(), &control, send)));
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
        let p1 = (go.p1_time, go.p1_inc);
        let p2 = (go.p2_time, go.p2_inc);
        let ((left, increment), other) = match self.history.side() {
            Side::P1 => (p1, p2.0),
            Side::P2 => (p2, p1.0),
        };
        // If only the opponent's clock is given, that one is used.
        let mut budget = left.or(other).map_or(Budget::None, |left| {
            let increment = increment.unwrap_or_default();
            Budget::for_clock(left, increment, go.moves_to_go, overhead)
        });
        if let Some(time) = go.move_time {
            budget = budget.within(time, overhead);
        }
        let mate = go.mate.map(|mate| match self.dialect {
            Dialect::Ugi => mate,
            Dialect::Uci | Dialect::Uai => mate.saturating_mul(2).saturating_sub(1),
        });
        Limits {
            depth: go.depth,
            nodes: go.nodes,
            mate,
            budget,
        }
    }

    fn debug_limits(&self, limits: &Limits) -> Option<Reply> {
        let (soft, hard) = (limits.budget.soft()?, limits.budget.hard()?);
        let (soft, hard) = (soft.as_millis(), hard.as_millis());
        let text = format!("no new depth after {soft} ms, stop at {hard} ms");
        self.is_debugging.then(|| Reply::string(text))
    }
}

/// The `info` lines of one report: one for each note, one for each line of play.
fn infos(dialect: Dialect, progress: &Progress, time: Duration) -> impl Iterator<Item = Reply> {
    let common = counters(progress, time);
    let has_ranks = progress.lines.len() > 1;
    // Before depth 1 is complete there is a move but no score.
    let lines = match progress.depth {
        0 => &[],
        _ => &progress.lines[..],
    };
    let ranked = lines.iter().zip(1..).map(|(line, rank)| Info {
        depth: Some(progress.depth),
        multipv: has_ranks.then_some(rank),
        score: Some(score(progress, line, dialect)),
        bound: line.bound,
        pv: line.pv.clone(),
        ..common.clone()
    });
    let mut infos: Vec<Info> = ranked.collect();
    if infos.is_empty() && progress.notes.is_empty() {
        infos.push(common);
    }
    let notes = progress.notes.iter().cloned().map(Reply::string);
    notes.chain(infos.into_iter().map(Reply::Info))
}

/// The fields that all lines of a report have in common.
fn counters(progress: &Progress, time: Duration) -> Info {
    let millis = time.as_millis().max(1) as u64;
    Info {
        seldepth: Some(progress.seldepth),
        time: Some(time),
        nodes: Some(progress.nodes),
        nps: Some(progress.nodes.saturating_mul(1000) / millis),
        hashfull: Some(progress.hashfull),
        tb_hits: (progress.tb_hits > 0).then_some(progress.tb_hits),
        ..Info::default()
    }
}

/// The score in the dialect's form: UGI counts plies to the end, UCI moves of the side that wins or loses. A draw is
/// reported as such if it comes from a table.
fn score(progress: &Progress, line: &Line, dialect: Dialect) -> protocol::Score {
    match (mate_distance(line.score), dialect) {
        (None, _) if progress.tb_hits > 0 && line.score == DRAW => protocol::Score::Draw,
        (None, _) => protocol::Score::Cp(line.score),
        (Some(plies), Dialect::Ugi) => protocol::Score::Mate(plies),
        (Some(plies), Dialect::Uci | Dialect::Uai) => {
            protocol::Score::Mate((plies + plies.signum()) / 2)
        }
    }
}
