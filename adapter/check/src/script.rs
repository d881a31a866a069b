//! The steps of the check, as scripts: `scripts.txt`. Each line is a word with its arguments; some words are functions.

use std::sync::LazyLock;
use std::time::Instant;

use protocol::Dialect;
use record::registry::Rules;

use crate::compare::{Question, compare_games};
use crate::games::ensure_listed;
use crate::prelude::*;
use crate::query::Snapshot;
use crate::report::Verdict;
use crate::search::{Found, ensure_nodes, finished};
use crate::transcript::NonReplies;
use crate::{handshake, long_game, mates, positions, query, thought, timing};

/// A test step.
#[derive(Debug)]
pub struct Step {
    /// The name used by `--only`.
    pub name: &'static str,
    /// The tested clause of `spec/protocol.md`.
    pub clause: &'static str,
    /// Its script. Without lines, it is one word: its name.
    lines: Vec<&'static str>,
}

/// All steps, in order of execution.
pub static STEPS: LazyLock<Vec<Step>> = LazyLock::new(|| {
    let step = |text: &'static str| {
        let mut lines = text.lines();
        let head = lines.next().and_then(|head| head.split_once("] "));
        let (name, clause) = head.expect("the scripts are tested");
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Step {
            name,
            clause,
            lines: lines.collect(),
        }
    };
    let texts = include_str!("scripts.txt").split("\n[").skip(1);
    texts.map(step).collect()
});

impl Step {
    pub(super) fn run(&self, dialogue: &mut Dialogue<'_>) -> Outcome {
        let mut script = Script::default();
        let text = match self.lines.as_slice() {
            [] => script.line(dialogue, self.name)?,
            lines => script.run(dialogue, lines)?,
        };
        script.warning.map_or(Ok(text), Err)
    }
}

/// A script that is being run.
#[derive(Default)]
struct Script {
    /// The value for `{each}`, and the number of such values so far.
    each: String,
    n_values: usize,
    opening: Opening,
    fen: String,
    /// The answers about an earlier position.
    before: Snapshot,
    /// The legal moves, asked for before the engine ended.
    listed: Option<Vec<String>>,
    output: Vec<OutputLine>,
    /// The last search, and its move.
    found: Option<Found>,
    code: Option<String>,
    /// The first warning; the script continues after it.
    warning: Option<Finding>,
}

impl Script {
    /// Runs lines. Returns the text of the last one.
    fn run(&mut self, dialogue: &mut Dialogue<'_>, lines: &[&str]) -> Outcome {
        let mut text = String::new();
        for (index, line) in lines.iter().enumerate() {
            if let Some(values) = line.strip_prefix("each ") {
                let body = lines[index + 1..].iter();
                let body: Vec<&str> = body.map_while(|line| line.strip_prefix(' ')).collect();
                for value in self.values(dialogue, values)? {
                    self.each = value;
                    self.n_values += 1;
                    text = self.run(dialogue, &body)?;
                }
            } else if !line.starts_with(' ') {
                text = self.line(dialogue, line)?;
            }
        }
        Ok(text)
    }

    /// The values of a list: those that it names, or those of this engine.
    fn values(&mut self, dialogue: &mut Dialogue<'_>, list: &str) -> Checked<Vec<String>> {
        let case = dialogue.case;
        let list = self.filled(dialogue, list, true);
        let (values, none) = match list.as_str() {
            "(queries)" => {
                let words = case.answers.iter().map(|query| query.word().to_owned());
                (words.collect(), "answers no query")
            }
            "(good options)" => (handshake::good_options(case), "declares no options"),
            "(bad options)" => (handshake::bad_options(case), "declares no options"),
            "(bad positions)" => {
                let named = dialogue.opening(2, 4)?;
                self.opening = dialogue.unrelated(&named)?;
                (dialogue.bad_lines(&named)?, "")
            }
            "(moves of a choice)" => {
                let (opening, codes) = dialogue.choice()?;
                self.opening = opening;
                (codes, "no second legal move is known")
            }
            list => (list.split(", ").map(text).collect(), ""),
        };
        skip_unless!(!values.is_empty(), "{none}");
        Ok(values)
    }

    fn line(&mut self, dialogue: &mut Dialogue<'_>, line: &str) -> Outcome {
        let (line, verdict, fault) = match (line.split_once(" | "), line.split_once(" ? ")) {
            (Some((line, fault)), _) => (line, Verdict::Fail, fault),
            (None, Some((line, fault))) => (line, Verdict::Warn, fault),
            (None, None) => (line, Verdict::Fail, ""),
        };
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let is_escaped = matches!(word, "ask" | "bytes");
        let rest = self.filled(dialogue, rest, is_escaped);
        let fault = self.filled(dialogue, fault, false);
        match self.step(dialogue, word, &rest, &fault) {
            Err(mut finding) if verdict == Verdict::Warn => {
                finding.verdict = verdict;
                self.warning.get_or_insert(finding);
                pass()
            }
            outcome => outcome,
        }
    }

    /// Carries out one line. `fault` is the finding if what it expects does not hold.
    fn step(
        &mut self,
        dialogue: &mut Dialogue<'_>,
        word: &str,
        rest: &str,
        fault: &str,
    ) -> Outcome {
        match word {
            "handshake" => return handshake::handshake(dialogue),
            "second-handshake" => return handshake::again(dialogue),
            "option-lines" => return handshake::option_lines(dialogue),
            "listed-moves" => return query::listed_moves(dialogue),
            "perft" => return query::perft(dialogue),
            "display" => return query::display(dialogue),
            "movetime" => return timing::move_time(dialogue),
            "clock" => return timing::clock(dialogue, 1),
            "clock-of-player-2" => return timing::clock(dialogue, 2),
            "finished-game" => return finished(dialogue),
            "mate" => return mates::go_mate(dialogue),
            "stops" => return timing::stop(dialogue),
            "lines-after-stop" => return timing::lines_after_stop(dialogue),
            "variations" => return thought::variations(dialogue),
            "mate-distances" => return mates::distances(dialogue),
            "200-games" => return long_game::repeated_games(dialogue),
            "long-games" => return long_game::long_games(dialogue),
            "rules-positions" => return positions::positions(dialogue),
            "rules-places" => return positions::places(dialogue),
            "compare" => return compare_games(dialogue, Question::Query(query(rest))),
            "rules-perft" => return compare_games(dialogue, Question::Perft),

            "needs" => dialogue.case.needs(query(rest))?,
            "declares" => {
                let is_declared = dialogue.case.declares(rest);
                skip_unless!(is_declared, "declares no option {rest}");
            }
            "ugi-only" => {
                let is_ugi = dialogue.dialect() == Dialect::Ugi;
                skip_unless!(is_ugi, "not part of the dialect uci");
            }

            "opening" => {
                let (plies, salt) = rest.split_once(' ').unwrap_or((rest, "0"));
                self.opening = dialogue.opening(number(plies), number(salt) as u64)?;
            }
            "position" => {
                let mut near = dialogue.near_ends(1, 41).into_iter();
                self.opening = near.next().filter(|_| rest != "start").unwrap_or_default();
            }
            "set" => dialogue.set(&self.opening)?,
            "start" => dialogue.set(&Opening::default())?,
            "restart" if dialogue.is_as_new => {}
            "restart" => dialogue.again()?,
            "snapshot" => self.before = dialogue.snapshot()?,
            "same" => return dialogue.ensure_same(&self.before, fault),
            "same-without-options" if !dialogue.case.options.is_empty() => {}
            "same-without-options" => return dialogue.ensure_same(&self.before, fault),
            "fen" => {
                let Some(plies) = self.opening.moves.len().checked_sub(number(rest)) else {
                    return Err(Finding::new(Verdict::Pass, String::new()));
                };
                let opening = self.opening.prefix(plies);
                let unknown = || Finding::new(Verdict::Pass, fault.to_owned());
                self.fen = dialogue.known(&opening, Query::Fen)?.ok_or_else(unknown)?;
            }
            "listed" => self.listed = dialogue.listed(&self.opening)?,
            "one-of" => return query::one_of(dialogue, rest),

            "ask" => self.output = dialogue.ask(&text(rest))?,
            "more" => self.output.extend(dialogue.ask(rest)?),
            "sync" => self.output = dialogue.sync()?,
            "until-ready" => {
                let deadline = Instant::now() + dialogue.ping();
                self.output = dialogue.receive_until_ready(deadline)?;
            }
            "wait" => self.output.extend(dialogue.receive_for(PAUSE)),
            "bytes" => {
                let (escaped, shown) = rest.split_once(" = ").unwrap_or((rest, rest));
                let bytes = match escaped.split_once(' ') {
                    Some(("(random)", n_bytes)) => {
                        let mut rng = dialogue.rng(93);
                        let random = std::iter::repeat_with(|| rng.u8(..)).take(number(n_bytes));
                        random.chain(*b"\n").collect()
                    }
                    Some(("(long)", n_letters)) => {
                        let codes = "x".repeat(number(n_letters));
                        format!("position startpos moves {codes}\n").into_bytes()
                    }
                    _ => unescaped(escaped),
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
            "stop" | "ponderhit" | "go" | "try" | "bestmove" | "answer" => {
                let found = match word {
                    "stop" => dialogue.end_search(&Command::Stop)?,
                    "ponderhit" => dialogue.end_search(&Command::PonderHit)?,
                    "go" => dialogue.go(rest)?,
                    "try" => dialogue.try_go(rest)?,
                    "answer" => dialogue.answer(&self.opening, rest)?,
                    _ => dialogue.await_best(Instant::now())?,
                };
                self.code = Some(found.code.clone());
                self.found = Some(found);
            }
            "legal" => match (&self.code, &self.listed, dialogue.case.rules()) {
                (None, ..) => {}
                (Some(code), Some(listed), Err(_)) => ensure_listed(listed, &self.opening, code)?,
                (Some(code), ..) => dialogue.ensure_legal(&self.opening, code)?,
            },
            "legal-reply" => {
                let found = self.found();
                if let Some(reply) = &found.ponder {
                    let opening = self.opening.clone().with(&found.code);
                    dialogue.ensure_legal(&opening, reply)?;
                }
            }
            "deepest" => {
                let infos = self.found().infos.iter();
                let depth = infos.filter_map(|info| info.depth).max().unwrap_or(0);
                let is_within = depth as usize <= number(rest);
                ensure!(is_within, "go depth {rest} reports depth {depth}");
            }
            "nodes" => return ensure_nodes(self.found()),
            "final-info" => return thought::final_info(self.found(), rest),
            "ranks" => return thought::ranks(dialogue.case, &self.opening, self.found()),
            "only-replies" => {
                let NonReplies { n_lines, first } = &*dialogue.case.non_replies.borrow();
                let first = excerpt(first.as_deref().unwrap_or_default());
                let text = format!("{n_lines} lines are not replies; the first: \"{first}\"");
                ensure!(*n_lines == 0, "{text}");
            }

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
            "at-most" => ensure!(self.output.len() <= number(rest), "{fault}"),
            "equal" | "unequal" => {
                let (one, other) = rest.split_once(" =").unwrap_or((rest, ""));
                let is_equal = one.trim() == other.trim();
                ensure!(is_equal == (word == "equal"), "{fault}");
            }
            "passed" => return Ok(rest.to_owned()),
            _ => unreachable!("no word of a script: {word}"),
        }
        pass()
    }

    /// The last search; a script asks for it only after one.
    fn found(&self) -> &Found {
        self.found.as_ref().expect("the scripts are tested")
    }

    /// A part of a line with the values of its placeholders, where `is_escaped` in such a way that [`unescaped`] returns
    /// them.
    fn filled(&self, dialogue: &Dialogue<'_>, text: &str, is_escaped: bool) -> String {
        let moves = &self.opening.moves;
        let clock = |ms| dialogue.clock(ms, ms, 0);
        let (each, backslash) = match is_escaped {
            true => (self.each.clone(), "\\x5c"),
            false => (excerpt(&self.each), "\\"),
        };
        // The answer to the last query. An engine of an unknown game names it itself.
        let response = self.output.iter().find_map(OutputLine::response);
        let response = response.unwrap_or_default().to_owned();
        let board = dialogue.case.rules.as_ref().map(Rules::board);
        let board = board.unwrap_or_else(|_| response.clone());
        let new_game = Command::NewGame.display(dialogue.dialect());
        let (line, ms) = match &self.found {
            Some(found) => (excerpt(&found.line), found.elapsed.as_millis()),
            None => (String::new(), 0),
        };
        let values = [
            ("{each}", each),
            ("{values}", self.n_values.to_string()),
            ("{opening}", self.opening.to_string()),
            ("{moves}", moves.join("  ")),
            ("{last}", moves.last().cloned().unwrap_or_default()),
            ("{fen}", self.fen.clone()),
            ("{code}", self.code.clone().unwrap_or_default()),
            ("{bestmove}", line),
            ("{ms}", ms.to_string()),
            ("{response}", response),
            ("{board}", board),
            ("{n}", self.output.len().to_string()),
            ("{0 ms}", clock(0)),
            ("{1 ms}", clock(1)),
            ("{100 ms}", clock(100)),
            ("{new-game}", new_game.to_string()),
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

fn query(word: &str) -> Query {
    let mut queries = Query::ALL.iter().copied();
    let query = queries.find(|query| query.word() == word);
    query.expect("the scripts are tested")
}

fn text(escaped: &str) -> String {
    String::from_utf8_lossy(&unescaped(escaped)).into_owned()
}

/// The bytes of a text with `\n`, `\r`, `\t` and `\xFF`.
fn unescaped(text: &str) -> Vec<u8> {
    let mut parts = text.split('\\');
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        let (byte, rest) = match part.split_at(1) {
            ("x", rest) => (u8::from_str_radix(&rest[..2], 16).ok(), &rest[2..]),
            ("n", rest) => (Some(b'\n'), rest),
            ("r", rest) => (Some(b'\r'), rest),
            (_, rest) => (Some(b'\t'), rest),
        };
        bytes.extend(byte);
        bytes.extend_from_slice(rest.as_bytes());
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_bytes() {
        assert_eq!(unescaped("a\\x00\\n b"), b"a\0\n b");
        assert_eq!(unescaped("\\xff\\r\\t"), b"\xff\r\t");
    }
}
