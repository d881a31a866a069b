//! What is kept of a dialogue, for a person to see it again.

use std::collections::VecDeque;

/// How many of the last lines heard are kept, and of those of standard error.
const N_HEARD: usize = 12;
const N_STDERR: usize = 6;
/// A step may send thousands of lines. The first ones are kept, for they are where a person begins, and the last ones,
/// for that is where the fault is.
const N_FIRST: usize = 30;
const N_LAST: usize = 30;
/// Characters that are kept of a line sent, which may hold a whole game, and of one heard.
const LONGEST_SENT: usize = 4000;
const LONGEST_HEARD: usize = 200;

/// Lines sent and heard, within bounds.
#[derive(Debug, Default)]
pub(super) struct Notes {
    first: Vec<String>,
    last: VecDeque<String>,
    /// How many lines were sent between the first and the last ones.
    n_left_out: usize,
    /// How many of the first lines belong to the greeting.
    n_greeting: usize,
    heard: VecDeque<String>,
    junk: Junk,
}

/// Lines that are no replies: how many, and the first one.
#[derive(Debug, Default)]
pub(super) struct Junk {
    pub(super) n_lines: usize,
    pub(super) first: Option<String>,
}

impl Junk {
    fn add(&mut self, line: &str) {
        self.n_lines += 1;
        self.first.get_or_insert_with(|| cut(line, LONGEST_HEARD));
    }

    /// Adds what came later.
    pub(super) fn append(&mut self, later: Junk) {
        self.n_lines += later.n_lines;
        self.first = self.first.take().or(later.first);
    }
}

impl Notes {
    /// Forgets what was said, but for the junk: another process begins.
    pub(super) fn begin_again(&mut self) {
        let junk = self.take_junk();
        *self = Notes {
            junk,
            ..Notes::default()
        };
    }

    /// What was sent so far was the greeting.
    pub(super) fn end_greeting(&mut self) {
        self.n_greeting = self.first.len();
    }

    pub(super) fn sent(&mut self, line: &str) {
        let line = cut(line, LONGEST_SENT);
        if self.first.len() < N_FIRST {
            self.first.push(line);
            return;
        }
        if self.last.len() == N_LAST {
            self.last.pop_front();
            self.n_left_out += 1;
        }
        self.last.push_back(line);
    }

    pub(super) fn heard(&mut self, line: &str) {
        if self.heard.len() == N_HEARD {
            self.heard.pop_front();
        }
        self.heard.push_back(cut(line, LONGEST_HEARD));
    }

    pub(super) fn junk(&mut self, line: &str) {
        self.junk.add(line);
    }

    pub(super) fn take_junk(&mut self) -> Junk {
        std::mem::take(&mut self.junk)
    }

    /// The lines that the process was greeted with.
    pub(super) fn greeting(&self) -> impl Iterator<Item = String> + '_ {
        self.first[..self.n_greeting].iter().cloned()
    }

    /// The lines that were sent, to be sent again.
    pub(super) fn to_paste(&self) -> Vec<String> {
        let n_lines = self.n_left_out;
        let gap = (n_lines > 0).then(|| format!("(... {n_lines} lines left out ...)"));
        let first = self.first.iter().cloned();
        first.chain(gap).chain(self.last.iter().cloned()).collect()
    }

    /// The last lines that were heard, then those of standard error.
    pub(super) fn last_words(&self, stderr: &str) -> Vec<String> {
        let lines: Vec<&str> = stderr.lines().collect();
        let last = &lines[lines.len().saturating_sub(N_STDERR)..];
        let shown = last
            .iter()
            .map(|line| format!("(stderr) {}", cut(line, LONGEST_HEARD)));
        self.heard.iter().cloned().chain(shown).collect()
    }
}

/// At most so many characters of a line, fit to be shown.
fn cut(line: &str, longest: usize) -> String {
    let printable = |c: char| if c.is_control() { '?' } else { c };
    let mut text: String = line.chars().take(longest).map(printable).collect();
    if line.chars().nth(longest).is_some() {
        text.push_str(" ...");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn junk_is_counted_and_the_first_line_kept() {
        let mut notes = Notes::default();
        for index in 0..1000 {
            notes.junk(&format!("{index}{}", "x".repeat(10_000)));
        }
        notes.begin_again();
        notes.junk("later");
        let mut junk = Junk::default();
        junk.append(notes.take_junk());
        junk.append(notes.take_junk());
        assert_eq!(junk.n_lines, 1001);
        let first = junk.first.unwrap_or_default();
        assert!(first.starts_with("0x") && first.len() < LONGEST_HEARD + 10);
    }

    #[test]
    fn everything_is_bounded() {
        let mut notes = Notes::default();
        for index in 0..1000 {
            notes.sent(&format!("{index} {}", "x".repeat(10_000)));
            notes.heard(&"\u{1b}y".repeat(10_000));
        }
        let to_paste = notes.to_paste();
        assert_eq!(to_paste.len(), N_FIRST + 1 + N_LAST);
        assert!(to_paste[0].starts_with("0 x") && to_paste[N_FIRST - 1].starts_with("29 x"));
        assert_eq!(to_paste[N_FIRST], "(... 940 lines left out ...)");
        assert!(to_paste[N_FIRST + 1].starts_with("970 x") && to_paste[60].starts_with("999 x"));
        assert!(to_paste.iter().all(|line| line.len() < LONGEST_SENT + 10));
        let last_words = notes.last_words("a\nb\n");
        assert_eq!(last_words.len(), N_HEARD + 2);
        assert!(last_words[0].starts_with("?y?y") && last_words[0].len() < LONGEST_HEARD + 10);
        assert_eq!(last_words[N_HEARD], "(stderr) a");
    }
}
