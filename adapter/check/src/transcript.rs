//! The transcript of a dialogue, from which a user can reproduce a fault.

use std::collections::VecDeque;

use protocol::text::{excerpt, masked};

/// Number of last lines kept of standard output and of standard error.
const N_RECEIVED: usize = 12;
const N_STDERR: usize = 6;
/// Number of first and last input lines kept; a step may send thousands. The first ones set up the engine, and the last
/// ones show the fault.
const N_FIRST: usize = 30;
const N_LAST: usize = 30;
/// Maximum length in characters of an input line, which may hold a whole game, and of an output line.
const LONGEST_SENT: usize = 4000;
const LONGEST_RECEIVED: usize = 200;
const READY: &str = "isready";

/// Input and output lines, limited in number and length.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    /// The first and the last lines sent.
    sent: Vec<String>,
    /// Number of lines dropped after the first `N_FIRST`.
    n_left_out: usize,
    /// Number of lines that belong to the handshake and the options.
    n_setup: usize,
    /// The last `position` line.
    position: Option<String>,
    /// The last line other than `isready`.
    command: Option<String>,
    /// The last lines received since the last `position`, or since the set-up.
    received: VecDeque<String>,
    /// Lines received that are not replies.
    pub(super) non_replies: NonReplies,
}

/// Number of output lines that are not replies, and the first of them.
#[derive(Debug, Default)]
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

    /// Adds the lines of a later step.
    pub(super) fn append(&mut self, later: NonReplies) {
        self.n_lines += later.n_lines;
        self.first = self.first.take().or(later.first);
    }
}

impl Transcript {
    /// Clears the transcript for a new process, except for the lines that are not replies.
    pub(super) fn restart(&mut self) {
        *self = Transcript {
            non_replies: std::mem::take(&mut self.non_replies),
            ..Transcript::default()
        };
    }

    /// Marks the lines sent so far as set-up.
    pub(super) fn end_setup(&mut self) {
        self.n_setup = self.sent.len().min(N_FIRST);
        self.command = None;
        self.received.clear();
    }

    /// Drops the lines sent after the set-up except options, because a new position makes them irrelevant.
    pub(super) fn forget_position(&mut self) {
        let mut index = 0;
        self.sent.retain(|line| {
            index += 1;
            index <= self.n_setup || line.starts_with("setoption")
        });
        self.n_left_out = 0;
        (self.position, self.command) = (None, None);
    }

    /// Drops a final `isready` that was answered.
    pub(super) fn forget_ready(&mut self) {
        let is_after_setup = self.sent.len() > self.n_setup;
        self.sent.pop_if(|line| is_after_setup && line == READY);
    }

    /// Describes the last position and command; empty if there was none since the set-up.
    pub(super) fn context(&self) -> String {
        let command = self.command.as_deref().map(excerpt);
        match (&self.position, command) {
            (Some(position), Some(command)) if !position.starts_with(&*command) => {
                format!(" after {position}, {command}")
            }
            (Some(position), _) => format!(" after {position}"),
            (None, Some(command)) => format!(" after {command}"),
            (None, None) => String::new(),
        }
    }

    pub(super) fn sent(&mut self, line: &str) {
        let line = cut(line, LONGEST_SENT);
        if line != READY {
            self.command = Some(line.clone());
        }
        if line.starts_with("position ") {
            self.position = Some(line.clone());
            self.received.clear();
        }
        self.sent.push(line);
        if self.sent.len() > N_FIRST + N_LAST {
            self.sent.remove(N_FIRST);
            self.n_left_out += 1;
        }
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
        if self.n_left_out > 0 {
            let gap = format!("(... {} lines left out ...)", self.n_left_out);
            lines.insert(N_FIRST, gap);
        }
        lines
    }

    /// The last lines of standard output, followed by those of standard error.
    pub(super) fn last_output(&self, stderr: &str) -> Vec<String> {
        let lines: Vec<&str> = stderr.lines().collect();
        let last = &lines[lines.len().saturating_sub(N_STDERR)..];
        let shown = last
            .iter()
            .map(|line| format!("(stderr) {}", cut(line, LONGEST_RECEIVED)));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn non_replies_are_counted_and_the_first_is_kept() {
        let mut transcript = Transcript::default();
        for index in 0..1000 {
            let line = format!("{index}{}", "x".repeat(10_000));
            transcript.non_replies.add(&line);
        }
        transcript.restart();
        transcript.non_replies.add("later");
        let mut non_replies = NonReplies::default();
        non_replies.append(std::mem::take(&mut transcript.non_replies));
        non_replies.append(std::mem::take(&mut transcript.non_replies));
        assert_eq!(non_replies.n_lines, 1001);
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
}
