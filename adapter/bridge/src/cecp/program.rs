//! Adapter for a CECP program as an engine, the counterpart of [`run`](super::run) with the same conventions.
//!
//! The program stays in `force` mode while it receives moves, and gets `go` for each of its moves. A pass is sent as
//! XBoard sends it: as the same board with the other side to move.

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
const ACCEPTED: [&str; 4] = ["done", "setboard", "usermove", "myname"];

/// State of the dialogue with a CECP program.
pub(crate) struct CecpProgram {
    game: String,
    name: Option<String>,
    /// The program's `variants` feature, if it sent one.
    variants: Option<String>,
    /// The game on the program's board; `None` if it is unknown or belongs to another line.
    known: Option<(KnownGame, Layout)>,
    /// `true` while a move is awaited.
    is_thinking: bool,
    /// The limit lines sent last, without the clocks.
    limits: Vec<String>,
    /// The clock at the first search of the game.
    base: Option<Duration>,
}

impl CecpProgram {
    /// Creates the adapter for a program that plays this game.
    pub(crate) fn new(game: &str) -> CecpProgram {
        CecpProgram {
            game: game.to_owned(),
            name: None,
            variants: None,
            known: None,
            is_thinking: false,
            limits: Vec::new(),
            base: None,
        }
    }

    fn search_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let kept = self
            .known
            .take()
            .filter(|(known, _)| known.is_beginning_of(search));
        let (mut known, layout) = match kept {
            Some(kept) => {
                lines.push("force".to_owned());
                kept
            }
            None => self.begin(search, &mut lines)?,
        };
        for code in &search.line.moves[known.line.moves.len()..] {
            let position = known.board.fen();
            known.play(code)?;
            lines.push(match layout.mv(&position, code) {
                Move::Pass => {
                    let here = layout.to_xboard(&position);
                    let side = here.side.other();
                    format!("setboard {}", Fen { side, ..here })
                }
                mv => format!("usermove {}", layout.numbers().mv(mv)),
            });
        }
        self.known = Some((known, layout));
        self.add_limits(search, &mut lines);
        lines.push("go".to_owned());
        Ok(lines)
    }

    fn begin(
        &mut self,
        search: &Search<'_>,
        lines: &mut Vec<String>,
    ) -> Result<(KnownGame, Layout), String> {
        let start = search.rules.start().fen();
        let layout = Layout::new(&self.game, &start)?;
        let variant = layout.variant();
        if let Some(variants) = &self.variants
            && !variants.split(',').any(|own| own.trim() == variant)
        {
            return Err(format!("the program plays {variants}: expected {variant}"));
        }
        let known = KnownGame::start(search)?;
        lines.extend([
            "new".to_owned(),
            format!("variant {variant}"),
            "force".to_owned(),
        ]);
        self.limits.clear();
        self.base = None;
        if known.line.fen.is_some() {
            let position = known.board.fen();
            let fen = layout.to_xboard(&position);
            if layout.to_game(&fen).as_deref() != Ok(position.as_str()) {
                return Err(format!(
                    "{position}: CECP does not transmit counters: expected a position with all counters at 0"
                ));
            }
            lines.push(format!("setboard {fen}"));
        }
        Ok((known, layout))
    }

    /// Adds the limit lines if they have changed, and the clocks.
    fn add_limits(&mut self, search: &Search<'_>, lines: &mut Vec<String>) {
        let (go, side) = (search.go, search.side);
        let left = [go.p1_time, go.p2_time][side.index()];
        let base = left.map(|left| *self.base.get_or_insert(left));
        let limits = limit_lines(go, side, base);
        if self.limits != limits {
            lines.extend(limits.iter().cloned());
            self.limits = limits;
        }
        let times = [go.p1_time, go.p2_time];
        let words = [("time", side), ("otim", side.other())];
        let clocks = words.map(|(word, side)| {
            let left = times[side.index()]?;
            Some(format!("{word} {}", left.as_millis() / 10))
        });
        lines.extend(clocks.into_iter().flatten());
    }

    fn hear_features(
        &mut self,
        features: Vec<(String, String)>,
        send: &mut Vec<String>,
    ) -> Option<ProgramEvent> {
        let mut is_done = false;
        for (name, value) in features {
            let word = match ACCEPTED.contains(&name.as_str()) || value == "0" {
                true => "accepted",
                false => "rejected",
            };
            send.push(format!("{word} {name}"));
            match name.as_str() {
                "myname" => self.name = Some(value),
                "variants" => self.variants = Some(value),
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
        let (known, layout) = self.known.as_ref()?;
        let board_of = |setup: &str| setup.split(' ').nth(2).map(str::to_owned);
        let expected = layout.setup(&known.board.fen());
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
        let code = self.known.as_mut().and_then(|(known, layout)| {
            let code = code_of(layout, known.board.as_ref(), text)?;
            known.play(&code).ok().map(|()| code)
        });
        if code.is_none() {
            self.known = None;
        }
        let text = excerpt(text).replace(' ', "_");
        Some(ProgramEvent::Moved(code.unwrap_or(text)))
    }

    fn thought(&self, thinking: &Thinking) -> Info {
        let known = self.known.as_ref();
        let pv = known.map(|(known, layout)| codes(known, layout, &thinking.pv));
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
            Reply::Result(result) => {
                self.fail(&format!("the program is shutting down the game: {result}"))
            }
            Reply::Error { why, line } if line.starts_with("variant") => self.fail(&why),
            Reply::Other(line) if line.starts_with("setup ") => self.hear_setup(&line),
            Reply::Other(line) if line.trim() == "resign" => self.fail("the program resigns"),
            Reply::Thinking(_) | Reply::Pong(_) | Reply::Error { .. } | Reply::Other(_) => None,
        }
    }
}

/// Converts a line of XBoard's moves to codes, up to the first illegal move.
fn codes(known: &KnownGame, layout: &Layout, pv: &str) -> Vec<String> {
    let mut board = known.board.fork();
    let codes = pv.split_whitespace().map_while(|word| {
        let code = code_of(layout, board.as_ref(), word)?;
        board.play(&code).ok().map(|_| code)
    });
    codes.collect()
}

/// Returns the code of the legal move that the text denotes.
pub(super) fn code_of(layout: &Layout, board: &dyn DynHistory, text: &str) -> Option<String> {
    let mv = layout.numbers().read_move(text)?;
    let position = board.fen();
    let mut codes = board.moves().into_iter();
    codes.find(|code| layout.mv(&position, code) == mv)
}

/// Converts a score. A win in n moves is 2n - 1 plies, a loss in n moves 2n plies.
pub(super) fn plies(score: reply::Score) -> Score {
    let narrow = |n: i64| i32::try_from(n).unwrap_or(if n < 0 { i32::MIN } else { i32::MAX });
    match score {
        reply::Score::Centi(cp) => Score::Cp(narrow(cp)),
        reply::Score::Mate(moves) if moves > 0 => Score::Mate(narrow(2 * moves - 1)),
        reply::Score::Mate(moves) => Score::Mate(narrow(2 * moves)),
    }
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

#[cfg(test)]
mod tests;
