//! Dialogues in memory, without a table or a terminal.

mod dialogues;

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use kit::Side;
use ratatui_core::buffer::Cell;
use record::clock::Limit;
use record::game_spec::GameSpec;
use record::opening::Opening;
use table::{
    ClientGame, ClientId, ClientInfo, ClockInfo, Inbox, JoinWish, Mover, NodeId, Placed, Refusal,
    Request, Role, RunningStudy, SeatInfo, SideSet, Sitter, Snapshot, StudyKind, TableCommand,
    TableEvent, TableHandle, TableSession, TableView, Tree, Turn, Wanted,
};
use unicode_width::UnicodeWidthStr;

use super::{Client, End, InputLine};
use crate::GAMES;
use crate::play::screen::{Frame, Input, InputMode, Prompt, Screen, Size};
use crate::play::style::BoardStyle;

/// Timeout of an answer; far above any real delay.
const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A screen whose output goes to the test.
struct Memory {
    input_mode: InputMode,
    /// Its size, if it can be painted.
    size: Option<Size>,
    input: Receiver<Input>,
    output: Sender<String>,
}

impl Screen for Memory {
    fn size(&self) -> Option<Size> {
        self.size
    }

    fn reads_keys(&self) -> bool {
        self.size.is_some()
    }

    fn paint(&mut self, frame: &Frame) -> io::Result<()> {
        let buffer = &frame.buffer;
        let mut rows = buffer.content.chunks(buffer.area.width.into());
        let sent = rows.try_for_each(|cells| self.output.send(text(cells)));
        // The test may have seen enough.
        drop(sent);
        Ok(())
    }

    fn input_mode(&self) -> InputMode {
        self.input_mode
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn echo(&mut self, _: &Input) -> io::Result<()> {
        Ok(())
    }

    fn show(&mut self, text: &str, prompt: &Prompt, _: &InputLine) -> io::Result<()> {
        let _ = self.output.send(text.to_owned());
        if let Prompt::Ask(prompt) = prompt {
            let _ = self.output.send(format!("{prompt}\n"));
        }
        Ok(())
    }

    fn close(&mut self, text: &str) {
        let _ = self.output.send(text.to_owned());
    }
}

/// A row of a painted screen; a wide character covers the cell behind it.
fn text(cells: &[Cell]) -> String {
    let mut text = String::new();
    let mut rest = cells;
    while let Some(cell) = rest.first() {
        text.push_str(cell.symbol());
        rest = &rest[cell.symbol().width().clamp(1, rest.len())..];
    }
    text.trim_end().to_owned() + "\n"
}

/// A client on a separate thread; the test acts as the table and the person.
struct Talk {
    input: Sender<Input>,
    output: Receiver<String>,
    seen: String,
    inbox: Inbox,
    events: Sender<TableEvent>,
    client: JoinHandle<End>,
}

const SIZE: Size = Size {
    columns: 80,
    lines: 24,
};

const LIVE: InputMode = InputMode::Guest;
const SCRIPT: InputMode = InputMode::Script;

fn seat(by: Mover, sitter: Sitter) -> SeatInfo {
    SeatInfo {
        name: "Ann".to_owned(),
        by,
        sitter,
        client: None,
        partners: Vec::new(),
    }
}

/// The client plays p1.
fn view(turn: Turn) -> TableView {
    TableView {
        plays: Side::P1.into(),
        cannot_move: (turn != Turn::Person(Side::P1)).then_some(Refusal::NotPlaying),
        ..TableView::default()
    }
}

/// SUSAN at its start: the host plays p1, an engine p2.
fn snapshot(client: ClientId, role: Role) -> Snapshot {
    let clock = ClockInfo {
        limit: Limit::Unlimited,
        left: None,
        is_running: false,
    };
    Snapshot {
        client,
        role,
        view: view(Turn::Person(Side::P1)),
        game: GameSpec {
            name: "susan".to_owned(),
            options: Vec::new(),
        },
        id: "1".to_owned(),
        number: 1,
        opening: Opening::default(),
        tree: Tree::default(),
        seats: [
            seat(Mover::Person, Sitter::Host),
            seat(Mover::Engine, Sitter::Host),
        ],
        clocks: [clock; 2],
        turn: Turn::Person(Side::P1),
        player: None,
        proposal: None,
        ending: None,
        level: None,
        is_adaptive: false,
        pace: 0.0,
        analysis: Default::default(),
        clients: Vec::new(),
        ledger: None,
    }
}

fn command(request: &Request) -> &TableCommand {
    match &request.what {
        Wanted::Command(command) => command,
        Wanted::Join(..) => panic!("it has joined"),
    }
}

impl Talk {
    fn begin(input_mode: InputMode, role: Role) -> Talk {
        Talk::about("susan", input_mode, role)
    }

    fn about(game: &str, input_mode: InputMode, role: Role) -> Talk {
        Talk::at(None, game, input_mode, role)
    }

    /// The start of Graph Hockey on a screen that is painted.
    fn painted() -> Talk {
        let mut talk = Talk::at(Some(SIZE), "graph-hockey", LIVE, Role::Host);
        talk.sees("1. Ann> ");
        talk
    }

    fn at(size: Option<Size>, game: &str, input_mode: InputMode, role: Role) -> Talk {
        let (handle, inbox) = TableHandle::pair().expect("a pipe");
        let table = handle.join(JoinWish::new("Ann", role)).expect("it is open");
        let Ok(Request {
            what: Wanted::Join(_, events),
            ..
        }) = inbox.requests.recv()
        else {
            panic!("a client joins first");
        };
        let (input, heard) = unbounded();
        let (shown, output) = unbounded();
        let snapshot = Snapshot {
            game: GameSpec::parse(game).expect("a game"),
            ..snapshot(table.id(), role)
        };
        let client = thread::spawn(move || {
            let rules = GAMES.rules(&snapshot.game).expect("a game");
            let rules = rules.expect("with rules");
            let game = ClientGame::new(rules, snapshot).expect("a position");
            let mut screen = Memory {
                input_mode,
                size,
                input: heard,
                output: shown,
            };
            let session = TableSession {
                client: table,
                game,
                token: None,
            };
            let client = Client::new(session, &mut screen, BoardStyle::default());
            let ended = client.run("hello");
            ended.map(|left| left.end).expect("nothing fails")
        });
        Talk {
            input,
            output,
            seen: String::new(),
            inbox,
            events,
            client,
        }
    }

    fn types(&self, line: &str) {
        let line = Input::Line(Instant::now(), line.to_owned());
        self.input.send(line).expect("the client listens");
    }

    fn presses(&self, keys: impl IntoIterator<Item = impl Into<KeyEvent>>) {
        for key in keys {
            let sent = self.input.send(Input::Key(key.into()));
            sent.expect("the client listens");
        }
    }

    /// Presses the keys of letters.
    fn spells(&self, letters: &str) {
        self.presses(letters.chars().map(KeyCode::Char));
    }

    /// Waits for a move of the person.
    fn plays(&self, code: &str) -> Request {
        let request = self.request();
        let told = format!("{:?}", command(&request));
        let expected = format!("Play {{ code: {code:?}, from: ");
        assert!(told.starts_with(&expected), "{told}");
        request
    }

    /// Waits for a text and discards the output up to its end.
    fn sees(&mut self, text: &str) {
        loop {
            if let Some(at) = self.seen.find(text) {
                self.seen.drain(..at + text.len());
                return;
            }
            match self.output.recv_timeout(TIME_LIMIT) {
                Ok(more) => self.seen.push_str(&more),
                Err(_) => panic!("{text:?} is not in {:?}", self.seen),
            }
        }
    }

    /// The next request.
    fn request(&self) -> Request {
        self.inbox
            .requests
            .recv_timeout(TIME_LIMIT)
            .expect("a request")
    }

    /// Waits for this request, which is not answered.
    fn requested(&self, expected: &str) -> Request {
        let request = self.request();
        assert_eq!(format!("{:?}", command(&request)), expected);
        request
    }

    /// Waits for this request, and answers it.
    fn asked(&self, command: &str) {
        self.does(&self.requested(command));
    }

    /// Types lines and waits for texts, one step a line or with ` / ` between them: `b2 => b2 waits | undo waits`.
    fn goes(&mut self, dialogue: &str) {
        for step in dialogue.lines().flat_map(|line| line.trim().split(" / ")) {
            let (line, texts) = step.split_once("=>").unwrap_or((step, ""));
            if !line.trim().is_empty() {
                self.types(line.trim());
            }
            for text in texts
                .split(" | ")
                .map(str::trim)
                .filter(|text| !text.is_empty())
            {
                // A prompt ends with a blank.
                let blank = if text.ends_with('>') { " " } else { "" };
                self.sees(&format!("{text}{blank}"));
            }
        }
    }

    /// Presses keys and waits for texts, commands that are answered, or a move: `:u⏎ => ask Undo / gh => 11 of 13`. `^` and
    /// `~` are Ctrl and Alt with the next letter.
    fn keys(&mut self, steps: &str) {
        for step in steps.split(" / ") {
            let (keys, effects) = step.split_once("=>").expect("an effect");
            let mut letters = keys.trim().chars();
            while let Some(letter) = letters.next() {
                let mut with = |modifiers| {
                    let letter = letters.next().expect("a letter");
                    KeyEvent::new(KeyCode::Char(letter), modifiers)
                };
                self.presses([match letter {
                    '^' => with(KeyModifiers::CONTROL),
                    '~' => with(KeyModifiers::ALT),
                    '⏎' => KeyCode::Enter.into(),
                    '⌫' => KeyCode::Backspace.into(),
                    '⎋' => KeyCode::Esc.into(),
                    '⇥' => KeyCode::Tab.into(),
                    '↑' => KeyCode::Up.into(),
                    letter => KeyCode::Char(letter).into(),
                }]);
            }
            for effect in effects.split(" | ").map(str::trim) {
                match effect.split_once(' ') {
                    Some(("play", code)) => drop(self.plays(code)),
                    Some(("ask", command)) => self.asked(command),
                    _ => self.sees(effect),
                }
            }
        }
    }

    fn has_request(&self) -> bool {
        !self.inbox.requests.is_empty()
    }

    fn tells(&self, event: TableEvent) {
        self.events.send(event).expect("the client listens");
    }

    fn does(&self, request: &Request) {
        let request = request.id;
        self.tells(TableEvent::Done { request });
    }

    fn turn(&self, node: usize, turn: Turn) {
        let clock = ClockInfo {
            limit: Limit::Unlimited,
            left: None,
            is_running: true,
        };
        self.tells(TableEvent::TableView(Box::new(view(turn))));
        self.tells(TableEvent::Turn {
            node: NodeId(node),
            turn,
            player: None,
            clocks: [clock; 2],
        });
    }

    /// Makes a move after node `from` and changes the turn.
    fn moves(&self, from: usize, code: &str, by: Mover, turn: Turn) {
        let side = [Side::P1, Side::P2][from % 2];
        self.tells(TableEvent::MovePlayed {
            game: 1,
            ply: from + 1,
            code: code.to_owned(),
            player: None,
            record: Default::default(),
            placed: Placed {
                node: NodeId(from + 1),
                from: NodeId(from),
                side,
                by,
            },
        });
        self.turn(from + 1, turn);
    }

    /// Plays e5 as the person; the engine starts to think.
    fn opens(&mut self) {
        self.sees("1. x> ");
        self.types("e5");
        let request = self.plays("e5");
        self.moves(0, "e5", Mover::Person, Turn::Engine(Side::P2));
        self.does(&request);
    }

    fn ends(self) -> End {
        self.tells(TableEvent::Closed {
            why: "the end".to_owned(),
            is_error: false,
        });
        self.client.join().expect("no panic")
    }
}
