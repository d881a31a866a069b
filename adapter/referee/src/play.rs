//! Plays one game of a schedule: a loop around a [`LiveGame`] and its two engines.
//!
//! A game has an ending even if an engine misbehaves, unless the match is stopped or the system is short of resources.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::date::today;
use kit::Side;
use kit::hash::hash;
use protocol::Query;
use record::event::{Event, StartedGame};
use record::game::{Ending, GameRecord, GameResult, Termination};
use record::opening::Opening;
use record::outputs::PgnComment;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Slot;

use crate::arbiter::{Answers, Arbiter, is_code};
use crate::engine::{BestMove, Engine, EngineEvent, Fault, RESIGN, Request};
use crate::game_table::GameTable;
use crate::live_game::{Halt, LiveGame, Next};
use crate::pool::EnginePool;
use crate::stop::Stop;

/// Maximum length of a text in a record, in bytes, except for lines of engines.
pub const MAX_TEXT: usize = 1000;

/// Maximum number of notes of a game.
pub const MAX_NOTES: usize = 1000;

/// The data that all games of a match share.
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
    /// Each move is an event.
    pub tells_moves: bool,
    /// The hint after the first game that a margin would have saved was given.
    pub(crate) is_hinted: AtomicBool,
}

impl GameRunner {
    /// Plays a game at one of the places for concurrent games.
    ///
    /// # Errors
    /// If the match is stopped ([`Halt::Stopped`]) or cannot continue ([`Halt::Trouble`]).
    pub fn play(
        &self,
        slot: &Slot,
        opening: &Opening,
        place: usize,
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
        // The game is judged by the rules, or by what both engines say.
        let arbiter = match &self.rules {
            Some(rules) => {
                let board = rules.open(opening).expect("openings were checked");
                let mut arbiter = Arbiter::rules(board, opening);
                arbiter.table.clone_from(&self.table);
                arbiter
            }
            None => {
                let known = engines
                    .each_ref()
                    .map(|engine| engine.config.answers.clone());
                Arbiter::query(opening, known)
            }
        };
        let clocks = engines.each_ref().map(|engine| engine.config.clock());
        let mut game = LiveGame::new(arbiter, names.clone(), clocks, self.plan.adjudication);
        game.keeps_pv = self.plan.outputs.pgn_comments.contains(&PgnComment::Pv);
        let [p1, p2] = &mut engines;
        let halt = self.play_out(slot, &mut game, [p1, p2], tell);
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
        let mut record = record_of(&game, *ending, numbers, names, opening.clone());
        bound(&mut record);
        Ok(record)
    }

    /// Plays a game between the engines of p1 and p2 to its end. Blocks.
    fn play_out(
        &self,
        slot: &Slot,
        game: &mut LiveGame,
        mut engines: [&mut Engine; 2],
        tell: &dyn Fn(Event),
    ) -> Halt {
        // An engine that plays below full strength errs by this seed, so that the game can be repeated.
        let seed = hash([self.plan.srand, slot.game as u64]);
        if let Err(failure) = begin(&mut engines, seed) {
            fail(game, &engines, failure);
        }
        loop {
            match game.next() {
                Next::Go {
                    side,
                    search,
                    ponder,
                } => {
                    let [p1, p2] = &mut engines;
                    let (mover, other) = match side {
                        Side::P1 => (&mut **p1, &mut **p2),
                        Side::P2 => (&mut **p2, &mut **p1),
                    };
                    if let Some((position, go)) = ponder {
                        let position = &position;
                        // An engine that cannot ponder now gets `go` in time.
                        let _ = other.ask(Request::Ponder { position, go });
                    }
                    let asked = mover.ask(Request::Go(search));
                    game.expect();
                    let answer = asked.and_then(|()| mover.wait(Some(other), EngineEvent::moved));
                    for engine in &mut engines {
                        for note in std::mem::take(&mut engine.facts.notes) {
                            game.note(engine.name(), &note);
                            let note = format!("in game {}: {note}", slot.game);
                            tell(Event::note(engine.name(), note));
                        }
                    }
                    let is_played = judge(game, side, answer, Some(engines[side.index()]));
                    if is_played && self.tells_moves {
                        let moves = game.arbiter.moves();
                        let mut record = game.last_record().cloned().unwrap_or_default();
                        tell(Event::MovePlayed {
                            game: slot.game,
                            ply: moves.len(),
                            code: moves.last().cloned().unwrap_or_default(),
                            player: record.by.take(),
                            record,
                        });
                    }
                }
                Next::Ask { position, queries } => {
                    match ask_both(&mut engines, position, queries) {
                        Ok(answers) => game.told(&answers),
                        Err(failure) => fail(game, &engines, failure),
                    }
                }
                Next::Over(Halt::Over(mut ending)) => {
                    for (side, engine) in Side::BOTH.into_iter().zip(&mut engines) {
                        report_fault(&mut ending, side, engine);
                        if game.is_over_by_rules() {
                            let (position, result) = (game.arbiter.position(), None);
                            // It need not learn.
                            let _ = engine.ask(Request::GameOver { position, result });
                        }
                    }
                    return Halt::Over(ending);
                }
                Next::Over(halt) => return halt,
            }
        }
    }
}

fn fail(game: &mut LiveGame, engines: &[&mut Engine; 2], (side, fault): (Side, Fault)) {
    let complaint = engines[side.index()].facts.complaint.as_ref();
    game.failed(side, &fault, complaint);
}

/// Passes the answer of the side to move to the game, with the engine that plays it, if one does. Returns `true` if a move
/// was played.
pub fn judge(
    game: &mut LiveGame,
    side: Side,
    answer: Result<BestMove, Fault>,
    engine: Option<&Engine>,
) -> bool {
    let complaint = engine.and_then(|engine| engine.facts.complaint.as_ref());
    let failure = engine.and_then(|engine| engine.config.rules_failure(complaint));
    // The program behind a bridge resigns in place of a move.
    let is_bridged = engine.is_some_and(|engine| engine.config.spec.proto.is_bridged());
    match (failure, answer) {
        (Some(why), _) => game.halt = Some(Halt::Trouble(why)),
        (None, Ok(best)) if is_bridged && best.code == RESIGN => game.resigned(best.elapsed),
        (None, Ok(best)) => return game.answered(&best, complaint),
        (None, Err(fault)) if fault.is_silence() => game.timed_out(&fault, complaint),
        (None, Err(fault)) => game.failed(side, &fault, complaint),
    }
    false
}

/// Prepares both engines at the same time. An error names the side at fault.
fn begin(engines: &mut [&mut Engine; 2], seed: u64) -> Result<(), (Side, Fault)> {
    for side in Side::BOTH {
        let begun = engines[side.index()].ask(Request::NewGame { seed: Some(seed) });
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
    queries: [&[Query]; 2],
) -> Result<[Answers; 2], (Side, Fault)> {
    for side in Side::BOTH {
        let queries = queries[side.index()];
        if !queries.is_empty() {
            let asked = engines[side.index()].ask(Request::Query { position, queries });
            asked.map_err(|fault| (side, fault))?;
        }
    }
    let answers = |engine: &mut Engine, beside: &mut Engine, side: Side| {
        if queries[side.index()].is_empty() {
            return Ok(Answers::default());
        }
        let texts = engine.wait(Some(beside), EngineEvent::responses);
        let texts = texts.map_err(|fault| (side, fault))?;
        let complaint = engine.facts.complaint.clone();
        Ok(Answers { texts, complaint })
    };
    let [p1, p2] = engines;
    // Wait first for the engine asked last: the other has often answered by then.
    let last = answers(p2, p1, Side::P2);
    p1.read();
    let first = answers(p1, p2, Side::P1);
    Ok([first?, last?])
}

/// Adds the last output of a side's engine to the report of its fault. If it has lost by it, its process is replaced.
pub fn report_fault(ending: &mut Ending, side: Side, engine: &mut Engine) {
    // In a disagreement, both are at fault.
    let is_lost = ending.result != GameResult::win(side);
    let Some(fault) = ending.fault.as_mut().filter(|_| is_lost) else {
        return;
    };
    let (lines, stderr) = engine.last_output();
    fault.lines.extend(lines);
    if ending.termination != Termination::Disagreement {
        fault.stderr = stderr;
        // Nothing is sent.
        let _ = engine.ask(Request::Forfeit);
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
        moves: game.arbiter.moves().to_vec(),
        result: ending.result,
        termination: ending.termination,
        reason: ending.reason,
        plies: game.plies.clone(),
        date: today(),
        notes: game.notes.clone(),
        fault: ending.fault,
        ..GameRecord::default()
    }
}

/// Shortens the texts of a record, and ends each variation before what is no move.
fn bound(record: &mut GameRecord) {
    record.notes.truncate(MAX_NOTES);
    for text in record.notes.iter_mut().chain([&mut record.reason]) {
        text.truncate(text.floor_char_boundary(MAX_TEXT));
    }
    for note in &mut record.notes {
        *note = note.replace(char::is_control, "?");
    }
    for ply in record.plies.iter_mut().flatten() {
        let n_kept = ply.pv.iter().take_while(|code| is_code(code)).count();
        ply.pv.truncate(n_kept);
    }
}

#[cfg(test)]
mod tests {
    use record::game::PlyRecord;

    use super::*;
    use crate::record_testing::finished_game;

    #[test]
    fn what_engines_write_is_bounded_where_it_is_recorded() {
        let pv = ["a1", "\u{1b}[2J", "b1"].map(str::to_owned).to_vec();
        let mut game = GameRecord {
            plies: vec![Some(PlyRecord {
                pv,
                ..PlyRecord::default()
            })],
            notes: vec!["a note \u{1b}[2J ä".repeat(1000); 5000],
            reason: "ä".repeat(5000),
            ..finished_game(1)
        };
        bound(&mut game);
        let ply = game.plies[0].as_ref().expect("a record");
        assert_eq!(ply.pv, ["a1"]);
        assert_eq!((game.notes.len(), game.reason.len()), (MAX_NOTES, MAX_TEXT));
        assert!(!game.notes[0].contains('\u{1b}') && game.notes[0].len() <= MAX_TEXT);
    }
}
