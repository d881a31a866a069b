//! Adapter for a CECP program in a game whose rules are a program: its moves are the codes of the game, unchanged.

use std::time::Duration;

use kit::Side;
use protocol::text::excerpt;
use protocol::{Go, Info};

use super::limits::level_line;
use super::program::plies;
use super::reply::{Reply, Thinking};
use crate::ugi::{KnownGame, Program, ProgramEvent, Search, seconds};

/// Features that the adapter accepts.
const ACCEPTED: [&str; 5] = ["done", "setboard", "usermove", "myname", "time"];

/// State of the dialogue with a CECP program.
#[derive(Default)]
pub(crate) struct PlainCecp {
    name: Option<String>,
    /// Moves are sent as `usermove CODE`, not as the code alone.
    has_usermove: bool,
    /// The game on the program's board; `None` if it is unknown or belongs to another line.
    known: Option<KnownGame>,
    /// `true` while a move is awaited.
    is_thinking: bool,
    /// The limit lines sent last, without the clocks.
    limits: Vec<String>,
    /// The clock at the first search of the game.
    base: Option<Duration>,
}

impl PlainCecp {
    fn search_lines(&mut self, search: &Search<'_>) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        let kept = self
            .known
            .take()
            .filter(|known| known.is_beginning_of(search));
        let mut known = match kept {
            Some(known) => {
                lines.push("force".to_owned());
                known
            }
            None => {
                let known = KnownGame::start(search)?;
                lines.extend(["new", "easy", "post", "force"].map(str::to_owned));
                self.limits.clear();
                self.base = None;
                if let Some(fen) = &known.line.fen {
                    lines.push(format!("setboard {fen}"));
                }
                known
            }
        };
        for code in &search.line.moves[known.line.moves.len()..] {
            known.play(code)?;
            lines.push(match self.has_usermove {
                true => format!("usermove {code}"),
                false => code.clone(),
            });
        }
        self.known = Some(known);
        let left = search.go.p1_time.or(search.go.p2_time);
        let base = left.map(|left| *self.base.get_or_insert(left));
        let limits = limit_lines(search.go, search.side, base)?;
        if self.limits != limits {
            lines.extend(limits.iter().cloned());
            self.limits = limits;
        }
        let times = [search.go.p1_time, search.go.p2_time];
        for (word, side) in [("time", search.side), ("otim", search.side.other())] {
            let left = times[side.index()];
            lines.extend(left.map(|left| format!("{word} {}", left.as_millis() / 10)));
        }
        lines.push("go".to_owned());
        Ok(lines)
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
                "usermove" => self.has_usermove = value == "1",
                "done" => is_done = value == "1",
                _ => {}
            }
        }
        is_done.then(|| ProgramEvent::Ready {
            name: self.name.clone(),
        })
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

    fn thought(thinking: &Thinking) -> Info {
        Info {
            depth: Some(thinking.depth),
            score: Some(plies(thinking.score)),
            time: Some(thinking.time),
            nodes: Some(thinking.nodes),
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

impl Program for PlainCecp {
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
                Some(ProgramEvent::Thought(PlainCecp::thought(&thinking)))
            }
            Reply::Illegal { why, mv } => self.fail(&format!("illegal move {mv}: {why}")),
            Reply::TellUserError(why) => self.fail(&why),
            Reply::Result(result) => self.fail(&format!("the program ends the game: {result}")),
            Reply::Other(line) if line.trim() == "resign" => self.fail("the program resigns"),
            Reply::Thinking(_) | Reply::Pong(_) | Reply::Error { .. } | Reply::Other(_) => None,
        }
    }
}

/// Returns the lines that set a limit. `base` is the clock at the beginning of the game; the remaining time is sent
/// before each move.
///
/// # Errors
/// CECP has no such limit.
fn limit_lines(go: &Go, side: Side, base: Option<Duration>) -> Result<Vec<String>, String> {
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
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_the_protocol() {
        let lines = |go: &str| {
            let parsed = protocol::Command::parse(go).expect("a command");
            let protocol::Command::Go(go) = parsed.command else {
                panic!("{go}");
            };
            limit_lines(&go, Side::P1, go.p1_time).map(|lines| lines.join("|"))
        };
        let expected = |text: &str| Ok(text.to_owned());
        assert_eq!(lines("go depth 4"), expected("sd 4"));
        assert_eq!(lines("go movetime 1500"), expected("st 1.5"));
        assert_eq!(
            lines("go p1time 61000 p2time 5 p1inc 2000"),
            expected("level 0 1:01 2")
        );
        assert!(lines("go nodes 5").is_err());
        assert_eq!(lines("go infinite"), expected(""));
    }
}
