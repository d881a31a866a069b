//! Games by e-mail: clubs in this process and in separate processes, and messages as mail programs write them.

mod commands;
mod consent;
mod faults;
mod forms;
mod games;
mod hostile;
mod limits;
mod remarks;
mod server;
mod strangers;
mod time;

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use linesman_club::{Club, Post, Report};
use mail_parser::MessageParser;
use record::engine_spec::Program;
use referee::engine::Timeouts;
use referee::host::Host;
use referee::rules_program;
use referee::stop::Stop;

use crate::said::Said;
use crate::support::{Folder, has, program};

/// The start time of each case: 2026-11-22, in seconds since 1970.
const BEGIN: i64 = 1_795_305_600;

/// A day; an address without an account gets one letter in it.
const DAY: i64 = 86_400;

/// The address of the club.
const CLUB: &str = "club@example.org";

/// An e-mail that a club has sent, or a message to it.
#[derive(Debug, Clone)]
struct Letter {
    to: String,
    subject: String,
    id: String,
    in_reply_to: Option<String>,
    references: String,
    text: String,
    raw: String,
}

impl Letter {
    fn parse(raw: &str) -> Letter {
        let message = MessageParser::default().parse(raw).expect("a message");
        let to = message.to().and_then(|to| to.first()?.address());
        let references = raw.split_once("References:").map_or("", |(_, rest)| rest);
        let references = references.split(": ").next().unwrap_or_default();
        Letter {
            to: to.unwrap_or_default().to_owned(),
            subject: message.subject().unwrap_or_default().to_owned(),
            id: message.message_id().unwrap_or_default().to_owned(),
            in_reply_to: message.in_reply_to().as_text().map(str::to_owned),
            references: references.to_owned(),
            text: message.body_text(0).unwrap_or_default().into_owned(),
            raw: raw.to_owned(),
        }
    }

    /// The word after `Token: `.
    fn token(&self) -> String {
        let line = self
            .text
            .lines()
            .find_map(|line| line.strip_prefix("Token: "));
        line.unwrap_or_else(|| panic!("no token in {}", self.text))
            .to_owned()
    }
}

/// The text, also where it is wrapped.
impl Said for Letter {
    fn says(&self, part: &str) -> bool {
        self.text.contains(part) || self.text.replace('\n', " ").contains(part)
    }
}

/// A club in this process, with a simulated clock.
struct Case {
    folder: Folder,
    club: Club,
    now: i64,
    n_sent: usize,
    seen: BTreeSet<PathBuf>,
    /// The texts that [`talk`](Case::talk) writes for words such as `{ann}`, and the letters that it answers, the last ones
    /// last.
    words: Vec<(String, String)>,
    known: Vec<Letter>,
}

fn host() -> Host {
    Host {
        registry: linesman::GAMES,
        executable: program("linesman"),
        stop: Stop::default(),
    }
}

/// Opens the club of a folder, or creates it.
fn open(folder: &Folder) -> Club {
    open_with(folder, host())
}

fn open_with(folder: &Folder, host: Host) -> Club {
    Club::create(&folder.path("club.db"), host).expect("a club")
}

/// Creates a club with a process.
fn create(folder: &Folder) {
    let words = format!("club create --store club.db --address {CLUB} --host host@example.org");
    let done = folder.linesman(&words).done();
    assert_eq!((done.status, done.stderr.as_str()), (Some(0), ""));
}

/// The e-mail to one of several players.
#[track_caller]
fn to<'l>(letters: &'l [Letter], name: &str) -> &'l Letter {
    let letter = letters.iter().find(|letter| letter.to == address(name));
    letter.expect("a letter")
}

/// The last of the e-mails to one of several players.
#[track_caller]
fn last_to<'l>(letters: &'l [Letter], name: &str) -> &'l Letter {
    let mut own = letters.iter().filter(|letter| letter.to == address(name));
    own.next_back()
        .unwrap_or_else(|| panic!("no letter to {name}: {letters:#?}"))
}

impl Case {
    fn new(test: &str) -> Case {
        let folder = Folder::new(test);
        let club = open(&folder);
        Case::of(folder, club)
    }

    /// A club that also plays the game of `tests/data/counts.py`.
    fn with_counts(test: &str) -> Case {
        let folder = Folder::new(test);
        folder.copy_data("counts.py");
        let program = Program::Command {
            path: "python3".into(),
            args: vec![folder.path("counts.py").display().to_string()],
            dir: None,
        };
        let entry = rules_program::entry(
            Some("counts"),
            &program,
            &[],
            Timeouts::of_ms(60_000, 60_000),
        );
        let mut host = host();
        host.registry = host.registry.with([entry.expect("a game")]);
        let club = open_with(&folder, host);
        Case::of(folder, club)
    }

    /// Trusts the results of a mail server.
    fn trust(&mut self, server: &str) {
        let set = self.club.set_addresses(CLUB, "host@example.org", server);
        set.expect("the store");
    }

    fn of(folder: Folder, mut club: Club) -> Case {
        club.set_addresses(CLUB, "host@example.org", "")
            .expect("addresses");
        Case {
            folder,
            club,
            now: BEGIN,
            n_sent: 0,
            seen: BTreeSet::new(),
            words: Vec::new(),
            known: Vec::new(),
        }
    }

    /// Two users, Ann and Bob, with confirmed addresses. Returns their tokens.
    fn with_two(test: &str) -> (Case, String, String) {
        let mut case = Case::new(test);
        let [ann, bob] = ["ann", "bob"].map(|name| case.sign_up(name));
        for (word, token) in [("{ann}", &ann), ("{bob}", &bob)] {
            case.words.push((word.to_owned(), token.clone()));
        }
        (case, ann, bob)
    }

    /// Ann and Bob at board 1, Ann to move. Returns the last e-mail to each of them.
    fn playing(test: &str, game: &str) -> (Case, Letter, Letter) {
        let (mut case, ann, _) = Case::with_two(test);
        let letters = case.sends("ann", &format!("challenge {game} bob {ann}"));
        let letters = case.answers("bob", to(&letters, "bob"), "accept\n");
        let [ann, bob] = ["ann", "bob"].map(|name| last_to(&letters, name).clone());
        case.known = vec![ann.clone(), bob.clone()];
        for (word, letter) in [("{ann 1}", &ann), ("{bob 1}", &bob)] {
            case.words.push((word.to_owned(), letter.token()));
        }
        (case, ann, bob)
    }

    /// Plays a dialogue of steps, one a line; `//` begins a comment. After ` => ` stands what the club sends:
    ///
    /// ```text
    /// ann: b2 => bob: Your move 2 | [x] & moves 1. b2     an answer to the letter of the board; two parts of Bob's letter
    /// bob^ c3 => 2 letters                                an answer to the last letter of this dialogue to Bob
    /// ann> whoami {ann} => ann: You are ann               a message with this subject; Ann's token, that of board 1 is {ann 1}
    /// host> show 1 => move 2 is for bob                   a command of the host, and its output
    /// ```
    #[track_caller]
    fn talk(&mut self, dialogue: &str) {
        let lines = dialogue.lines().map(str::trim);
        for step in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
            let (line, expected) = step.split_once(" => ").unwrap_or((step, ""));
            let (name, text) = line.split_once(' ').expect(step);
            let replace =
                |text: String, (word, token): &(String, String)| text.replace(word, token);
            let text = self.words.iter().fold(text.to_owned(), replace);
            if name == "host>" {
                let (told, _) = self.command(&text);
                expected.split(" | ").for_each(|part| has(&told, part));
                continue;
            }
            let (name, kind) = name.split_at(name.len() - 1);
            let of_name = |letter: &&Letter| letter.to == address(name);
            let letters = match kind {
                ">" => self.sends(name, &text),
                _ => {
                    let mut own = self.known.iter().filter(of_name);
                    let letter = if kind == "^" {
                        own.next_back()
                    } else {
                        own.next()
                    };
                    let letter = letter.expect(step).clone();
                    self.answers(name, &letter, &format!("{text}\n"))
                }
            };
            for expected in expected
                .split(" & ")
                .filter(|expected| !expected.is_empty())
            {
                self.check(expected, &letters);
            }
            self.known.extend(letters);
        }
    }

    /// An expectation of a dialogue.
    #[track_caller]
    fn check(&mut self, expected: &str, letters: &[Letter]) {
        if let Some(moves) = expected.strip_prefix("moves") {
            return assert_eq!(self.moves(1), moves.trim());
        }
        if let Some(n) = expected.strip_suffix(" letters") {
            return assert_eq!(letters.len().to_string(), n, "{letters:#?}");
        }
        let (name, parts) = expected.split_once(": ").expect(expected);
        for part in parts.split(" | ") {
            match name {
                "all" => {
                    assert!(!letters.is_empty(), "{expected}");
                    letters.iter().for_each(|letter| has(letter, part));
                }
                _ => has(last_to(letters, name), part),
            }
        }
    }

    /// Creates a confirmed account and returns its token.
    fn sign_up(&mut self, name: &str) -> String {
        self.send(name, &format!("signup {name}"), "");
        let token = self.letter_to(name).token();
        self.sends(name, &format!("whoami {token}"));
        token
    }

    fn send(&mut self, name: &str, subject: &str, text: &str) -> Report {
        self.send_with(name, "", subject, text)
    }

    /// Sends an answer to an e-mail, above its quotation.
    fn answer(&mut self, name: &str, letter: &Letter, text: &str) -> Report {
        let header = format!(
            "In-Reply-To: <{}>\nReferences: <{}>\n",
            letter.id, letter.id
        );
        let quoted: Vec<String> = letter
            .text
            .lines()
            .map(|line| format!("> {line}"))
            .collect();
        let text = format!(
            "{text}\nOn Sunday, Linesman wrote:\n{}\n",
            quoted.join("\n")
        );
        self.send_with(name, &header, &format!("Re: {}", letter.subject), &text)
    }

    fn send_with(&mut self, name: &str, header: &str, subject: &str, text: &str) -> Report {
        self.n_sent += 1;
        let message = format!(
            "From: {name} <{}>\nTo: {CLUB}\nSubject: {subject}\nMessage-ID: <{}@{name}>\n{header}\n{text}\n",
            address(name),
            self.n_sent
        );
        self.deliver(&message)
    }

    fn deliver(&mut self, message: &str) -> Report {
        self.now += 1;
        self.club
            .receive(message.as_bytes(), self.now)
            .expect("it is stored")
    }

    /// E-mails sent since the last call.
    fn letters(&mut self) -> Vec<Letter> {
        let post = Post::Folder(self.folder.path("out"));
        let notes = self
            .club
            .settle(&post, self.now)
            .expect("the store is there");
        assert!(notes.is_empty(), "{notes:?}");
        let Ok(files) = fs::read_dir(self.folder.path("out")) else {
            return Vec::new();
        };
        let files: BTreeSet<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
        let new = files
            .difference(&self.seen)
            .map(|path| fs::read_to_string(path).expect("a letter"));
        let letters = new.map(|raw| Letter::parse(&raw)).collect();
        self.seen = files;
        letters
    }

    /// Sends a message, and returns what the club sends.
    fn sends(&mut self, name: &str, subject: &str) -> Vec<Letter> {
        self.send(name, subject, "");
        self.letters()
    }

    /// Sends an answer, and returns what the club sends.
    fn answers(&mut self, name: &str, letter: &Letter, text: &str) -> Vec<Letter> {
        self.answer(name, letter, text);
        self.letters()
    }

    /// Sends an answer, and returns the only letter to its sender.
    fn reply(&mut self, name: &str, letter: &Letter, text: &str) -> Letter {
        self.answer(name, letter, text);
        self.letter_to(name)
    }

    /// The only e-mail sent since the last call, which is to this user.
    fn letter_to(&mut self, name: &str) -> Letter {
        let letters = self.letters();
        match letters.as_slice() {
            [letter] if letter.to == address(name) => letter.clone(),
            _ => panic!("expected one letter to {name}: {letters:#?}"),
        }
    }

    /// Each of the e-mails sent since the last call has this part.
    #[track_caller]
    fn all_have(&mut self, part: &str) {
        self.letters().iter().for_each(|letter| has(letter, part));
    }

    /// Sends a message and returns the answer.
    fn ask(&mut self, name: &str, subject: &str) -> Letter {
        self.send(name, subject, "");
        self.letter_to(name)
    }

    /// Runs a command of the host. Returns its output, and whether it was carried out.
    fn command(&mut self, words: &str) -> (String, bool) {
        self.now += 1;
        self.club.command(words, self.now).expect("it is stored")
    }

    /// The moves on a board, as listed by `history`.
    fn moves(&mut self, board: usize) -> String {
        let (text, _) = self.command(&format!("history {board}"));
        let lines = text.lines().filter(|line| line.starts_with("1. "));
        lines.collect::<Vec<_>>().join(" ")
    }
}

fn address(name: &str) -> String {
    format!("{name}@example.org")
}
