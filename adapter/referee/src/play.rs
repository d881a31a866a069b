//! Plays one game of a schedule: a loop around a [`LiveGame`] and its two engines.
//!
//! [`play_out`] returns an ending even if an engine misbehaves, unless the match is stopped or the system is short of resources.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::date::today;
use kit::Side;
use kit::hash::hash;
use protocol::Query;
use record::event::{Event, StartedGame};
use record::game::{Ending, GameRecord, PlyRecord, Termination};
use record::opening::Opening;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Slot;

use crate::arbiter::{Answers, Arbiter};
use crate::bounds;
use crate::engine::{Complaint, Engine, EngineEvent, Fault, Request};
use crate::game_table::GameTable;
use crate::live_game::{Halt, LiveGame, Next, at_fault};
use crate::pool::EnginePool;
use crate::stop::Stop;

/// What the games of a match have in common.
#[derive(Debug)]
pub struct GameRunner {
    /// The plan.
    pub plan: Plan,
    /// The rules, if the game has some.
    pub rules: Option<Rules>,
    /// Ends games whose result is in the table.
    pub table: Option<GameTable>,
    /// Requests to end the match early.
    pub stop: Stop,
    /// The engines.
    pub pool: EnginePool,
    /// The hint after the first game that a margin would have saved was given.
    pub(crate) is_hinted: AtomicBool,
}

impl GameRunner {
    /// Plays a game at one of the places for concurrent games. With `tells_moves`, each move is an event.
    ///
    /// # Errors
    /// If the match is stopped ([`Halt::Stopped`]) or cannot continue ([`Halt::Trouble`]).
    pub fn play(
        &self,
        slot: &Slot,
        srand: u64,
        opening: &Opening,
        place: usize,
        tells_moves: bool,
        tell: &dyn Fn(Event),
    ) -> Result<GameRecord, Halt> {
        let names = [slot.p1, slot.p2].map(|engine| self.plan.engine_name(engine));
        let [p1, p2] = names.clone();
        tell(Event::GameStarted(StartedGame {
            game: slot.game,
            pair: slot.pair,
            p1,
            p2,
            opening: opening.clone(),
        }));
        let mut engines = [slot.p1, slot.p2].map(|engine| self.pool.take(engine, place));
        let arbiter = arbiter(self.rules.as_ref(), opening, &engines);
        let arbiter = arbiter.with_table(self.table.clone());
        let clocks = engines.each_ref().map(|engine| engine.config.clock());
        let mut game = LiveGame::new(arbiter, names, clocks, self.plan.adjudication);
        game.keeps_pv = self.plan.outputs.pgn_comments.pv;
        let seed = game_seed(srand, slot.game as u64);
        let [p1, p2] = &mut engines;
        let halt = play_out(&mut game, [p1, p2], Some(seed), &mut |news| match news {
            News::Move { ply, code, record } if tells_moves => {
                let mut record = record.clone();
                tell(Event::MovePlayed {
                    game: slot.game,
                    ply,
                    code: code.to_owned(),
                    player: record.by.take(),
                    record,
                });
            }
            News::Move { .. } => {}
            News::Note(name, text) => {
                tell(Event::note(name, format!("in game {}: {text}", slot.game)));
            }
        });
        for (engine, played) in [slot.p1, slot.p2].into_iter().zip(engines) {
            self.pool.put(engine, place, played);
        }
        let Halt::Over(ending) = halt else {
            return Err(halt);
        };
        if let Some((late, fault)) = game.late.zip(ending.fault.as_ref())
            && !self.is_hinted.swap(true, Ordering::Relaxed)
        {
            let ms = 1e3 * late.as_secs_f64();
            let text = format!(
                "was {ms:.1} ms late: a larger timemargin=MS forgives that; 50 is the default for st="
            );
            tell(Event::note(&fault.engine, text));
        }
        let numbers = (slot.game, slot.pair);
        let names = game.names.clone();
        let mut record = record_of(&game, *ending, numbers, names, opening.clone());
        bounds::bound(&mut record);
        Ok(record)
    }
}

/// The seed of a game for engines that play below full strength: it depends on the seed of the match and the number
/// of the game, from 1.
pub fn game_seed(srand: u64, game: u64) -> u64 {
    hash([srand, game])
}

/// The arbiter of a game from this opening, which was checked: by the rules, or by what both engines say.
pub fn arbiter(rules: Option<&Rules>, opening: &Opening, engines: &[Engine; 2]) -> Arbiter {
    match rules {
        Some(rules) => {
            let board = rules.open(opening).expect("openings were checked");
            Arbiter::rules(board, opening)
        }
        None => {
            let known = engines
                .each_ref()
                .map(|engine| engine.config.answers().to_vec());
            Arbiter::query(opening, known)
        }
    }
}

/// What happens in a game.
#[derive(Debug)]
pub enum News<'a> {
    /// A legal move was played.
    Move {
        /// Number of moves after it, including those of the opening.
        ply: usize,
        /// Its canonical code.
        code: &'a str,
        /// Time and search info of the move.
        record: &'a PlyRecord,
    },
    /// An observation about a player without effect on the result: name and text.
    Note(&'a str, &'a str),
}

/// Plays a game between the engines of p1 and p2 to its end. Blocks.
pub fn play_out(
    game: &mut LiveGame,
    mut engines: [&mut Engine; 2],
    seed: Option<u64>,
    tell: &mut dyn FnMut(News<'_>),
) -> Halt {
    if let Err((side, fault)) = begin(&mut engines, seed) {
        game.failed(side, &fault, complaint(engines[side.index()]).as_ref());
    }
    loop {
        match game.next() {
            Next::Go {
                side,
                position,
                limits,
                allowance,
                ponder,
            } => {
                let [p1, p2] = &mut engines;
                let (mover, other) = match side {
                    Side::P1 => (&mut **p1, &mut **p2),
                    Side::P2 => (&mut **p2, &mut **p1),
                };
                if let Some((position, go)) = ponder {
                    let position = &position;
                    // An engine that cannot ponder now is asked for its move in time.
                    let _ = other.ask(Request::Ponder { position, go }, Instant::now());
                }
                let go = Request::Go {
                    position,
                    go: limits,
                    allowance,
                };
                let asked = mover.ask(go, Instant::now());
                game.expect();
                let answer = asked.and_then(|()| mover.wait(Some(other), EngineEvent::moved));
                for engine in &mut engines {
                    for note in std::mem::take(&mut engine.facts().notes) {
                        game.note(engine.name(), &note);
                        tell(News::Note(engine.name(), &note));
                    }
                }
                let mover = &mut engines[side.index()];
                let complaint = complaint(mover);
                if let Some(why) = mover.config.rules_failure(complaint.as_ref()) {
                    game.rules_failed(why);
                    continue;
                }
                match answer {
                    Ok(best) if mover.config.resigns(&best.code) => game.resigned(best.elapsed),
                    Ok(best) => {
                        if game.answered(&best, complaint.as_ref()) {
                            let moves = game.arbiter().moves();
                            let played = moves.last().zip(game.last_record());
                            let (code, record) = played.expect("a move was just played");
                            let ply = moves.len();
                            tell(News::Move { ply, code, record });
                        }
                    }
                    Err(fault) if fault.is_silence() => {
                        game.timed_out(&fault, complaint.as_ref());
                    }
                    Err(fault) => game.failed(side, &fault, complaint.as_ref()),
                }
            }
            Next::Ask { position, queries } => match ask_both(&mut engines, position, &queries) {
                Ok(answers) => game.told(&answers),
                Err((side, fault)) => {
                    game.failed(side, &fault, complaint(engines[side.index()]).as_ref());
                }
            },
            Next::Over(Halt::Over(mut ending)) => {
                settle(game, &mut engines, &mut ending);
                return Halt::Over(ending);
            }
            Next::Over(halt) => return halt,
        }
    }
}

/// Prepares both engines at the same time. An error names the side at fault.
fn begin(engines: &mut [&mut Engine; 2], seed: Option<u64>) -> Result<(), (Side, Fault)> {
    for side in Side::BOTH {
        let begun = engines[side.index()].ask(Request::NewGame { seed }, Instant::now());
        begun.map_err(|fault| (side, fault))?;
    }
    let [p1, p2] = engines;
    let ready = p1.wait(Some(p2), EngineEvent::ready);
    ready.map_err(|fault| (Side::P1, fault))?;
    let ready = p2.wait(Some(p1), EngineEvent::ready);
    ready.map_err(|fault| (Side::P2, fault))
}

/// Asks p1 and p2 about a position at the same time, and returns their answers. Blocks. An error names the side at fault.
pub fn ask_both(
    engines: &mut [&mut Engine; 2],
    position: &str,
    queries: &[Vec<Query>; 2],
) -> Result<[Answers; 2], (Side, Fault)> {
    for side in Side::BOTH {
        let queries = &queries[side.index()];
        if !queries.is_empty() {
            let query = Request::Query { position, queries };
            let asked = engines[side.index()].ask(query, Instant::now());
            asked.map_err(|fault| (side, fault))?;
        }
    }
    let answers = |engine: &mut Engine, beside: &mut Engine, side: Side| {
        let n_queries = queries[side.index()].len();
        let mut texts = Vec::with_capacity(n_queries);
        for _ in 0..n_queries {
            let text = engine.wait(Some(beside), EngineEvent::response);
            texts.push(text.map_err(|fault| (side, fault))?.trim().to_owned());
        }
        let complaint = complaint(engine).filter(|_| n_queries > 0);
        Ok(Answers { texts, complaint })
    };
    let [p1, p2] = engines;
    // Wait first for the engine asked last; the other has often answered by then, which then only has to be read.
    let last = answers(p2, p1, Side::P2);
    let first = answers(p1, p2, Side::P1);
    Ok([first?, last?])
}

fn complaint(engine: &mut Engine) -> Option<Complaint> {
    engine.facts().complaint.clone()
}

/// Adds the engines' last output to the report of a fault, and reports the end to the engines.
fn settle(game: &LiveGame, engines: &mut [&mut Engine; 2], ending: &mut Ending) {
    for side in at_fault(ending).collect::<Vec<_>>() {
        let engine = &mut *engines[side.index()];
        let (lines, stderr) = engine.last_output();
        let is_forfeit = ending.termination != Termination::Disagreement;
        if let Some(fault) = &mut ending.fault {
            fault.lines.extend(lines);
            fault.stderr = if is_forfeit { stderr } else { String::new() };
        }
        if is_forfeit {
            // Nothing is sent.
            let _ = engine.ask(Request::Forfeit, Instant::now());
        }
    }
    if game.is_over_by_rules() {
        let position = game.arbiter().position();
        let result = None;
        for engine in engines {
            // It need not learn.
            let _ = engine.ask(Request::GameOver { position, result }, Instant::now());
        }
    }
}

/// The record of a finished game: its number and that of its pair, the names of p1 and p2, and its opening.
pub fn record_of(
    game: &LiveGame,
    ending: Ending,
    (number, pair): (usize, usize),
    names: [String; 2],
    opening: Opening,
) -> GameRecord {
    let [p1, p2] = names;
    GameRecord {
        game: number,
        pair,
        p1,
        p2,
        first: game.first(),
        opening,
        moves: game.arbiter().moves().to_vec(),
        result: ending.result,
        termination: ending.termination,
        reason: ending.reason,
        plies: game.plies().to_vec(),
        date: today(),
        notes: game.notes.clone(),
        fault: ending.fault,
        ..GameRecord::default()
    }
}
