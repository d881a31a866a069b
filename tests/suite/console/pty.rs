//! A pseudo-terminal: types input and waits for expected output.

use std::io::Write;
use std::process::Command;

use rexpect::ReadUntil;
use rexpect::process::{Signal, WaitStatus};
use rexpect::reader::{Options, Regex};
use rexpect::session::{PtySession, spawn_with_options};

use crate::support::{Folder, program, split};

/// Timeout for expected output in milliseconds; nothing takes nearly as long.
const TIME_LIMIT_MS: u64 = 120_000;

/// `linesman` in a pseudo-terminal.
pub(crate) struct Terminal {
    session: PtySession,
    /// Its own folder, if nothing else is done there.
    _folder: Option<Folder>,
}

impl Terminal {
    /// Starts `linesman` with these arguments, split at blanks outside quotation marks. Escape sequences are removed
    /// from the output. A table begins with a prompt for lines.
    pub(crate) fn new(folder: &Folder, words: &str) -> Terminal {
        Terminal::start(folder, words, "1", true)
    }

    /// As [`new`](Terminal::new), with escape sequences, and with this value of `NO_COLOR`.
    pub(crate) fn raw(folder: &Folder, words: &str, no_color: &str) -> Terminal {
        Terminal::start(folder, words, no_color, false)
    }

    /// As [`raw`](Terminal::raw) without colours, on a screen of this size.
    pub(crate) fn sized(folder: &Folder, words: &str, size: (usize, usize)) -> Terminal {
        Terminal::by_shell(folder, &by_lines(words), size, "exec \"$0\" \"$@\"")
    }

    /// As [`sized`](Terminal::sized), with the screen of keys.
    pub(crate) fn painted(folder: &Folder, words: &str, size: (usize, usize)) -> Terminal {
        Terminal::by_shell(folder, words, size, "exec \"$0\" \"$@\"")
    }

    /// As [`sized`](Terminal::sized), with `TERM=dumb`: no colours, no line editing.
    pub(crate) fn dumb(folder: &Folder, words: &str, size: (usize, usize)) -> Terminal {
        Terminal::by_shell(folder, words, size, "export TERM=dumb; exec \"$0\" \"$@\"")
    }

    /// Changes the screen size of the terminal of [`sized`](Terminal::sized).
    pub(crate) fn resize(folder: &Folder, (columns, lines): (usize, usize)) {
        let mut stty = Command::new("stty");
        stty.args(["-F", folder.read("tty").trim()]);
        stty.args(["rows", &lines.to_string(), "columns", &columns.to_string()]);
        assert!(stty.status().expect("stty").success());
    }

    /// As [`sized`](Terminal::sized), under a shell that continues the program after it is stopped for the first time.
    pub(super) fn continued(folder: &Folder, words: &str, size: (usize, usize)) -> Terminal {
        Terminal::by_shell(folder, &by_lines(words), size, "set -m; \"$0\" \"$@\"; fg")
    }

    fn by_shell(
        folder: &Folder,
        words: &str,
        (columns, lines): (usize, usize),
        line: &str,
    ) -> Terminal {
        let mut command = folder.command("bash");
        let script = format!("stty rows {lines} columns {columns}; tty > tty; {line}");
        command.args(["-c", &script]).arg(program("linesman"));
        command.args(split(words));
        Terminal::spawn(command, "1", false)
    }

    fn start(folder: &Folder, words: &str, no_color: &str, strips: bool) -> Terminal {
        let mut command = folder.command(program("linesman"));
        command.args(split(&by_lines(words)));
        Terminal::spawn(command, no_color, strips)
    }

    /// Starts a bash command line, in which `LINESMAN` is replaced by the path.
    pub(crate) fn shell(folder: &Folder, line: &str) -> Terminal {
        let line = line.replace("LINESMAN", &program("linesman").display().to_string());
        let mut command = folder.command("bash");
        command.args(["-c", &line]);
        Terminal::spawn(command, "1", true)
    }

    fn spawn(mut command: Command, no_color: &str, strips: bool) -> Terminal {
        command.env("TERM", "xterm").env("NO_COLOR", no_color);
        let options = Options::new()
            .timeout_ms(Some(TIME_LIMIT_MS))
            .strip_ansi_escape_codes(strips);
        let session = spawn_with_options(command, options).expect("linesman starts at a terminal");
        Terminal {
            session,
            _folder: None,
        }
    }

    /// As [`new`](Terminal::new), in a new folder.
    pub(crate) fn alone(words: &str) -> Terminal {
        let folder = Folder::new("terminal");
        let terminal = Terminal::new(&folder, words);
        Terminal {
            _folder: Some(folder),
            ..terminal
        }
    }

    /// As [`alone`](Terminal::alone), after a dialogue; see [`dialogue_of`].
    pub(crate) fn after(words: &str, dialogue: &str) -> Terminal {
        let mut terminal = Terminal::alone(words);
        terminal.talk(dialogue);
        terminal
    }

    /// Waits for a text. Returns the output before it.
    pub(crate) fn sees(&mut self, text: &str) -> String {
        let seen = self.session.exp_string(text);
        seen.unwrap_or_else(|error| panic!("{text:?} is not seen: {error}"))
    }

    /// Waits for a pattern. Returns the output before it, and the match.
    pub(crate) fn finds(&mut self, pattern: &str) -> (String, String) {
        let regex = Regex::new(pattern).expect("a pattern");
        let seen = self.session.exp_any(vec![ReadUntil::Regex(regex)]);
        seen.unwrap_or_else(|error| panic!("{pattern} is not seen: {error}"))
    }

    /// Types a line.
    pub(crate) fn types(&mut self, line: &str) {
        self.session.send_line(line).expect("the terminal takes it");
    }

    /// A dialogue of this person alone; see [`dialogue_of`].
    pub(crate) fn talk(&mut self, dialogue: &str) {
        dialogue_of(&mut [("", self)], dialogue);
    }

    /// Types characters without a line break.
    pub(crate) fn presses(&mut self, keys: &str) {
        self.session.send(keys).expect("the terminal takes it");
        self.session.flush().expect("the terminal takes it");
    }

    /// Presses Ctrl and a letter.
    pub(crate) fn controls(&mut self, letter: char) {
        self.session
            .send_control(letter)
            .expect("the terminal takes it");
    }

    /// Sends bytes that need not be text.
    pub(super) fn sends(&mut self, bytes: &[u8]) {
        let handle = self.session.process().get_file_handle();
        let mut handle = handle.expect("it has a terminal");
        handle.write_all(bytes).expect("the terminal takes it");
    }

    /// Sends SIGCONT, as `fg` does.
    pub(super) fn continues(&mut self) {
        let sent = self.session.process_mut().signal(Signal::SIGCONT);
        sent.expect("it is stopped");
    }

    /// Sends SIGTERM.
    pub(crate) fn terminates(&mut self) {
        let sent = self.session.process_mut().signal(Signal::SIGTERM);
        sent.expect("it runs");
    }

    /// Waits for the exit with status 0. Returns the remaining output.
    pub(crate) fn leaves(self) -> String {
        self.leaves_with(0)
    }

    /// Waits for the exit with this status. Returns the remaining output.
    pub(crate) fn leaves_with(mut self, status: i32) -> String {
        let rest = self.session.exp_eof().expect("linesman ends");
        match self.session.process().wait() {
            Ok(WaitStatus::Exited(_, found)) if found == status => rest,
            other => panic!("{other:?} after {rest}"),
        }
    }

    /// Types `quit` and waits for the exit.
    pub(crate) fn quits(mut self) -> String {
        self.types("quit");
        self.leaves()
    }

    /// Presses Ctrl-D and waits for the exit.
    pub(crate) fn hangs_up(mut self) -> String {
        self.controls('d');
        self.leaves()
    }

    /// Kills the program with SIGKILL.
    pub(crate) fn kills(mut self) {
        let killed = self.session.process_mut().kill(Signal::SIGKILL);
        killed.expect("it can be killed");
    }
}

/// A person who types lines and reads what is shown.
pub(crate) trait Person {
    fn enters(&mut self, line: &str);
    fn awaits(&mut self, text: &str);
}

impl Person for Terminal {
    fn enters(&mut self, line: &str) {
        match line.strip_prefix('^') {
            Some(letter) => self.controls(letter.parse().expect("a letter")),
            None => self.types(line),
        }
    }

    fn awaits(&mut self, text: &str) {
        self.sees(text);
    }
}

/// Plays a dialogue of steps, one a line or with ` / ` between them; `//` begins a comment. For example, host and guest
/// each wait for a prompt, the host types a move, and the guest presses Ctrl-C after two texts:
///
/// ```text
/// host => 1. x> / host: e5 / guest => 1. x: e5 | 2. o> / guest: ^c
/// ```
pub(crate) fn dialogue_of(people: &mut [(&str, &mut dyn Person)], dialogue: &str) {
    let lines = dialogue.lines().map(str::trim);
    let lines = lines.filter(|line| !line.starts_with("//"));
    for step in lines.flat_map(|line| line.split(" / ")) {
        let of = |name: &str| match step.strip_prefix(name)? {
            rest if name.is_empty() => Some(rest),
            rest => rest.strip_prefix(": ").or(rest.strip_prefix(' ')),
        };
        let mut found = people.iter_mut();
        let found = found.find_map(|(name, person)| Some((person, of(name)?)));
        let (person, rest) = found.expect(step);
        let (line, texts) = rest.split_once("=>").unwrap_or((rest, ""));
        if !line.trim().is_empty() {
            person.enters(line.trim());
        }
        let texts = texts.split(" | ").map(str::trim);
        for text in texts.filter(|text| !text.is_empty()) {
            // A prompt ends with a blank.
            let blank = if text.ends_with('>') { " " } else { "" };
            person.awaits(&format!("{text}{blank}"));
        }
    }
}

/// [`dialogue_of`] people in variables that have the names in the dialogue.
macro_rules! talk {
    ([$($person:ident),+], $dialogue:expr) => {
        crate::console::pty::dialogue_of(&mut [$((stringify!($person), &mut $person)),+], $dialogue)
    };
}
pub(super) use talk;

/// The arguments, with those for a prompt for lines.
fn by_lines(words: &str) -> String {
    let is_table = words == "play" || words.starts_with("play ") && !words.contains(" --lines");
    let flag = if is_table { " --lines" } else { "" };
    format!("{words}{flag}")
}
