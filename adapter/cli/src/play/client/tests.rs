//! Dialogues in memory, without a table or a terminal.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};
use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use kit::Side;
use protocol::Line;
use ratatui_core::buffer::Cell;
use record::clock::Limit;
use record::game_spec::GameSpec;
use record::opening::Opening;
use table::{
    ClientGame, ClientId, ClientInfo, ClockInfo, Inbox, JoinWish, Mover, NodeId, Placed, Request,
    Role, RunningStudy, SeatInfo, SideSet, Sitter, Snapshot, StudyKind, TableCommand, TableEvent,
    TableHandle, TableSession, Tree, Turn, Wanted,
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

const LIVE: InputMode = InputMode::GUEST;
const SCRIPT: InputMode = InputMode::SCRIPT;

fn seat(by: Mover, sitter: Sitter) -> SeatInfo {
    SeatInfo {
        name: "Ann".to_owned(),
        by,
        sitter,
        client: None,
        partners: Vec::new(),
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
        view: table::TableView::default(),
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
        let line = Line::Text(line.to_owned());
        let sent = self.input.send(Input::Line(Instant::now(), line));
        sent.expect("the client listens");
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

#[test]
fn a_move_waits_for_its_turn_and_holds_back_the_lines_after_it() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.goes("b2 => b2 waits for your turn / undo => undo waits behind b2 / clock");
    talk.requested("Clock");
    talk.moves(1, "a1", Mover::Engine, Turn::Person(Side::P1));
    let play = talk.plays("b2");
    assert!(!talk.has_request(), "undo waits for the answer to the move");
    talk.moves(2, "b2", Mover::Person, Turn::Engine(Side::P2));
    talk.does(&play);
    talk.asked("Undo");
    talk.sees("2. o (Ann): a1");
    talk.ends();
}

#[test]
fn a_swap_is_told_of_the_colour_that_swaps() {
    let mut talk = Talk::about("projex:Size=5", LIVE, Role::Host);
    let (p1, p2) = (Turn::Person(Side::P1), Turn::Engine(Side::P2));
    talk.sees("1. x> ");
    talk.moves(0, "A5", Mover::Person, p2);
    talk.moves(1, "B5", Mover::Engine, p1);
    talk.sees("2. o (Ann): B5");
    talk.moves(2, "C5", Mover::Person, p2);
    talk.moves(3, "swap", Mover::Engine, p1);
    talk.goes("=> 4. o (Ann): swap | 5. o>");
    talk.ends();
}

fn control(letter: char) -> KeyEvent {
    KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)
}

#[test]
fn control_keys_do_not_wait_for_the_end_of_an_answer() {
    for keys in [vec![control('d')], vec![control('l'), control('d')]] {
        let mut talk = Talk::painted();
        talk.goes("keys => 13 of 13");
        talk.spells("g?");
        talk.goes("=> Space: continue");
        talk.presses(keys);
        talk.requested("Quit");
        talk.ends();
    }
    let mut talk = Talk::painted();
    talk.goes("keys => 13 of 13");
    talk.spells("g");
    talk.sees("12 of 13");
    talk.presses([control('h')]);
    talk.sees("13 of 13");
    talk.ends();
}

#[test]
fn escape_and_the_next_key_may_arrive_together() {
    let mut talk = Talk::at(Some(SIZE), "susan", LIVE, Role::Host);
    talk.goes("keys => Esc: leave");
    talk.spells("?");
    talk.sees("Space: continue");
    talk.presses([KeyEvent::new(KeyCode::Char('u'), KeyModifiers::ALT)]);
    talk.sees("1. x> u");
    talk.ends();
}

#[test]
fn arrows_move_the_cursor_with_any_modifier() {
    let mut talk = Talk::at(Some(SIZE), "susan", LIVE, Role::Host);
    talk.goes("keys => Esc: leave");
    let modifiers = [
        KeyModifiers::SHIFT,
        KeyModifiers::ALT,
        KeyModifiers::CONTROL,
    ];
    for (modifier, place) in modifiers.into_iter().zip(["e6", "e7", "e8"]) {
        talk.presses([KeyEvent::new(KeyCode::Right, modifier)]);
        talk.sees(&format!("1. x> {place}"));
    }
    talk.ends();
}

#[test]
fn form_and_line_play_for_their_sides() {
    let [form, line] = ['l', 'j'].map(control);
    let mut talk = Talk::painted();
    talk.types("keys");
    talk.presses([form]);
    talk.sees("no mark was inverted");
    talk.spells("gh");
    talk.presses([line]);
    talk.sees("LINE (Ctrl-J): p1 is to move: press FORM (Ctrl-L)");
    talk.presses([form]);
    talk.plays("H");
    talk.ends();
}

#[test]
fn commands_and_help_need_no_escape() {
    let mut talk = Talk::painted();
    talk.goes("keys => 13 of 13");
    talk.spells(":ux");
    talk.sees(":ux");
    talk.presses([KeyCode::Backspace, KeyCode::Char('n'), KeyCode::Enter]);
    talk.asked("Undo");
    talk.sees("13 of 13");
    talk.spells("?");
    talk.goes("=> FORM, LINE | Space: continue");
    talk.spells("g");
    talk.sees("13 of 13");
    talk.ends();
}

/// In a game without marks, letters type a line; `<`, `>` and `=` act at once.
#[test]
fn letters_type_moves_and_commands() {
    let mut talk = Talk::at(Some(SIZE), "susan", LIVE, Role::Host);
    talk.goes("keys => Esc: leave");
    talk.spells(":un");
    talk.presses([KeyCode::Tab]);
    talk.sees(":undo");
    talk.presses([KeyCode::Esc]);
    for (key, command) in [("<", "Back { n: 1 }"), (">", "Forward { n: 1 }")] {
        talk.spells(key);
        talk.asked(command);
    }
    talk.spells("=");
    let request = format!("{:?}", command(&talk.request()));
    let follows =
        request.starts_with("Analyse { node: None") && request.ends_with("seconds: None }");
    assert!(follows, "{request}");
    // The line entered before is recalled.
    talk.spells("e55");
    talk.presses([KeyCode::Backspace, KeyCode::Enter]);
    talk.plays("e5");
    talk.spells("x");
    talk.presses([KeyCode::Up]);
    talk.sees("> e5");
    talk.ends();
}

/// In a game of marks the letters of a command leave no mark behind, and none of them is complained of.
#[test]
fn the_letters_of_a_command_leave_the_marks() {
    let mut talk = Talk::painted();
    talk.goes("keys => 13 of 13");
    for (word, shown) in [
        ("rules", "> rules"),
        ("level 3", "> level 3"),
        ("flip", "> flip"),
    ] {
        talk.spells(word);
        talk.sees(shown);
        assert!(!talk.seen.contains("not legal") && !talk.seen.contains("is not a move"));
        talk.presses([KeyCode::Esc]);
        talk.sees("13 of 13");
    }
    // A mark that was set before stays.
    talk.spells("g");
    talk.sees("12 of 13");
    talk.spells("rules");
    talk.sees("> rules");
    talk.presses([KeyCode::Esc]);
    talk.sees("12 of 13");
    talk.ends();
}

#[test]
fn the_hosts_stop_ends_the_analysis_of_a_guest() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.sees("1. x> ");
    talk.tells(TableEvent::AnalysisStarted(RunningStudy {
        what: StudyKind::Analysis,
        client: ClientId(9),
        name: "Bob".to_owned(),
        node: None,
        total: 1,
    }));
    talk.goes("=> Bob started an analysis / stop");
    talk.requested("StopAnalysis");
    talk.ends();
}

#[test]
fn these_words_overtake_a_move_that_waits() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.types("b2");
    for (word, command) in [
        ("stop", "MoveNow"),
        ("clock", "Clock"),
        ("say hello", "Say { text: \"hello\" }"),
        ("hint", "Hint"),
        ("claim draw", "Claim { draw: true }"),
        ("yes", "Accept"),
        ("no", "Decline"),
        ("resign", "Resign"),
    ] {
        talk.types(word);
        talk.requested(command);
    }
    talk.types("?");
    talk.sees("A move is typed as its code: e5 places");
    talk.types("quit");
    talk.requested("Quit");
    talk.ends();
}

#[test]
fn nothing_overtakes_in_a_script() {
    let talk = Talk::begin(SCRIPT, Role::Host);
    talk.types("hint");
    let hint = talk.request();
    talk.types("clock");
    talk.types("e5");
    talk.does(&hint);
    let clock = talk.requested("Clock");
    assert!(!talk.has_request());
    talk.does(&clock);
    talk.plays("e5");
    talk.ends();
}

#[test]
fn a_text_that_is_no_move_is_told_at_once() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.goes("xyzzy => expected a cell such as b2 / mvoes => did you mean the command moves?");
    talk.ends();
}

#[test]
fn what_others_write_does_not_reach_the_screen_raw() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    let who = ClientInfo {
        client: ClientId(99),
        name: "Eve\x1b[2J".to_owned(),
        role: Role::Spectator,
    };
    let text = "hi\u{202e}\x07".to_owned();
    talk.tells(TableEvent::Said { who, text });
    talk.sees(r"Eve\u{1b}[2J (watching): hi\u{202e}\u{7}");
    talk.ends();
}

#[test]
fn a_row_of_the_screen_has_no_more_columns_than_the_screen() {
    let mut talk = Talk::at(Some(SIZE), "susan", LIVE, Role::Host);
    talk.goes("keys => Esc: leave");
    let who = ClientInfo {
        client: ClientId(99),
        name: "漢".repeat(10),
        role: Role::Spectator,
    };
    let text = format!("{}.END", "漢".repeat(100));
    talk.tells(TableEvent::Said { who, text });
    let painted = || talk.output.recv_timeout(TIME_LIMIT).expect("a row");
    let rows = std::iter::repeat_with(painted).take_while(|row| !row.ends_with(".END\n"));
    let rows: Vec<String> = rows.collect();
    assert!(rows.iter().any(|row| row.contains("watching")), "{rows:?}");
    for row in &rows {
        assert!(row.trim_end_matches('\n').width() <= 80, "{row:?}");
    }
    talk.ends();
}

#[test]
fn an_answer_that_was_lost_holds_nothing_up() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.types("undo");
    talk.request();
    talk.types("redo");
    talk.tells(TableEvent::Lagged {
        dropped: 7,
        games: Vec::new(),
    });
    talk.asked("Redo");
    talk.sees("7 events were lost");
    talk.ends();
}

#[test]
fn only_so_many_lines_wait() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    for _ in 0..1001 {
        talk.types("b2");
    }
    talk.sees("b2: ignored: 1000 lines are already waiting");
    talk.ends();
}

#[test]
fn a_paste_without_end_is_not_kept() {
    let mut talk = Talk::begin(SCRIPT, Role::Host);
    talk.types("setup");
    for _ in 0..3 {
        talk.types(&"x".repeat(30_000));
    }
    talk.types("");
    talk.sees("setup: more than 65536 bytes pasted; the game is unchanged");
    talk.types("setup");
    talk.types("startpos moves e5 b2");
    let request = talk.request();
    let TableCommand::New {
        opening: Some(opening),
        ..
    } = command(&request)
    else {
        panic!("{request:?}");
    };
    assert_eq!(opening.moves, ["e5", "b2"]);
    talk.ends();
}

#[test]
fn another_players_proposal_is_answered() {
    let mut talk = Talk::begin(LIVE, Role::Player(SideSet::from(Side::P1)));
    talk.tells(TableEvent::Proposed(table::Proposal {
        client: ClientId(99),
        name: "Bob".to_owned(),
        side: Some(Side::P2),
        what: table::Proposed::GoTo {
            node: NodeId(1),
            ply: 1,
            is_held: false,
        },
        text: "Ann (o) asks to play 1 move again".to_owned(),
        awaited: Side::P1.into(),
    }));
    talk.sees("Ann (o) asks to play 1 move again: yes agrees, no or a move declines");
    talk.types("yes");
    talk.requested("Accept");
    talk.ends();
}

#[test]
fn the_number_of_a_move_must_be_that_of_the_next() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.moves(1, "a1", Mover::Engine, Turn::Person(Side::P1));
    talk.goes(
        "1. b2 => move 1 was already played: expected move 3
        2. b2 => move 2 was already played: expected move 3
        4. b2 => move 4 is too early: expected move 3
        3. b2",
    );
    talk.plays("b2");
    talk.ends();
}

#[test]
fn a_pasted_letter_becomes_a_game_with_its_moves() {
    let mut talk = Talk::about("entropy", LIVE, Role::Host);
    let board = "S S S S S\nS . . . S\n. . . O .\nO . . . O\nO . O O O\n";
    let text = format!("Dear Olga,\n{board}1... a5-c3\nor perhaps c5-c4\n");
    let paste = Input::Paste(Instant::now(), text);
    talk.input.send(paste).expect("the client listens");
    talk.goes("=> The text contains a board / setup");
    let request = talk.request();
    talk.does(&request);
    talk.sees("not read: line 1: Dear Olga,, line 8: or perhaps c5-c4");
    talk.sees("read: sssss/s3s/3o1/o3o/o1ooo s 0 (S to move), then a5-c3");
    let TableCommand::New { opening, lines, .. } = command(&request) else {
        panic!("it starts a game");
    };
    let fen = opening.as_ref().and_then(|opening| opening.fen.clone());
    assert_eq!(fen.as_deref(), Some("sssss/s3s/3o1/o3o/o1ooo s 0"));
    assert_eq!(*lines, [["a5-c3"]]);
    talk.ends();
}

#[test]
fn the_moves_so_far_are_listed() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.goes("=> 1. x> / played => no moves yet");
    talk.moves(0, "e5", Mover::Person, Turn::Engine(Side::P2));
    talk.moves(1, "a1", Mover::Engine, Turn::Person(Side::P1));
    talk.types("played");
    talk.sees("1. e5 2. a1\n");
    talk.ends();
}

#[test]
fn the_moves_of_a_position_are_counted() {
    let mut talk = Talk::about("graph-hockey:Side=4,Gap=8", LIVE, Role::Host);
    talk.types("setup 4x8 GHJ");
    let request = talk.request();
    let TableCommand::New { opening, .. } = command(&request) else {
        panic!("it starts a game");
    };
    let snapshot = Snapshot {
        opening: opening.clone().expect("the position"),
        game: GameSpec::parse("graph-hockey:Side=4,Gap=8").expect("a game"),
        turn: Turn::Person(Side::P2),
        seats: [(); 2].map(|()| seat(Mover::Person, Sitter::Host)),
        ..snapshot(ClientId(1), Role::Host)
    };
    talk.tells(TableEvent::Snapshot(Box::new(snapshot)));
    talk.does(&request);
    talk.sees("4. Ann> ");
    talk.ends();
}
