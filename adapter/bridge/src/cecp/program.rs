//! Adapter for a CECP program as an engine, the counterpart of [`run`](super::run) with the same conventions.
//!
//! The program stays in `force` mode while it receives moves, and gets `go` for each of its moves. In a game of the
//! catalogue, the board and its moves are those of a [`Layout`], and a pass is sent as XBoard sends it: as the same board
//! with the other side to move. In a game whose rules are a program, position strings and codes are sent unchanged.

use std::collections::HashMap;
use std::time::Duration;

use kit::{DynHistory, Side};
use protocol::{Go, OptionDecl, OptionKind};
use record::game::GameResult;

use super::layout::Layout;
use super::limits::{level_line, seconds};
use super::notation::{Fen, Move};
use super::reply::{
    ResultLine, complaint, option_line, parse_features, parse_option, parse_thinking,
};
use crate::ugi::{Attempt, Outgoing, Program, ProgramEvent};

/// Time of a search that only `?` ends: a year.
const UNLIMITED: Duration = Duration::from_secs(31_536_000);

/// Lines of the handshake.
const GREETING: [&str; 2] = ["xboard", "protover 2"];

/// Silence after the last line of a program without `feature done`, which has then sent its features. One that speaks
/// version 1 of the protocol sends none.
const FEATURE_TIME: Duration = Duration::from_secs(2);

/// The option that is sent as `memory`, in MiB, and its default here.
const HASH: (&str, i64) = ("Hash", 64);

/// The same for `cores`.
const THREADS: (&str, i64) = ("Threads", 1);

/// Most options that are passed on.
const MAX_OPTIONS: usize = 1000;

/// State of the dialogue with a CECP program.
#[derive(Default)]
pub(crate) struct CecpProgram {
    /// Name of the game, if it is one of the catalogue.
    game: Option<String>,
    /// The features that it has sent, and their values.
    features: HashMap<String, String>,
    was_asked_again: bool,
    /// The options that it has declared, and those that are sent as `memory` and `cores`.
    options: Vec<OptionDecl>,
    n_pings: u32,
    /// A process that has had a game.
    has_played: bool,
    /// The side that it plays.
    side: Option<Side>,
    /// XBoard's board of the current game, if it is one of the catalogue.
    layout: Option<Layout>,
    /// The limit lines sent last, without the clocks.
    limits: Vec<String>,
    /// The clock at the first search of the game.
    base: Option<Duration>,
}

impl CecpProgram {
    /// Creates the adapter for a program that plays this game of the catalogue, or one whose rules are a program.
    pub(crate) fn new(game: Option<String>) -> CecpProgram {
        CecpProgram {
            game,
            ..CecpProgram::default()
        }
    }

    /// `true` if the program has a feature. Version 1 of the protocol has `time` and `reuse`.
    fn has(&self, feature: &str) -> bool {
        let value = self.features.get(feature);
        value.map_or(matches!(feature, "time" | "reuse"), |value| value == "1")
    }

    fn variant_line(&self, layout: &Layout) -> Result<String, String> {
        let variant = layout.variant;
        if let Some(variants) = self.features.get("variants")
            && !variants.split(',').any(|own| own.trim() == variant)
        {
            return Err(format!("the program plays {variants}, not {variant}"));
        }
        Ok(format!("variant {variant}"))
    }

    /// Adds the limit lines if they have changed, and the clocks.
    fn add_limits(&mut self, go: &Go, side: Side, send: &mut Outgoing) -> Result<(), String> {
        let go = &mut go.clone();
        let is_plain = self.game.is_none() && self.has("time");
        let is_short = |time: &mut Duration| *time < Duration::from_secs(1);
        if is_plain && let Some(time) = go.move_time.take_if(is_short) {
            // As a clock for one move, which counts hundredths: `st` has whole seconds, and programs read `st 0.1` as
            // none.
            (go.p1_time, go.p2_time) = (Some(time), Some(time));
            go.moves_to_go = Some(1);
        }
        let times = [go.p1_time, go.p2_time];
        let left = times[side.index()];
        let inc = [go.p1_inc, go.p2_inc][side.index()].unwrap_or_default();
        let clock = left.map(|left| {
            // The clock at the beginning of the game; the remaining time is sent before each move.
            let base = *self.base.get_or_insert(left);
            level_line(go.moves_to_go.unwrap_or(0), base, inc)
        });
        let limits = self.limit_lines(go, clock)?;
        if self.limits != limits {
            send.extend(limits.iter().cloned());
            self.limits = limits;
        }
        let told = [("time", side), ("otim", side.other())];
        for (word, side) in told.into_iter().filter(|_| self.has("time")) {
            let left = times[side.index()];
            send.extend(left.map(|left| format!("{word} {}", left.as_millis() / 10)));
        }
        Ok(())
    }

    /// Returns the lines that set a limit. `clock` is the line that sets a clock.
    ///
    /// # Errors
    /// CECP has no such limit.
    fn limit_lines(&self, go: &Go, clock: Option<String>) -> Result<Vec<String>, String> {
        let st = |time| format!("st {}", seconds(time));
        if self.game.is_none() {
            // Commands that all chess programs have.
            let depth = go.depth.map(|depth| format!("sd {depth}"));
            let lines = [depth, clock, go.move_time.map(st)];
            let lines: Vec<String> = lines.into_iter().flatten().collect();
            return match lines.is_empty() && go.nodes.is_some() {
                true => Err("CECP has no limit of nodes: use tc=, st= or depth=".to_owned()),
                false => Ok(lines),
            };
        }
        let depth = format!("sd {}", go.depth.unwrap_or(0));
        // A node limit is sent as a time, with time measured in nodes.
        let (rate, time) = match (go.nodes, clock) {
            (Some(nodes), None) => (1, format!("st {nodes}")),
            (_, Some(clock)) => (0, clock),
            (None, None) => (0, st(go.move_time.unwrap_or(UNLIMITED))),
        };
        Ok(vec![depth, format!("nps {rate}"), time])
    }

    fn hear_features(&mut self, text: &str, send: &mut Outgoing) -> Option<ProgramEvent> {
        for (name, value) in parse_features(text) {
            // Moves are sent in coordinates alone.
            let is_rejected = name == "san" && value != "0";
            let word = if is_rejected { "rejected" } else { "accepted" };
            send.push(format!("{word} {name}"));
            match name.as_str() {
                "memory" if value == "1" => self.declare(spin(HASH, 1 << 20)),
                "smp" if value == "1" => self.declare(spin(THREADS, 1024)),
                "option" => {
                    if let Some(option) = parse_option(&value) {
                        self.declare(option);
                    }
                }
                _ => {}
            }
            self.features.insert(name, value);
        }
        self.has("done").then_some(ProgramEvent::Ready)
    }

    fn declare(&mut self, option: OptionDecl) {
        let mut known = self.options.iter();
        let is_known = known.any(|known| known.name.eq_ignore_ascii_case(&option.name));
        if !is_known && self.options.len() < MAX_OPTIONS {
            self.options.push(option);
        }
    }

    /// A loss for the program itself is a resignation; the rules decide anything else.
    fn hear_result(&self, result: &ResultLine) -> ProgramEvent {
        match self.side.map(|side| GameResult::win(side.other())) == Some(result.result) {
            true => ProgramEvent::Resigned,
            false => ProgramEvent::Noted(format!("claims {result}; the rules go on")),
        }
    }

    /// Fails if the program has another board than expected, because it would play another game.
    fn hear_setup(&self, line: &str) -> Option<ProgramEvent> {
        let (own, expected) = (line.split(' ').nth(2)?, self.layout.as_ref()?.size());
        let why = format!("the program's board is {own}, not {expected}");
        (own != expected).then(|| failed(&why))
    }
}

fn failed(why: &str) -> ProgramEvent {
    ProgramEvent::Failed(format!("CECP: {why}"))
}

impl Program for CecpProgram {
    fn shake_hands(&mut self) -> Vec<String> {
        *self = CecpProgram::new(self.game.take());
        GREETING.map(str::to_owned).to_vec()
    }

    /// GNU Chess loses lines that are sent while it starts.
    fn ask_again(&mut self) -> Vec<String> {
        let is_told = std::mem::replace(&mut self.was_asked_again, true);
        match self.features.is_empty() && !is_told {
            true => GREETING.map(str::to_owned).to_vec(),
            false => Vec::new(),
        }
    }

    fn handshake_silence(&self) -> Option<Duration> {
        (!self.features.contains_key("done")).then_some(FEATURE_TIME)
    }

    fn name(&self) -> Option<String> {
        self.features.get("myname").cloned()
    }

    fn options(&self) -> &[OptionDecl] {
        &self.options
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> Vec<String> {
        let is = |(known, _): (&str, i64)| name.eq_ignore_ascii_case(known);
        vec![match value {
            Some(mib) if self.has("memory") && is(HASH) => format!("memory {mib}"),
            Some(n) if self.has("smp") && is(THREADS) => format!("cores {n}"),
            _ => option_line(&self.options, name, value),
        }]
    }

    fn is_used_up(&self) -> bool {
        self.has_played && !self.has("reuse")
    }

    fn begin(&mut self, board: &dyn DynHistory, fen: Option<&str>, send: &mut Outgoing) -> Attempt {
        let here = board.fen();
        let game = self.game.as_deref();
        let layout = game.map(|game| Layout::new(game, &here)).transpose()?;
        let set_up = match (fen, &layout) {
            (None, _) => None,
            (Some(_), Some(layout)) => Some(board_line(layout, &here)?),
            (Some(fen), None) if self.has("setboard") => Some(format!("setboard {fen}")),
            (Some(_), None) => {
                return Err(
                    "it takes no position strings: it lacks the feature setboard".to_owned(),
                );
            }
        };
        let variant = layout.as_ref().map(|layout| self.variant_line(layout));
        let variant = variant.transpose()?;
        let plain = ["easy", "post"].map(str::to_owned).to_vec();
        send.push("new".to_owned());
        send.extend(variant.map_or(plain, |line| vec![line]));
        send.push("force".to_owned());
        send.extend(set_up);
        self.limits.clear();
        self.base = None;
        self.layout = layout;
        Ok(())
    }

    fn go_on(&mut self, send: &mut Outgoing) {
        send.push("force".to_owned());
    }

    fn play(&mut self, board: &dyn DynHistory, code: &str, send: &mut Outgoing) -> Attempt {
        let position = board.fen();
        let layout = self.layout.as_ref();
        let mv = layout.map(|layout| (layout, layout.mv(&position, code)));
        send.push(match mv {
            Some((layout, Move::Pass)) => {
                let here = layout.to_xboard(&position);
                let side = here.side.other();
                format!("setboard {}", Fen { side, ..here })
            }
            Some((layout, mv)) => format!("usermove {}", layout.write_move(mv)),
            None if self.has("usermove") => format!("usermove {code}"),
            None => code.to_owned(),
        });
        Ok(())
    }

    fn asks_if_ready(&mut self, send: &mut Outgoing) -> bool {
        let pings = self.has("ping");
        if pings {
            self.n_pings += 1;
            send.push(format!("ping {}", self.n_pings));
        }
        pings
    }

    fn go(&mut self, go: &Go, board: &dyn DynHistory, send: &mut Outgoing) -> Attempt {
        self.add_limits(go, board.side(), send)?;
        self.side = Some(board.side());
        self.has_played = true;
        send.push("go".to_owned());
        Ok(())
    }

    fn code(&self, board: &dyn DynHistory, text: &str) -> Option<String> {
        match &self.layout {
            None => board.read(text).ok(),
            Some(layout) => code_of(layout, board, text),
        }
    }

    fn move_now(&self) -> Option<&'static str> {
        Some("?")
    }

    fn hear(&mut self, line: &str, send: &mut Outgoing) -> Option<ProgramEvent> {
        let line = line.trim();
        if let Some(result) = ResultLine::parse(line) {
            return Some(self.hear_result(&result));
        }
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let rest = rest.trim();
        Some(match word {
            "feature" => return self.hear_features(rest, send),
            "setup" => return self.hear_setup(line),
            "pong" if rest == self.n_pings.to_string() => ProgramEvent::Prepared,
            "move" => ProgramEvent::Moved(rest.to_owned()),
            // `12. ... MOVE`, the older form of `move MOVE`.
            _ if word.ends_with('.') && rest.starts_with("... ") => {
                ProgramEvent::Moved(rest["... ".len()..].trim().to_owned())
            }
            "resign" => ProgramEvent::Resigned,
            "offer" if rest == "draw" => ProgramEvent::Noted("offers a draw".to_owned()),
            "tellusererror" => failed(rest),
            "Illegal" | "Error" => failed(&complaint(line)?),
            _ => {
                let mut info = parse_thinking(line)?;
                if self.layout.is_none() {
                    info.pv.clear();
                }
                ProgramEvent::Thought(info)
            }
        })
    }
}

fn spin((name, default): (&str, i64), max: i64) -> OptionDecl {
    OptionDecl {
        name: name.to_owned(),
        kind: OptionKind::Spin {
            default,
            min: 1,
            max,
        },
    }
}

/// Returns the code of the legal move that XBoard writes like this. The letter of a piece may be small.
pub(super) fn code_of(layout: &Layout, board: &dyn DynHistory, text: &str) -> Option<String> {
    let position = board.fen();
    board.moves().into_iter().find(|code| {
        let written = layout.write_move(layout.mv(&position, code));
        written.eq_ignore_ascii_case(text)
    })
}

/// Returns the line that sets up a position on XBoard's board.
///
/// # Errors
/// The board does not show all of it.
fn board_line(layout: &Layout, position: &str) -> Result<String, String> {
    let fen = layout.to_xboard(position);
    if layout.to_game(&fen).as_deref() != Ok(position) {
        return Err(format!(
            "{position}: CECP does not transmit counters: use a position with all counters at 0"
        ));
    }
    Ok(format!("setboard {fen}"))
}

#[cfg(test)]
mod tests;
