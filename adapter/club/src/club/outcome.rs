//! The results of a message's commands, and the text of the answer.

use protocol::text::excerpt;

use crate::{ClubError, OwnLine, is_token, wrap};

/// Maximum number of commands per message.
pub(super) const MAX_COMMANDS: usize = 20;

/// Maximum number of lines without effect that an answer names.
const MAX_UNREAD: usize = 5;

/// The part of an answer that is about one line of the message.
#[derive(Debug)]
pub(super) struct AnswerPart {
    /// The command, shown if there are other parts.
    echo: Option<String>,
    text: String,
    /// `true` if the line begins like a command and may be a remark.
    pub(super) is_remark: bool,
}

/// Result of the commands of a message.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) answers: Vec<AnswerPart>,
    /// Number of commands beyond [`MAX_COMMANDS`].
    pub(super) n_left_out: usize,
    /// Number of commands and moves that were carried out, and of those that were not.
    pub(super) n_done: usize,
    n_refused: usize,
}

impl Outcome {
    pub(super) fn done(&mut self, echo: Option<String>, text: String) {
        self.n_done += 1;
        if !text.is_empty() {
            self.say(echo, text, false);
        }
    }

    /// Notes why a line had no effect; it may be a remark.
    pub(super) fn not_done(&mut self, echo: Option<String>, why: &ClubError, is_remark: bool) {
        self.n_refused += usize::from(!is_remark);
        let why = why.to_string();
        let text = wrap(&format!("Not done: {}.", why.trim_end_matches('.')));
        self.say(echo, text, is_remark);
    }

    fn say(&mut self, echo: Option<String>, text: String, is_remark: bool) {
        self.answers.push(AnswerPart {
            echo,
            text,
            is_remark,
        });
    }

    pub(super) fn n_commands(&self) -> usize {
        self.n_done + self.n_refused
    }

    /// `true` if all commands were carried out.
    pub(super) fn is_done(&self) -> bool {
        self.n_refused == 0 && self.n_done > 0
    }

    /// Drops what is said about remarks, if the message is carried out and needs no answer otherwise.
    pub(super) fn drop_remarks(&mut self) {
        if self.n_commands() > 0 && self.answers.iter().all(|part| part.is_remark) {
            self.answers.clear();
        }
    }

    /// Names the lines without effect: if there is an answer anyway, or if there are commands among them.
    pub(super) fn name_unread(&mut self, lines: &[&OwnLine]) {
        let has_commands = lines.iter().any(|own| own.command.is_some());
        let is_answered = !self.answers.is_empty() && self.n_commands() > 0;
        if lines.is_empty() || !has_commands && !is_answered {
            return;
        }
        let intro = wrap(
            "Nothing was done for the lines below. Commands stand in the subject or at the start of the text, one per \
             line, above all other text:",
        );
        let shown = lines.iter().take(MAX_UNREAD).map(|own| {
            let words: Vec<&str> = own.text.split_whitespace().map(masked).collect();
            format!("\n> {}", excerpt(&words.join(" ")))
        });
        let more = match lines.len().saturating_sub(MAX_UNREAD) {
            0 => String::new(),
            n => format!("\nand {n} more"),
        };
        let shown: String = shown.collect();
        self.say(None, format!("{intro}\n{shown}{more}"), false);
    }

    /// Returns the answer; empty if the e-mails about the boards say all.
    pub(super) fn text(&self) -> String {
        let is_single = self.n_commands() <= 1 && self.answers.len() == 1;
        let parts = self.answers.iter().map(|part| match &part.echo {
            Some(echo) if !is_single => format!("{}\n\n{}", echo.trim_end(), part.text),
            _ => part.text.clone(),
        });
        let n = self.n_left_out;
        let left_out = format!(
            "Not done: the last {n} of these commands. A message has at most {MAX_COMMANDS}: send them in another one."
        );
        let parts: Vec<String> = parts.chain((n > 0).then_some(left_out)).collect();
        parts.join("\n\n")
    }
}

/// Returns the word TOKEN in place of a token.
pub(super) fn masked(word: &str) -> &str {
    match is_token(word) {
        true => "TOKEN",
        false => word,
    }
}
