//! Parses the text of a message as lines, of which some begin like a command.
//!
//! Quoted lines, lines that introduce a quotation, and the signature are ignored.

use protocol::text::{excerpt, is_unsafe};
use table::CommandId;

use crate::{Answer, misread};

/// Maximum length of a line, in characters.
const MAX_LINE: usize = 500;

/// Command words other than the actions of a table, [`CommandId::BY_MAIL`].
const COMMANDS: &str = "address block challenge delete forget games help history message move note pass players queue \
                        ratings show signoff signup standings swap token unblock whoami";

/// Other spellings of pbmserv, each with the command that it means.
const SPELLINGS: &str =
    "add=signup change=address chat=note list=players propose=draw reject=decline ?=help";

/// A parsed command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Line {
    /// The game named in front of it, as in the registry; `None` if there is none, or `all`.
    pub(crate) game: Option<&'static str>,
    /// The command word.
    pub(crate) word: &'static str,
    /// The rest of its line.
    pub(crate) rest: String,
    /// The text below it, if the command takes one.
    pub(crate) text: String,
}

/// A line of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct OwnLine {
    pub(crate) text: String,
    /// The command, if it begins with a command word. Only its execution shows whether it has the form of this
    /// command, or is a remark such as `Show me!`.
    pub(crate) command: Option<Line>,
}

/// Parses a subject and a body. Returns the subject, if it begins with a command word, and the sender's lines that are
/// not empty, without quotations and signature. `games` are the names of all games.
pub(crate) fn parse(subject: &str, text: &str, games: &[&'static str]) -> Vec<OwnLine> {
    let own = unquoted(text);
    let read = |text: &str, below: &[String]| {
        let mut command = read_line(text, games);
        if let Some(line) = command.as_mut().filter(|line| takes_text(line.word)) {
            line.text = below.join("\n").trim().to_owned();
        }
        let text = text.to_owned();
        OwnLine { text, command }
    };
    let subject = Some(read(&plain(subject), &own)).filter(|line| line.command.is_some());
    let lines = own.iter().enumerate().filter(|(_, text)| !text.is_empty());
    let lines = lines.map(|(at, text)| read(text, &own[at + 1..]));
    subject.into_iter().chain(lines).collect()
}

/// `true` if the lines below the command are its text.
pub(crate) fn takes_text(word: &str) -> bool {
    matches!(word, "message" | "note")
}

/// Returns the command that a word spells.
pub(crate) fn command(word: &str) -> Option<&'static str> {
    let word = word.trim_end_matches(':').to_ascii_lowercase();
    let mut spellings = SPELLINGS.split(' ').filter_map(|pair| pair.split_once('='));
    let meant = spellings.find(|(spelling, _)| *spelling == word);
    let word = meant.map_or(word.as_str(), |(_, meant)| meant);
    let actions = CommandId::BY_MAIL.into_iter().map(|(_, own, _)| own);
    COMMANDS.split(' ').chain(actions).find(|own| *own == word)
}

/// Returns the game that a word names; the hyphen may be `_` or missing.
pub(crate) fn game(word: &str, games: &[&'static str]) -> Option<&'static str> {
    let word = word.trim_end_matches(':').replace('_', "-");
    games.iter().copied().find(|name| {
        name.eq_ignore_ascii_case(&word) || name.replace('-', "") == word.to_ascii_lowercase()
    })
}

/// Parses a line as a command, with or without the name of a game in front.
pub(crate) fn read_line(text: &str, games: &[&'static str]) -> Option<Line> {
    let mut words = Words::new(text);
    let mut first = words.next()?;
    let mut named = None;
    // "Note:" above some lines begins a remark, not the text of a note.
    let is_heading = first.ends_with(':') && words.peek().is_none();
    if first.eq_ignore_ascii_case("all") {
        first = words.next()?;
    } else if let Some(game) = game(first, games) {
        named = Some(game);
        first = words.next()?;
    }
    let word = command(first).filter(|word| !(is_heading && takes_text(word)))?;
    Some(Line {
        game: named,
        word,
        rest: words.rest().to_owned(),
        text: String::new(),
    })
}

/// Returns the lines of a text that are neither quoted nor in the signature.
fn unquoted(text: &str) -> Vec<String> {
    let lines: Vec<String> = text.lines().map(plain).collect();
    let is_end = |line: &&String| *line == "--" || line.starts_with("-----Original Message");
    let end = lines.iter().position(|line| is_end(&line));
    let lines = &lines[..end.unwrap_or(lines.len())];
    let is_quoted = |line: &String| line.starts_with('>');
    let mut own = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let mut below = lines[at + 1..].iter().filter(|line| !line.is_empty());
        if !is_quoted(line) && !announces(line, below.next(), below.next()) {
            own.push(line.clone());
        }
    }
    own
}

/// `true` if a line introduces a quotation: `On Monday, the club wrote:`, on one line or two.
fn announces(line: &str, next: Option<&String>, after: Option<&String>) -> bool {
    let is_quoted = |line: Option<&String>| line.is_some_and(|line| line.starts_with('>'));
    let ends = |line: &str| line.ends_with(':');
    let is_first_of_two = || next.is_some_and(|next| ends(next)) && is_quoted(after);
    let has_words = line.contains(' ');
    has_words && (ends(line) && is_quoted(next) || line.starts_with("On ") && is_first_of_two())
}

/// Normalizes a line to typed characters: no control characters, plain spaces, arrows and dashes.
fn plain(line: &str) -> String {
    let mut typed = String::new();
    for c in line.trim().chars().take(MAX_LINE) {
        match c {
            '\u{2192}' => typed.push_str("->"),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => typed.push('-'),
            c if c.is_ascii_control() || c.is_whitespace() => typed.push(' '),
            c if is_unsafe(c) => {}
            c => typed.push(c),
        }
    }
    typed.trim().to_owned()
}

/// Iterator over the words of a line, from both ends.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Words<'a> {
        Words(line.trim())
    }

    /// Returns the next word without consuming it.
    pub(crate) fn peek(self) -> Option<&'a str> {
        self.0.split_whitespace().next()
    }

    /// Removes the next word if it is this one, ignoring case.
    pub(crate) fn next_if(&mut self, word: &str) -> bool {
        let is_next = self
            .peek()
            .is_some_and(|next| next.eq_ignore_ascii_case(word));
        is_next && self.next().is_some()
    }

    /// Removes the next word if it has been read.
    pub(crate) fn skip_if(&mut self, is_read: bool) {
        if is_read {
            self.next();
        }
    }

    /// Checks that no words are left after a command of this form.
    ///
    /// # Errors
    /// Words are left.
    pub(crate) fn end(self, form: &str) -> Answer<()> {
        match self.0 {
            "" => Ok(()),
            rest => misread!("{} is too much: write only {form}", word(rest)),
        }
    }

    /// Returns the remaining text.
    pub(crate) fn rest(self) -> &'a str {
        self.0
    }

    /// Removes and returns the last word.
    pub(crate) fn pop(&mut self) -> Option<&'a str> {
        let last = self.0.split_whitespace().next_back()?;
        self.0 = self.0[..self.0.len() - last.len()].trim_end();
        Some(last)
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        let word = self.peek()?;
        self.0 = self.0[word.len()..].trim_start();
        Some(word)
    }
}

/// Quotes a word of a message.
pub(crate) fn word(text: &str) -> String {
    format!("\"{}\"", excerpt(text))
}

/// Returns `true` for a board number, with or without `#`.
pub(crate) fn is_number(word: &str) -> bool {
    number(word).is_some()
}

/// Returns the number of a board, with or without `#`.
pub(crate) fn number(word: &str) -> Option<i64> {
    let digits = word.trim_start_matches('#');
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAMES: [&str; 2] = ["susan", "graph-hockey"];

    fn commands(subject: &str, text: &str) -> Vec<String> {
        let script = parse(subject, text, &GAMES);
        let short = |line: &Line| {
            let game = line.game.map_or(String::new(), |game| format!("{game} "));
            format!("{game}{} {}", line.word, line.rest)
        };
        let lines = script.iter().filter_map(|own| own.command.as_ref());
        lines.map(short).collect()
    }

    #[test]
    fn commands_begin_with_their_words() {
        let found = commands(
            "susan move 12 ann abc e5",
            "\nSHOW 3\n\nstandings\nHello Bob\nWatch this!\n",
        );
        assert_eq!(found, ["susan move 12 ann abc e5", "show 3", "standings "]);
        assert_eq!(commands("Re: [susan 12] your move", "b2->c3\n"), [""; 0]);
        assert_eq!(commands("Graph_Hockey help", ""), ["graph-hockey help "]);
        assert_eq!(commands("all show ann next", ""), ["show ann next"]);
        assert_eq!(commands("Note:", "Message:\n"), [""; 0]);
        assert_eq!(commands("Move: e5", "show:\n"), ["move e5", "show "]);
    }

    #[test]
    fn the_spellings_of_pbmserv_are_known() {
        let found = commands("", "reject 3\npropose 3\nchange address x\nlist\n");
        assert_eq!(
            found,
            ["decline 3", "draw 3", "address address x", "players "]
        );
    }

    #[test]
    fn a_text_belongs_to_its_command() {
        let text = "show 1\nmessage bob abc\nHello,\n\nhow are you?\nshow 3\n-- \nAnn\n";
        let script = parse("", text, &GAMES);
        let text = |own: &OwnLine| own.command.as_ref().map(|line| line.text.clone());
        let expected = Some("Hello,\n\nhow are you?\nshow 3".to_owned());
        assert_eq!(text(&script[1]), expected);
        let script = parse("message bob abc", "Hello\n", &GAMES);
        let expected = Some("Hello".to_owned());
        assert_eq!(text(&script[0]), expected);
    }

    #[test]
    fn quotations_and_signatures_are_left_out() {
        for text in [
            "e5\n\nOn Mon, Club wrote:\n> 1. a1\n",
            "On Mon, 2 Nov,\nClub <c@d> wrote:\n\n> 1. a1\n>\n\ne5\n",
            "> 1. a1\n\u{a0}e5\u{200b}  \n",
            "e5\n--\nshow 3\n",
            "e5\n-----Original Message-----\nFrom: x\n",
        ] {
            let script = parse("", text, &GAMES);
            let own: Vec<&str> = script.iter().map(|own| own.text.as_str()).collect();
            assert_eq!(own, ["e5"], "{text:?}");
        }
        assert_eq!(plain("b2 \u{2192} c3"), "b2 -> c3");
        assert_eq!(plain("a4\u{2013}c4"), "a4-c4");
    }

    #[test]
    fn words_are_taken_from_both_ends() {
        let mut words = Words::new("  a  b2 -> c3  t ");
        assert_eq!((words.next(), words.pop()), (Some("a"), Some("t")));
        assert_eq!(words.rest(), "b2 -> c3");
    }
}
