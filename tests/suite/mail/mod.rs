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

use linesman_club::{Club, Post, Report, Settings};
use mail_parser::MessageParser;
use record::engine_spec::Program;
use referee::engine::Timeouts;
use referee::host::Host;
use referee::rules_program;
use referee::stop::Stop;

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

/// A club in this process, with a simulated clock.
struct Case {
    folder: Folder,
    club: Club,
    now: i64,
    n_sent: usize,
    seen: BTreeSet<PathBuf>,
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
    let settings = Settings {
        makes: true,
        is_durable: false,
        ..Settings::default()
    };
    Club::open(&folder.path("club.db"), &settings, host).expect("a club")
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

    fn of(folder: Folder, mut club: Club) -> Case {
        club.set_addresses(CLUB, "host@example.org")
            .expect("addresses");
        Case {
            folder,
            club,
            now: BEGIN,
            n_sent: 0,
            seen: BTreeSet::new(),
        }
    }

    /// Two users, Ann and Bob, with confirmed addresses. Returns their tokens.
    fn with_two(test: &str) -> (Case, String, String) {
        let mut case = Case::new(test);
        let [ann, bob] = ["ann", "bob"].map(|name| case.sign_up(name));
        (case, ann, bob)
    }

    /// Ann and Bob at board 1, Ann to move. Returns the last e-mail to each of them.
    fn playing(test: &str, game: &str) -> (Case, Letter, Letter) {
        let (mut case, ann, _) = Case::with_two(test);
        case.send("ann", &format!("challenge {game} bob {ann}"), "");
        let letters = case.letters();
        let mut invitations = letters.iter().filter(|letter| letter.to == address("bob"));
        let invitation = invitations.next().expect("a challenge");
        case.answer("bob", invitation, "accept\n");
        let letters = case.letters();
        let to = |name: &str| {
            let mut own = letters.iter().filter(|letter| letter.to == address(name));
            own.next_back().expect("a letter").clone()
        };
        (case, to("ann"), to("bob"))
    }

    /// Creates a confirmed account and returns its token.
    fn sign_up(&mut self, name: &str) -> String {
        self.send(name, &format!("signup {name}"), "");
        let token = self.letter_to(name).token();
        self.send(name, &format!("whoami {token}"), "");
        self.letters();
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

    /// The only e-mail sent since the last call, which is to this user.
    fn letter_to(&mut self, name: &str) -> Letter {
        let letters = self.letters();
        match letters.as_slice() {
            [letter] if letter.to == address(name) => letter.clone(),
            _ => panic!("expected one letter to {name}: {letters:#?}"),
        }
    }

    /// One of the e-mails sent since the last call has this part.
    #[track_caller]
    fn any_has(&mut self, part: &str) {
        let letters = self.letters();
        assert!(
            letters.iter().any(|letter| letter.text.contains(part)),
            "{letters:#?}"
        );
    }

    /// Each of the e-mails sent since the last call has this part.
    #[track_caller]
    fn all_have(&mut self, part: &str) {
        self.letters()
            .iter()
            .for_each(|letter| has(&letter.text, part));
    }

    /// Sends a message and returns the answer.
    fn ask(&mut self, name: &str, subject: &str) -> String {
        self.send(name, subject, "");
        self.letter_to(name).text
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
