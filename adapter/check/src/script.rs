//! Steps of the form "send this, expect that": the scripts of `scripts.txt`.

use std::time::Instant;

use crate::handshake::{bad_options, good_options};
use crate::limits::{answer, ensure_nodes};
use crate::position::same;
use crate::prelude::*;
use crate::report::Verdict;
use crate::search::Found;

const SCRIPTS: &str = include_str!("scripts.txt");

/// The lines of a step's script.
fn lines(step: &str) -> Vec<&'static str> {
    let head = format!("[{step}]");
    let lines = SCRIPTS.lines().skip_while(|line| *line != head).skip(1);
    let lines = lines.take_while(|line| !line.starts_with('['));
    let is_code = |line: &&str| !line.is_empty() && !line.starts_with('#');
    lines.filter(is_code).collect()
}

/// Runs the script of a step.
pub(super) fn run(step: &str, dialogue: &mut Dialogue<'_>) -> Outcome {
    let mut script = Script {
        dialogue,
        each: String::new(),
        n_values: 0,
        opening: Opening::default(),
        fen: String::new(),
        before: Vec::new(),
        listed: None,
        output: Vec::new(),
        found: None,
        code: None,
        warning: None,
    };
    let text = script.run(&lines(step))?;
    script.warning.map_or(Ok(text), Err)
}

/// A script that is being run.
struct Script<'a, 'b> {
    dialogue: &'a mut Dialogue<'b>,
    /// The value for `{each}`, and the number of such values so far.
    each: String,
    n_values: usize,
    opening: Opening,
    fen: String,
    /// The answers about an earlier position.
    before: Vec<Option<String>>,
    /// The legal moves, asked for before the engine ended.
    listed: Option<Option<Vec<String>>>,
    output: Vec<OutputLine>,
    /// The last search, and its move.
    found: Option<Found>,
    code: Option<String>,
    /// The first warning; the script continues after it.
    warning: Option<Finding>,
}

impl Script<'_, '_> {
    /// Runs lines. Returns the text of the last one.
    fn run(&mut self, lines: &[&str]) -> Outcome {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if let Some(values) = line.strip_prefix("each ") {
                let body = lines[index + 1..].iter();
                let body: Vec<&str> = body.map_while(|line| line.strip_prefix(' ')).collect();
                for value in self.values(values)? {
                    self.each = value;
                    self.n_values += 1;
                    text = self.run(&body)?;
                }
            } else if !line.starts_with(' ') {
                text = self.line(line)?;
            }
        }
        Ok(text)
    }

    /// The values of a list: those that it names, or those of this engine.
    fn values(&self, list: &str) -> Checked<Vec<String>> {
        let case = self.dialogue.case;
        let (values, none) = match list {
            "(queries)" => {
                let words = case.answers.iter().map(|query| query.word().to_owned());
                (words.collect(), "answers no query")
            }
            "(good options)" => (good_options(case), "declares no options"),
            "(bad options)" => (bad_options(case), "declares no options"),
            list => (list.split(", ").map(str::to_owned).collect(), ""),
        };
        match values.is_empty() {
            true => Err(skip!("{none}")),
            false => Ok(values),
        }
    }

    fn line(&mut self, line: &str) -> Outcome {
        let (line, verdict, fault) = match (line.split_once(" | "), line.split_once(" ? ")) {
            (Some((line, fault)), _) => (line, Verdict::Fail, fault),
            (None, Some((line, fault))) => (line, Verdict::Warn, fault),
            (None, None) => (line, Verdict::Fail, ""),
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let is_escaped = matches!(word, "ask" | "ask-at-once" | "sets" | "bytes");
        let (rest, fault) = (self.filled(rest, is_escaped), self.filled(fault, false));
        let outcome = self.step(word, &rest, &fault);
        match outcome {
            Err(mut finding) if verdict == Verdict::Warn => {
                finding.verdict = verdict;
                self.warning.get_or_insert(finding);
                pass()
            }
            outcome => outcome,
        }
    }

    /// Carries out one line. `fault` is the finding if what it expects does not hold.
    fn step(&mut self, word: &str, rest: &str, fault: &str) -> Outcome {
        let dialogue = &mut *self.dialogue;
        match word {
            "opening" => {
                let (plies, salt) = rest.split_once(' ').unwrap_or((rest, "0"));
                self.opening = dialogue.opening(number(plies), number(salt) as u64)?;
            }
            "position" => {
                let mut near = dialogue.near_ends(1, 41).into_iter();
                self.opening = near.next().filter(|_| rest != "start").unwrap_or_default();
            }
            "needs" => {
                let query = Query::ALL
                    .iter()
                    .copied()
                    .find(|query| query.word() == rest);
                dialogue
                    .case
                    .needs(query.expect("the scripts are tested"))?;
            }
            "set" => dialogue.set(&self.opening)?,
            "start" => dialogue.set(&Opening::default())?,
            "restart" => dialogue.restart(&dialogue.case.options)?,
            "snapshot" => self.before = dialogue.snapshot()?,
            "same" => return dialogue.ensure_same(&self.before, fault),
            "same-without-options" if dialogue.case.options.is_empty() => {
                return dialogue.ensure_same(&self.before, fault);
            }
            "same-without-options" => {}
            "sets" => return same(dialogue, &text(rest), &self.before),
            "fen" => {
                let Some(plies) = self.opening.moves.len().checked_sub(number(rest)) else {
                    return Err(Finding::new(Verdict::Pass, String::new()));
                };
                let opening = self.opening.prefix(plies);
                let unknown = || Finding::new(Verdict::Pass, fault.to_owned());
                self.fen = dialogue.known(&opening, Query::Fen)?.ok_or_else(unknown)?;
            }
            "listed" => self.listed = Some(dialogue.listed(&self.opening)?),

            "ask" => self.output = dialogue.ask(&text(rest))?,
            "ask-at-once" => {
                dialogue.forget_position();
                self.output = dialogue.ask_at_once(&text(rest))?;
            }
            "more" => self.output.extend(dialogue.ask(rest)?),
            "sync" => self.output = dialogue.sync()?,
            "until-ready" => {
                let deadline = Instant::now() + dialogue.ping();
                let is_ready = |reply: &Reply| *reply == Reply::ReadyOk;
                self.output = dialogue.receive_until("readyok", deadline, is_ready)?;
            }
            "wait" => self.output.extend(dialogue.receive_for(PAUSE)),
            "bytes" => {
                let (escaped, shown) = rest.split_once(" = ").unwrap_or((rest, rest));
                let mut rng = dialogue.rng(93);
                let random = std::iter::repeat_with(|| rng.u8(..)).take(4096);
                let bytes = match escaped {
                    "(random)" => random.chain(*b"\n").collect(),
                    escaped => unescaped(escaped),
                };
                dialogue.send_bytes(&bytes, shown)?;
            }
            "close" => dialogue.close_input(),
            "end" => {
                self.output = dialogue.await_end(rest)?;
                self.code = self.output.iter().find_map(|output| match &output.reply {
                    Some(Reply::BestMove { mv, .. }) => Some(mv.clone()),
                    _ => None,
                });
            }

            "search" => dialogue.search_until_stop(rest)?,
            "begin" => drop(dialogue.start_search(rest)?),
            "stop" | "go" | "try" | "bestmove" | "answer" => {
                let found = match word {
                    "stop" => dialogue.stop()?,
                    "go" => dialogue.go(rest)?,
                    "try" => dialogue.try_go(rest)?,
                    "answer" => answer(dialogue, &self.opening, rest)?,
                    _ => dialogue.await_best(Instant::now())?,
                };
                self.code = Some(found.code.clone());
                self.found = Some(found);
            }
            "legal" => {
                return match (&self.listed, &self.code) {
                    (_, None) => pass(),
                    (None, Some(code)) => dialogue.ensure_legal(&self.opening, code),
                    (Some(listed), Some(code)) => {
                        dialogue.ensure_listed(listed.as_deref(), &self.opening, code)
                    }
                };
            }
            "deepest" => {
                let infos = self.found.iter().flat_map(|found| &found.infos);
                let deepest = infos
                    .filter_map(|info| info.depth)
                    .max()
                    .unwrap_or_default();
                let is_within = deepest as usize <= number(rest);
                ensure!(is_within, "go depth {rest} reports depth {deepest}");
            }
            "nodes" => return self.found.as_ref().map_or_else(pass, ensure_nodes),

            "none" => {
                let found = self.output.iter().find(|output| is_kind(output, rest));
                let line = found.map_or("", |output| output.error().unwrap_or(&output.line));
                let text = fault.replace("{line}", &format!("\"{}\"", excerpt(line)));
                ensure!(found.is_none(), "{text}");
            }
            "has" => {
                let (n_lines, kinds) = rest.split_once(' ').unwrap_or((rest, ""));
                let is_wanted =
                    |output: &&OutputLine| kinds.split(' ').any(|kind| is_kind(output, kind));
                let n_found = self.output.iter().filter(is_wanted).count();
                ensure!(n_found >= number(n_lines), "{fault}");
            }
            "passed" => return Ok(rest.to_owned()),
            "at-most" => ensure!(self.output.len() <= number(rest), "{fault}"),
            "line" => {
                let line = self.found.as_ref().map_or("", |found| &found.line);
                ensure!(line == rest, "\"{}\": {fault}", excerpt(line));
            }
            _ => unreachable!("no word of a script: {word}"),
        }
        pass()
    }

    /// The answer to the last query.
    fn response(&self) -> String {
        let mut replies = self.output.iter().map(|output| &output.reply);
        let found = replies.find_map(|reply| match reply {
            Some(Reply::Response(text)) => Some(text.clone()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// A part of a line with the values of its placeholders, where `is_escaped` in such a way that [`unescaped`] returns
    /// them.
    fn filled(&self, text: &str, is_escaped: bool) -> String {
        let (moves, new_game) = (&self.opening.moves, Command::NewGame);
        let clock = |ms| self.dialogue.clock(ms, ms, 0);
        let (each, backslash) = match is_escaped {
            true => (self.each.clone(), "\\x5c"),
            false => (excerpt(&self.each), "\\"),
        };
        let values = [
            ("{each}", each),
            ("{values}", self.n_values.to_string()),
            ("{opening}", self.opening.to_string()),
            ("{moves}", moves.join("  ")),
            ("{last}", moves.last().cloned().unwrap_or_default()),
            ("{fen}", self.fen.clone()),
            ("{code}", self.code.clone().unwrap_or_default()),
            ("{response}", self.response()),
            ("{n}", self.output.len().to_string()),
            ("{0 ms}", clock(0)),
            ("{1 ms}", clock(1)),
            (
                "{new-game}",
                new_game.display(self.dialogue.dialect()).to_string(),
            ),
        ];
        let filled = |text: String, (name, value): (&str, String)| {
            text.replace(name, &value.replace('\\', backslash))
        };
        values.into_iter().fold(text.to_owned(), filled)
    }
}

/// `true` for a line with this first word, for an `error`, for a `reply` other than errors, and for `any`.
fn is_kind(output: &OutputLine, kind: &str) -> bool {
    match kind {
        "any" => true,
        "error" => output.error().is_some(),
        "reply" => output.error().is_none(),
        word => output.line.split_whitespace().next() == Some(word),
    }
}

fn number(text: &str) -> usize {
    text.parse().expect("the scripts are tested")
}

fn text(escaped: &str) -> String {
    String::from_utf8_lossy(&unescaped(escaped)).into_owned()
}

/// The bytes of a text with `\n`, `\r`, `\t`, `\xFF`, and `\(N x)` for N letters `x`.
fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (escape, rest) = match part.split_at_checked(1) {
            Some(("x", rest)) => {
                bytes.push(u8::from_str_radix(&rest[..2], 16).expect("two digits"));
                ("", &rest[2..])
            }
            Some(("(", rest)) => {
                let (n_letters, rest) = rest.split_once(" x)").expect("a number of letters");
                bytes.resize(bytes.len() + number(n_letters), b'x');
                ("", rest)
            }
            Some(("n", rest)) => ("\n", rest),
            Some(("r", rest)) => ("\r", rest),
            _ => ("\t", &part[1..]),
        };
        bytes.extend([escape.as_bytes(), rest.as_bytes()].concat());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::STEPS;

    #[test]
    fn each_scripted_step_has_a_script_and_no_other_has() {
        let heads = SCRIPTS.lines().filter_map(|line| line.strip_prefix('['));
        let heads: Vec<&str> = heads.filter_map(|head| head.strip_suffix(']')).collect();
        let scripted = STEPS.iter().filter(|step| step.run.is_none());
        let mut steps: Vec<&str> = scripted.map(|step| step.name).collect();
        assert!(steps.iter().all(|step| !lines(step).is_empty()));
        assert_eq!(heads.len(), steps.len());
        steps.retain(|step| !heads.contains(step));
        assert!(steps.is_empty(), "{steps:?}");
    }

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(unescaped("a\\x00\\n b"), b"a\0\n b");
        assert_eq!(unescaped("\\(3 x)\\r\\t"), b"xxx\r\t");
    }
}
