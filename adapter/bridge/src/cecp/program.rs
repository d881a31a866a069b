//! Adapter for a CECP program as an engine, the counterpart of [`run`](super::run) with the same conventions.
//!
//! The program stays in `force` mode while it receives moves, and gets `go` for each of its moves. In a game of the
//! catalogue, the board and its moves are those of a [`Layout`], and a pass is sent as XBoard sends it: as the same board
//! with the other side to move. In a game whose rules are a program, position strings and codes are sent unchanged.

use std::time::Duration;

use kit::{DynHistory, Side};
use protocol::text::excerpt;
use protocol::{Go, Info, Score};

use super::fen::Fen;
use super::layout::Layout;
use super::limits::level_line;
use super::reply;
use super::reply::{Reply, Thinking};
use super::square::Move;
use crate::ugi::{KnownGame, Program, ProgramEvent, Search, seconds};

/// Time of a search that only `?` ends: a year.
const UNLIMITED: Duration = Duration::from_secs(31_536_000);

/// Features that the adapter accepts.
const ACCEPTED: [&str; 5] = ["done", "setboard", "usermove", "myname", "time"];

/// State of the dialogue with a CECP program.
#[derive(Default)]
pub(crate) struct CecpProgram {
    /// Name of the game, if it is one of the catalogue.
    game: Option<String>,
    name: Option<String>,
    /// The program's `variants` feature, if it sent one.
    variants: Option<String>,
    /// Moves are sent as `usermove CODE`, not as the code alone.
    has_usermove: bool,
    /// The game on the program's board; `None` if it is unknown or belongs to another line.
    known: Option<Known>,
    /// `true` while a move is awaited.
    is_thinking: bool,
    /// The limit lines sent last, without the clocks.
    limits: Vec<String>,
    /// The clock at the first search of the game.
    base: Option<Duration>,
}

/// The game on the program's board, with XBoard's board for a game of the catalogue.
struct Known {
    game: KnownGame,
    layout: Option<Layout>,
}

impl Known {
    /// Returns the line that sends a legal move of a position.
    fn move_line(&self, position: &str, code: &str, has_usermove: bool) -> String {
        let Some(layout) = &self.layout else {
            return match has_usermove {
                true => format!("usermove {code}"),
                false => code.to_owned(),
            };
        };
        match layout.mv(position, code) {
            Move::Pass => {
                let here = layout.to_xboard(position);
                let side = here.side.other();
                format!("setboard {}", Fen { side, ..here })
            }
            mv => format!("usermove {}", layout.numbers().mv(mv)),
        }
    }

    /// Makes the program's move, and returns its code; `None` if it is not legal.
    fn play_text(&mut self, text: &str) -> Option<String> {
        let Some(layout) = &self.layout else {
            return self.game.play_text(text);
        };
        let code = code_of(layout, self.game.board.as_ref(), text)?;
        self.game.play(&code).ok().map(|()| code)
    }

    /// Converts a line of XBoard's moves to codes, up to the first illegal move.
    fn codes(&self, pv: &str) -> Option<Vec<String>> {
        let layout = self.layout.as_ref()?;
        let mut board = self.game.board.fork();
        let codes = pv.split_whitespace().map_while(|word| {
            let code = code_of(layout, board.as_ref(), word)?;
            board.play(&code).ok().map(|_| code)
        });
        Some(codes.collect())
    }
}

impl CecpProgram {
    /// Creates the adapter for a program that plays this game of the catalogue.
    pub(crate) fn new(game: &str) -> CecpProgram {
        CecpProgram {
            game: Some(game.to_owned()),
            ..CecpProgram::default()
        }
    }

    fn search_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let kept = self.known.take();
        let mut known = match kept.filter(|known| known.game.is_beginning_of(search)) {
            Some(kept) => {
                lines.push("force".to_owned());
                kept
            }
            None => self.begin(search, &mut lines)?,
        };
        for code in &search.line.moves[known.game.line.moves.len()..] {
            let position = known.game.board.fen();
            known.game.play(code)?;
            lines.push(known.move_line(&position, code, self.has_usermove));
        }
        self.known = Some(known);
        self.add_limits(search, &mut lines)?;
        lines.push("go".to_owned());
        Ok(lines)
    }

    fn begin(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<Known, String> {
        let start = search.rules.start().fen();
        let game = self.game.as_deref();
        let layout = game.map(|game| Layout::new(game, &start)).transpose()?;
        lines.push("new".to_owned());
        match &layout {
            None => lines.extend(["easy", "post"].map(str::to_owned)),
            Some(layout) => lines.push(self.variant_line(layout)?),
        }
        lines.push("force".to_owned());
        self.limits.clear();
        self.base = None;
        let game = KnownGame::start(search)?;
        if let Some(fen) = &game.line.fen {
            lines.push(match &layout {
                None => format!("setboard {fen}"),
                Some(layout) => board_line(layout, &game.board.fen())?,
            });
        }
        Ok(Known { game, layout })
    }

    fn variant_line(&self, layout: &Layout) -> Result<String, String> {
        let variant = layout.variant();
        if let Some(variants) = &self.variants
            && !variants.split(',').any(|own| own.trim() == variant)
        {
            return Err(format!("the program plays {variants}: expected {variant}"));
        }
        Ok(format!("variant {variant}"))
    }

    /// Adds the limit lines if they have changed, and the clocks.
    fn add_limits(&mut self, search: &Search<'_>, lines: &mut Vec<String>) -> Result<(), String> {
        let (go, side) = (search.go, search.side);
        let times = [go.p1_time, go.p2_time];
        let left = times[side.index()];
        let base = left.map(|left| *self.base.get_or_insert(left));
        let limits = match self.game {
            Some(_) => limit_lines(go, side, base),
            None => plain_limit_lines(go, side, base)?,
        };
        if self.limits != limits {
            lines.extend(limits.iter().cloned());
            self.limits = limits;
        }
        for (word, side) in [("time", side), ("otim", side.other())] {
            let left = times[side.index()];
            lines.extend(left.map(|left| format!("{word} {}", left.as_millis() / 10)));
        }
        Ok(())
    }

    fn hear_features(
        &mut self,
        features: Vec<(String, String)>,
        send: &mut Vec<String>,
    ) -> Option<ProgramEvent> {
        let mut is_done = false;
        for (name, value) in features {
            let is_accepted = ACCEPTED.contains(&name.as_str()) || value == "0";
            let word = if is_accepted { "accepted" } else { "rejected" };
            send.push(format!("{word} {name}"));
            match name.as_str() {
                "myname" => self.name = Some(value),
                "variants" => self.variants = Some(value),
                "usermove" => self.has_usermove = value == "1",
                "done" => is_done = value == "1",
                _ => {}
            }
        }
        is_done.then(|| ProgramEvent::Ready {
            name: self.name.clone(),
        })
    }

    /// Fails if the program has another board than expected, because it would play another game.
    fn hear_setup(&mut self, line: &str) -> Option<ProgramEvent> {
        let known = self.known.as_ref()?;
        let board_of = |setup: &str| setup.split(' ').nth(2).map(str::to_owned);
        let expected = known.layout.as_ref()?.setup(&known.game.board.fen());
        let (own, expected) = (board_of(line)?, board_of(&expected)?);
        if own == expected {
            return None;
        }
        self.fail(&format!(
            "the program's board is {own}: expected {expected}"
        ))
    }

    fn hear_move(&mut self, text: &str) -> Option<ProgramEvent> {
        if !std::mem::take(&mut self.is_thinking) {
            return None;
        }
        // An illegal move is passed on unchanged; the referee judges it.
        let known = self.known.as_mut();
        let code = known.and_then(|known| known.play_text(text));
        if code.is_none() {
            self.known = None;
        }
        let text = excerpt(text).replace(' ', "_");
        Some(ProgramEvent::Moved(code.unwrap_or(text)))
    }

    fn thought(&self, thinking: &Thinking) -> Info {
        let known = self.known.as_ref();
        let pv = known.and_then(|known| known.codes(&thinking.pv));
        Info {
            depth: Some(thinking.depth),
            score: Some(plies(thinking.score)),
            time: Some(thinking.time),
            nodes: Some(thinking.nodes),
            pv: pv.unwrap_or_default(),
            ..Info::default()
        }
    }

    /// Reports a failure if a move is awaited. The state of the program's board is unknown afterwards.
    fn fail(&mut self, why: &str) -> Option<ProgramEvent> {
        self.known = None;
        let was_thinking = std::mem::take(&mut self.is_thinking);
        was_thinking.then(|| ProgramEvent::Failed(format!("CECP: {why}")))
    }
}

impl Program for CecpProgram {
    fn shake_hands(&mut self) -> Vec<String> {
        vec!["xboard".to_owned(), "protover 2".to_owned()]
    }

    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let lines = self.search_lines(search);
        self.is_thinking = lines.is_ok();
        if lines.is_err() {
            self.known = None;
        }
        lines
    }

    fn move_now(&mut self) -> Vec<String> {
        vec!["?".to_owned()]
    }

    fn quit(&mut self) -> Vec<String> {
        vec!["quit".to_owned()]
    }

    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent> {
        match Reply::parse(line) {
            Reply::Features(features) => self.hear_features(features, send),
            Reply::Move(text) => self.hear_move(&text),
            Reply::Thinking(thinking) if self.is_thinking => {
                Some(ProgramEvent::Thought(self.thought(&thinking)))
            }
            Reply::Illegal { why, mv } => self.fail(&format!("illegal move {mv}: {why}")),
            Reply::TellUserError(why) => self.fail(&why),
            Reply::Result(result) => self.fail(&format!("the program ends the game: {result}")),
            Reply::Error { why, line } if line.starts_with("variant") => self.fail(&why),
            Reply::Other(line) if line.starts_with("setup ") => self.hear_setup(&line),
            Reply::Other(line) if line.trim() == "resign" => self.fail("the program resigns"),
            Reply::Thinking(_) | Reply::Pong(_) | Reply::Error { .. } | Reply::Other(_) => None,
        }
    }
}

/// Returns the code of the legal move that the text denotes.
pub(super) fn code_of(layout: &Layout, board: &dyn DynHistory, text: &str) -> Option<String> {
    let mv = layout.numbers().read_move(text)?;
    let position = board.fen();
    let mut codes = board.moves().into_iter();
    codes.find(|code| layout.mv(&position, code) == mv)
}

/// Converts a score. A win in n moves is 2n - 1 plies, a loss in n moves 2n plies.
fn plies(score: reply::Score) -> Score {
    let narrow = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX });
    match score {
        reply::Score::Centi(cp) => Score::Cp(narrow(cp)),
        reply::Score::Mate(moves) if moves > 0 => Score::Mate(narrow(2 * moves - 1)),
        reply::Score::Mate(moves) => Score::Mate(narrow(2 * moves)),
    }
}

/// Returns the line that sets up a position on XBoard's board.
///
/// # Errors
/// The board does not show all of it.
fn board_line(layout: &Layout, position: &str) -> Result<String, String> {
    let fen = layout.to_xboard(position);
    if layout.to_game(&fen).as_deref() != Ok(position) {
        return Err(format!(
            "{position}: CECP does not transmit counters: expected a position with all counters at 0"
        ));
    }
    Ok(format!("setboard {fen}"))
}

/// Returns the lines that set a limit. A node limit is sent as a time, with time measured in nodes.
///
/// `base` is the clock of the side at the beginning of the game; the remaining time is sent before each move.
fn limit_lines(go: &Go, side: Side, base: Option<Duration>) -> Vec<String> {
    let mut lines = vec![format!("sd {}", go.depth.unwrap_or(0))];
    if let Some(nodes) = go.nodes.filter(|_| base.is_none()) {
        lines.extend(["nps 1".to_owned(), format!("st {nodes}")]);
        return lines;
    }
    lines.push("nps 0".to_owned());
    lines.push(match base {
        None => format!("st {}", seconds(go.move_time.unwrap_or(UNLIMITED))),
        Some(base) => {
            let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
            level_line(go.moves_to_go.unwrap_or(0), base, inc)
        }
    });
    lines
}

/// The same in a game whose rules are a program, with the commands that all chess programs have.
///
/// # Errors
/// CECP has no such limit.
fn plain_limit_lines(go: &Go, side: Side, base: Option<Duration>) -> Result<Vec<String>, String> {
    let depth = go.depth.map(|depth| format!("sd {depth}"));
    let clock = base.map(|base| {
        let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
        level_line(go.moves_to_go.unwrap_or(0), base, inc)
    });
    let time = go.move_time.map(|time| format!("st {}", seconds(time)));
    let lines: Vec<String> = [depth, clock, time].into_iter().flatten().collect();
    match lines.is_empty() && go.nodes.is_some() {
        true => Err("CECP has no limit of nodes: expected tc=, st= or depth=".to_owned()),
        false => Ok(lines),
    }
}

#[cfg(test)]
mod tests;
