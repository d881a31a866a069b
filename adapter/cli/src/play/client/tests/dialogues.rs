//! Dialogues: typed lines, messages of the table, and the output that follows.

use super::*;

#[test]
fn a_move_waits_for_its_turn_and_holds_back_the_lines_after_it() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.goes("b2 => b2 waits for your turn / back => back waits behind b2 / clock");
    talk.requested("Clock");
    talk.moves(1, "a1", Mover::Engine, Turn::Person(Side::P1));
    let play = talk.plays("b2");
    assert!(!talk.has_request(), "back waits for the answer to the move");
    talk.moves(2, "b2", Mover::Person, Turn::Engine(Side::P2));
    talk.does(&play);
    talk.asked("Back { n: 1 }");
    talk.sees("2. o (Ann): a1");
    talk.ends();
}

/// They were typed for another position.
#[test]
fn waiting_lines_are_dropped_by_undo_and_when_the_game_goes_elsewhere() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.goes("b2 => b2 waits for your turn / undo => 1 waiting line dropped");
    talk.goes("b2 => waits / back => waits behind b2");
    talk.tells(TableEvent::WentTo { node: NodeId(0) });
    talk.turn(0, Turn::Person(Side::P1));
    talk.sees("2 waiting lines dropped");
    talk.ends();
}

#[test]
fn a_refused_move_drops_the_lines_behind_it() {
    let mut talk = Talk::begin(LIVE, Role::Host);
    talk.opens();
    talk.goes("e5 => e5 waits for your turn / b2 => b2 waits behind e5");
    talk.moves(1, "a1", Mover::Engine, Turn::Person(Side::P1));
    talk.sees("1 waiting line dropped");
    assert!(!talk.has_request(), "b2 is not played in its place");
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

/// A screen of keys. In a game without marks, letters type a line; `<`, `>` and `=` act at once.
#[test]
fn keys_act_at_once() {
    let analyse = "Analyse { node: None, lines: Some(3), seconds: None }";
    for (game, steps) in [
        // Control keys do not wait for the end of an answer.
        ("graph-hockey", "g? => Space: continue / ^d => ask Quit"),
        ("graph-hockey", "g? => Space: continue / ^l^d => ask Quit"),
        ("graph-hockey", "g => 12 of 13 / ^h => 13 of 13"),
        // FORM and LINE play for their sides.
        ("graph-hockey", "^l => no mark was inverted"),
        (
            "graph-hockey",
            "gh^j => LINE (Ctrl-J): p1 is to move: press FORM (Ctrl-L) / ^l => play H",
        ),
        // Commands and help need no Escape.
        ("graph-hockey", ":ux => :ux / ⌫n⏎ => ask Undo | 13 of 13"),
        (
            "graph-hockey",
            "? => FORM, LINE | Space: continue / g => 13 of 13",
        ),
        // Escape and the next key may arrive together.
        ("susan", "? => Space: continue / ~u => 1. x> u"),
        ("susan", ":un⇥ => :undo / ⎋< => ask Back { n: 1 }"),
        ("susan", "> => ask Forward { n: 1 }"),
        ("susan", &format!("= => ask {analyse}")),
        // The line entered before is recalled.
        ("susan", "e55⌫⏎ => play e5 / x↑ => > e5"),
    ] {
        let mut talk = Talk::at(Some(SIZE), game, LIVE, Role::Host);
        talk.goes("keys => Esc: leave");
        talk.keys(steps);
        talk.ends();
    }
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
        "1. b2 => move 1 was already played: move 3 is next
        2. b2 => move 2 was already played: move 3 is next
        4. b2 => move 4 is too early: move 3 is next
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
