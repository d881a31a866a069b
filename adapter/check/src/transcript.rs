//! The lines received from the engine, and the transcript of a dialogue, from which a user can reproduce a fault.

use std::collections::VecDeque;
use std::time::Instant;

use protocol::Reply;
use protocol::text::{excerpt, masked};

/// Number of last lines kept of standard output and of standard error.
const N_RECEIVED: usize = 12;
const N_STDERR: usize = 6;
/// Number of first and last input lines shown; a step may send thousands. The first ones set up the engine, and the last
/// ones show the fault.
const N_FIRST: usize = 30;
const N_LAST: usize = 30;
/// Maximum length in characters of an input line, which may hold a whole game, and of an output line.
const LONGEST_SENT: usize = 4000;
const LONGEST_RECEIVED: usize = 200;
const READY: &str = "isready";
const POSITION: &str = "position ";

/// Input and output lines, limited in length, and the output in number.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The lines sent.
    sent: Vec<String>,
    /// Number of lines that belong to the handshake and the options.
    n_setup: usize,
    /// The last lines received since the last `position`, or since the set-up.
    received: VecDeque<String>,
}

/// Number of output lines that are not replies, and the first of them.
#[derive(Debug, Clone, Default)]
pub(super) struct NonReplies {
    pub(super) n_lines: usize,
    pub(super) first: Option<String>,
}

impl NonReplies {
    pub(super) fn add(&mut self, line: &str) {
        self.n_lines += 1;
        self.first
            .get_or_insert_with(|| cut(line, LONGEST_RECEIVED));
    }
}

impl Transcript {
    /// Marks the lines sent so far as set-up.
    pub(super) fn end_setup(&mut self) {
        self.n_setup = self.sent.len();
        self.received.clear();
    }

    /// Forgets all but the set-up.
    pub(super) fn forget_step(&mut self) {
        self.forget_position();
        self.received.clear();
    }

    /// Drops the lines sent after the set-up except options, because a new position makes them irrelevant.
    pub(super) fn forget_position(&mut self) {
        let later = self.sent.split_off(self.n_setup);
        let is_option = |line: &String| line.starts_with("setoption");
        self.sent.extend(later.into_iter().filter(is_option));
    }

    /// Drops a final `isready` that was answered.
    pub(super) fn forget_ready(&mut self) {
        let is_after_setup = self.sent.len() > self.n_setup;
        self.sent.pop_if(|line| is_after_setup && line == READY);
    }

    /// Describes the last position and command; empty if there was none since the set-up.
    pub(super) fn context(&self) -> String {
        let later = self.sent[self.n_setup..].iter();
        let mut commands = later.filter(|line| *line != READY);
        let position = commands.clone().rfind(|line| line.starts_with(POSITION));
        let command = commands.next_back().filter(|line| Some(*line) != position);
        let command = command.map(|line| excerpt(line));
        let last = position.cloned().into_iter().chain(command);
        match last.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => none,
            last => format!(" after {last}"),
        }
    }

    pub(super) fn sent(&mut self, line: &str) {
        if line.starts_with(POSITION) {
            self.received.clear();
        }
        self.sent.push(cut(line, LONGEST_SENT));
    }

    pub(super) fn received(&mut self, line: &str) {
        if self.received.len() == N_RECEIVED {
            self.received.pop_front();
        }
        self.received.push_back(cut(line, LONGEST_RECEIVED));
    }

    /// The lines that set up the process.
    pub(super) fn setup_lines(&self) -> impl Iterator<Item = String> + '_ {
        self.sent[..self.n_setup].iter().cloned()
    }

    /// The input lines, for pasting into the engine.
    pub(super) fn to_paste(&self) -> Vec<String> {
        let mut lines = self.sent.clone();
        let n_left_out = lines.len().saturating_sub(N_FIRST + N_LAST);
        if n_left_out > 0 {
            let gap = format!("(... {n_left_out} lines left out ...)");
            lines.splice(N_FIRST..N_FIRST + n_left_out, [gap]);
        }
        lines
    }

    /// The last lines of standard output, followed by those of standard error.
    pub(super) fn last_output(&self, stderr: &str) -> Vec<String> {
        let lines: Vec<&str> = stderr.lines().collect();
        let last = &lines[lines.len().saturating_sub(N_STDERR)..];
        let shown = |line: &&str| format!("(stderr) {}", cut(line, LONGEST_RECEIVED));
        let shown = last.iter().map(shown);
        self.received.iter().cloned().chain(shown).collect()
    }
}

/// Cuts a line to at most `longest` characters and replaces unsafe characters.
fn cut(line: &str, longest: usize) -> String {
    let mut text = masked(line, longest);
    if line.chars().nth(longest).is_some() {
        text.push_str(" ...");
    }
    text
}

/// Maximum number of bytes kept of one wait's output.
const MAX_KEPT: usize = 5 << 20;

/// A line of the engine's output.
#[derive(Debug)]
pub(super) struct OutputLine {
    pub(super) at: Instant,
    pub(super) line: String,
    /// `None` for a line that begins like a reply but is malformed.
    pub(super) reply: Option<Reply>,
}

impl OutputLine {
    pub(super) fn error(&self) -> Option<&str> {
        match &self.reply {
            Some(Reply::Error(why)) => Some(why),
            _ => None,
        }
    }

    /// `true` for an answer to a query: a response or an error.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.reply, Some(Reply::Response(_) | Reply::Error(_)))
    }

    /// The text after `response`.
    pub(super) fn response(&self) -> Option<&str> {
        match &self.reply {
            Some(Reply::Response(text)) => Some(text),
            _ => None,
        }
    }

    /// `true` if the first word is `bestmove`, even if the rest is invalid.
    pub(super) fn is_best_move(&self) -> bool {
        self.line.split_whitespace().next() == Some("bestmove")
    }
}

/// Lines received during one wait. Beyond the limit, output is read and dropped.
#[derive(Debug, Default)]
pub(super) struct BoundedOutput {
    pub(super) output: Vec<OutputLine>,
    n_bytes: usize,
}

impl BoundedOutput {
    pub(super) fn push(&mut self, output: OutputLine) {
        // A parsed reply also holds a copy of the text.
        self.n_bytes += size_of::<OutputLine>() + 2 * output.line.len();
        if self.n_bytes <= MAX_KEPT {
            self.output.push(output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_replies_are_counted_and_the_first_is_kept() {
        let mut non_replies = NonReplies::default();
        for index in 0..1000 {
            non_replies.add(&format!("{index}{}", "x".repeat(10_000)));
        }
        assert_eq!(non_replies.n_lines, 1000);
        let first = non_replies.first.unwrap_or_default();
        assert!(first.starts_with("0x") && first.len() < LONGEST_RECEIVED + 10);
    }

    #[test]
    fn a_new_position_makes_earlier_lines_unnecessary() {
        let mut transcript = Transcript::default();
        let send = |transcript: &mut Transcript, lines: &[&str]| {
            lines.iter().for_each(|line| transcript.sent(line));
        };
        send(&mut transcript, &["ugi"]);
        transcript.end_setup();
        assert_eq!(transcript.context(), "");
        for index in 0..N_FIRST {
            let option = format!("setoption name MultiPV value {index}");
            send(&mut transcript, &[&option, "isready"]);
            transcript.forget_ready();
        }
        assert_eq!(transcript.to_paste().len(), 1 + N_FIRST);
        send(&mut transcript, &["position startpos moves a1", "isready"]);
        transcript.forget_ready();
        assert_eq!(transcript.context(), " after position startpos moves a1");
        send(&mut transcript, &["go depth 1", "isready"]);
        let context = " after position startpos moves a1, go depth 1";
        assert_eq!(transcript.context(), context);
        transcript.forget_position();
        send(&mut transcript, &["position startpos"]);
        let pasted = transcript.to_paste();
        assert_eq!(pasted.len(), 1 + N_FIRST + 1);
        assert_eq!(pasted.last().map(String::as_str), Some("position startpos"));
    }

    #[test]
    fn output_is_that_of_the_last_exchange() {
        let mut transcript = Transcript::default();
        transcript.received("ugiok");
        transcript.end_setup();
        transcript.sent("isready");
        transcript.received("readyok");
        assert_eq!(transcript.last_output(""), ["readyok"]);
        transcript.sent("position startpos");
        transcript.sent("go depth 1");
        transcript.received("bestmove z9");
        assert_eq!(transcript.last_output(""), ["bestmove z9"]);
    }

    #[test]
    fn a_transcript_is_bounded() {
        let mut transcript = Transcript::default();
        for index in 0..1000 {
            transcript.sent(&format!("{index} {}", "x".repeat(10_000)));
            transcript.received(&"\u{1b}y".repeat(10_000));
        }
        let to_paste = transcript.to_paste();
        assert_eq!(to_paste.len(), N_FIRST + 1 + N_LAST);
        assert!(to_paste[0].starts_with("0 x") && to_paste[N_FIRST - 1].starts_with("29 x"));
        assert_eq!(to_paste[N_FIRST], "(... 940 lines left out ...)");
        assert!(to_paste[N_FIRST + 1].starts_with("970 x") && to_paste[60].starts_with("999 x"));
        assert!(to_paste.iter().all(|line| line.len() < LONGEST_SENT + 10));
        let last_output = transcript.last_output("a\nb\n");
        assert_eq!(last_output.len(), N_RECEIVED + 2);
        assert!(last_output[0].starts_with("?y?y") && last_output[0].len() < LONGEST_RECEIVED + 10);
        assert_eq!(last_output[N_RECEIVED], "(stderr) a");
    }

    #[test]
    fn a_flood_is_not_kept() {
        let mut kept = BoundedOutput::default();
        for _ in 0..1_000_000 {
            kept.push(OutputLine {
                at: Instant::now(),
                line: "info string again".to_owned(),
                reply: None,
            });
        }
        assert!(kept.output.len() * size_of::<OutputLine>() <= MAX_KEPT);
        assert!(kept.output.len() > 10_000, "normal output is kept in full");
    }
}
