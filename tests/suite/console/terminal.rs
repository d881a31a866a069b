//! Whole games typed at a terminal, and features that only a terminal has.

use super::pty::Terminal;
use super::virtual_screen::VirtualScreen;
use crate::support::{Folder, begins, has, lacks};

const SIZE: (usize, usize) = (80, 24);

const PROMPT_OR_END: &str = r"\d+\. \w+> |Game over: [^\r\n]*";

/// A terminal of 80 x 24, and the content of its screen.
struct Watched {
    terminal: Terminal,
    screen: VirtualScreen,
    /// Parts of the board that are visible at each prompt.
    board: &'static [&'static str],
}

impl Watched {
    fn new(folder: &Folder, words: &str, board: &'static [&'static str]) -> Watched {
        Watched {
            terminal: Terminal::sized(folder, &format!("{words} --ascii"), SIZE),
            screen: VirtualScreen::new(SIZE),
            board,
        }
    }

    /// Waits for a pattern. Returns the output before it, and the match. A line wider than the screen is a failure.
    fn finds(&mut self, pattern: &str) -> (String, String) {
        let (before, found) = self.terminal.finds(pattern);
        self.screen.feed(&before);
        self.screen.feed(&found);
        (before, found)
    }

    /// Waits for the prompt below a whole board, or the end of the game. Returns the output before it, and the match.
    fn finds_turn(&mut self) -> (String, String) {
        let (before, found) = self.finds(PROMPT_OR_END);
        if !found.starts_with("Game over") {
            let shown = self.screen.text();
            let is_whole = self.board.iter().all(|part| shown.contains(part));
            let prompt = shown.lines().last().unwrap_or_default();
            assert!(is_whole && found.starts_with(prompt), "{found}:\n{shown}");
        }
        (before, found)
    }
}

/// A whole game with legal moves from the whole list against a fast engine, which wins; its records are the same as
/// those of a match. The board is in view at each prompt.
fn whole_game(game: &str, board: &'static [&'static str]) {
    let folder = Folder::new(&format!(
        "console-{}",
        game.split(':').next().expect("a name")
    ));
    let words = format!("play {game} --level 20 --st 0.02 --ledger l --pgn p");
    let mut player = Watched::new(&folder, &words, board);
    let mut n_typed = 0;
    let mut turn = player.finds_turn();
    while !turn.1.starts_with("Game over") {
        player.terminal.types("moves");
        player.finds(r"\d+ moves?:\s");
        let (list, _) = player.finds(PROMPT_OR_END);
        let list = list
            .split('\x1b')
            .next()
            .expect("the part before the prompt");
        let codes: Vec<&str> = list.split_whitespace().collect();
        let code = codes[n_typed * 7 % codes.len()];
        player.terminal.types(code);
        turn = player.finds_turn();
        // A move that loses at once.
        if turn.0.contains("type it again") {
            player.terminal.types(code);
            turn = player.finds_turn();
        }
        n_typed += 1;
        assert!(n_typed < 400, "the engine does not win");
    }
    player.finds("game over> ");
    let shown = player.screen.text();
    let result = shown.split_once("Game over: ").map(|(_, result)| result);
    let is_named =
        result.is_some_and(|result| result.contains(" wins: ") && result.contains("0-1"));
    assert!(is_named, "{shown}");
    player.terminal.types("quit");
    player.terminal.leaves();
    let text = folder.read("l");
    let games: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .filter(|line: &serde_json::Value| line.get("result").is_some())
        .collect();
    let [record] = games.as_slice() else {
        panic!("one game in {text}");
    };
    let n_moves = record["moves"].as_array().expect("moves").len();
    assert_eq!(n_moves.div_ceil(2), n_typed);
    assert_eq!(
        (&record["p1"], &record["termination"]),
        (&"human".into(), &"normal".into())
    );
    assert_eq!(record["plies"].as_array().expect("plies").len(), n_moves);
    let pgn = folder.read("p");
    has(&pgn, "[White \"human\"]");
    has(&pgn, format!("[PlyCount \"{n_moves}\"]"));
    folder.linesman("show l").exits(0);
    for file in ["l", "p"] {
        folder.linesman(&format!("stats {file}")).exits(0);
    }
}

/// `whole!(NAME: GAME, BOARD)`: a test of a whole game.
macro_rules! whole {
    ($($name:ident: $game:literal, $board:expr;)+) => {
        $(#[test]
        fn $name() {
            whole_game($game, &$board);
        })+
    };
}

// The last move of Projex is between brackets, which take the place of blanks.
whole! {
    a_whole_game_of_graph_hockey: "graph-hockey:Side=4,Gap=8", ["*"];
    a_whole_game_of_gobblet: "gobblet", ["\n3 |", "\n1 |", "\nred ", "\nyellow "];
    a_whole_game_of_susan: "susan", ["\n       1 2 3", "\na", "\ne", "\ni"];
    a_whole_game_of_projex: "projex", ["\n      1", "\n7", "\n    12", "\n        A "];
}

/// Two people, who write their moves in all notations; the game ends with the third occurrence of a position.
#[test]
fn a_whole_game_of_entropy() {
    const MOVES: &str = "a2-d2 a4-c4 b1-a2 e5-c3 d1-c2 c5-a3 c1-b2 d5-d3 a2-b3 e4-e3 b3-b4 b5-c5 a1-a2 c5-b5 a2-b3 \
                         a5-a4 e1-a1 b5-c5 a1-a2 a4-b5 a2-a1 d3-d4 c2-e4 e3-d3 a1-b1 d4-e5 b1-c1 c5-d4 c1-c2 d4-c5 \
                         e2-e3 c5-d4 e4-d5 e5-e4 b2-b1 d3-e2 b1-c1 d4-d3 c1-b1 e2-d1 b1-c1 e4-d4 c1-b2 b5-c5 e3-e4 \
                         c5-b5 e4-e3 b5-c5 e3-e4 c5-b5 e4-e3";
    let folder = Folder::new("console-entropy");
    let words = "play entropy --p2 human --ledger l";
    let mut player = Watched::new(&folder, words, &["\n5    ", "\n1    ", "\n      a  "]);
    for (index, code) in MOVES.split_whitespace().enumerate() {
        let prompt = format!("{}. {}> ", index + 1, ["O", "S"][index % 2]);
        assert_eq!(player.finds_turn().1, prompt);
        player.terminal.types(&match index % 4 {
            0 => code.to_owned(),
            1 => code.replace('-', "").to_uppercase(),
            2 => code.replace('-', " -> "),
            _ => code.replace('-', " "),
        });
    }
    let ending = player.finds_turn().1;
    let expected = "Game over: draw: third occurrence of this position, 1/2-1/2";
    begins(&ending, expected);
    player.finds("game over> ");
    player.terminal.types("quit");
    player.terminal.leaves();
    let codes: Vec<String> = MOVES
        .split_whitespace()
        .map(|code| format!("{code:?}"))
        .collect();
    assert!(folder.read("l").contains(&format!(
        "\"moves\":[{}],\"result\":\"1/2-1/2\"",
        codes.join(",")
    )));
}

#[test]
fn graph_hockey_asks_for_its_size() {
    let mut terminal = Terminal::after(
        "play graph-hockey --p2 human --ascii",
        "=> either side of the goals, in inches [4]:
        nine => expected a whole number from 1 to 12 | [4]:
        2 => between the goals, in inches [8]:",
    );
    terminal.types("");
    terminal.talk(
        "=> graph-hockey:Side=2,Gap=8: human (p1) vs human (p2) | 1. p1>
        draw => p1 offers a draw | 1. p1> / g h j => 4. p2>",
    );
    terminal.hangs_up();
}

#[test]
fn whoever_is_asked_for_a_size_may_leave() {
    for leave in [Terminal::quits, Terminal::hangs_up] {
        let mut terminal = Terminal::alone("play graph-hockey");
        terminal.sees("goals, in inches [4]: ");
        leave(terminal);
    }
}

#[test]
fn lines_are_edited_recalled_and_completed() {
    let mut terminal = Terminal::alone("play susan --p2 human");
    terminal.sees("1. x> ");
    // A typing error corrected by backspace; then Tab completes a word.
    terminal.presses("e6\x7f5\n");
    terminal.sees("2. o> ");
    terminal.presses("reso\x7f\t");
    terminal.sees("resign");
    terminal.presses("\n");
    terminal.talk("=> Type resign again | 2. o>");
    // After a word Tab completes its arguments.
    for (typed, shown) in [
        ("new gob\t", "new gobblet"),
        ("board \t", "plain all fit"),
        ("auto b\t", "auto both"),
        ("? un\t", "? undo"),
        ("say a\t", "say a"),
    ] {
        terminal.presses(typed);
        terminal.sees(shown);
        terminal.presses("\x15");
    }
    terminal.presses("resign");
    // Ctrl-R searches the lines entered before, and Ctrl-G drops what was found.
    terminal.presses("\x12res");
    terminal.sees("(search) res: resign");
    terminal.presses("\x07");
    // The up arrow recalls the command.
    terminal.presses("\x1b[A\n");
    terminal.talk("=> Game over: x wins, 1-0 {o resigns} | game over>");
    terminal.quits();
}

/// The same line is at the prompt and on the painted screen: the keys of readline, history, completion, and pastes.
#[test]
fn a_line_has_the_usual_keys_on_both_screens() {
    let folder = Folder::new("console-line");
    for (number, flags) in ["--lines", ""].into_iter().enumerate() {
        let words = format!("play susan --p2 human --ledger l{number} {flags}");
        let mut terminal = Terminal::painted(&folder, &words, SIZE);
        terminal.sees("1. x> ");
        // Ctrl-A, Ctrl-D, Ctrl-E: `xe55` becomes `e5`.
        terminal.presses("xe55\x01\x04\x05\x7f\r");
        terminal.sees("2. o> ");
        // Alt-B, Ctrl-K and Ctrl-W: `pl say this here` becomes `pl`, which Tab completes.
        terminal.presses("pl say this here\x1bb\x1bb\x0b\x17\x08\t\r");
        terminal.sees("1. e5");
        // A paste of one line is edited, one of several is read.
        terminal.presses("x\x15\x1b[200~b3\x1b[201~\x7f2\r");
        terminal.sees("3. x> ");
        terminal.presses("\x1b[200~c3\rd4\r\x1b[201~");
        terminal.sees("5. x> ");
        // Ctrl-P twice recalls the line before the last one.
        terminal.presses("\x10\x10\r");
        terminal.sees("3. c3");
        terminal.presses("quit\r");
        terminal.leaves();
        let text = folder.read(&format!("l{number}"));
        for code in ["e5", "b2", "c3", "d4"] {
            has(&text, format!("\"code\":\"{code}\""));
        }
    }
}

/// Text typed ahead is kept at both prompts, also while the engine moves and the board is drawn.
#[test]
fn all_lines_typed_at_once_are_answered() {
    let folder = Folder::new("console-typed-ahead");
    const ANSWERS: [&str; 4] = [
        "engines play at level 3",
        "eval: ",
        "1 move: a1",
        "no legal move at zz",
    ];
    for (number, flags) in ["--lines", ""].into_iter().enumerate() {
        let words = format!("play susan --level 20 --st 0.02 --ledger l{number} {flags}");
        let mut terminal = Terminal::painted(&folder, &words, SIZE);
        terminal.presses("level 3\reval\rmoves a1\ra1\rmoves zz\r");
        let mut missing = ANSWERS.to_vec();
        while !missing.is_empty() {
            let (_, found) = terminal.finds(&missing.join("|"));
            missing.retain(|answer| *answer != found);
        }
        terminal.presses("quit\r");
        terminal.leaves();
    }
}

/// A row pasted by a terminal without bracketed paste may contain a tab.
#[test]
fn a_tab_in_a_row_is_a_blank() {
    let mut terminal = Terminal::after("play gobblet --p2 human", "=> 1. red> / setup => setup>");
    terminal.presses(".,.,./.,r1,./.,.,.\ty\r");
    terminal.talk("=> yellow to move | 1. yellow>");
    terminal.quits();
}

#[test]
fn a_move_that_loses_at_once_is_asked_for_again() {
    let mut terminal = Terminal::after(
        "play gobblet --level 20 --st 86400",
        "=> 1. red> / setup .,.,./.,r1,./y1,y1,. r => 1. red>
        1@a3 => 1@a3 lets yellow win at once: type it again | 1. red>
        2 a3",
    );
    let seen = terminal.sees("2@a3 lets yellow win at once: type it again");
    lacks(&seen, "@c1");
    terminal.talk("=> 1. red> / 2@a3 => 2. waiting for yellow>");
    terminal.quits();
}

/// The other person sees the screen too.
#[test]
fn two_people_at_one_screen_are_not_warned() {
    Terminal::after(
        "play gobblet --p2 human",
        "=> 1. red> / setup .,.,./.,r1,./y1,y1,. r => 1. red> / 2 a3 => 2. yellow>
        // The letter is not a move of this game.
        q",
    )
    .leaves();
}

#[test]
fn an_interrupt_asks_before_leaving() {
    let terminal = Terminal::after(
        "play susan --p2 human --ledger l",
        "=> 1. x> / ^c => Leave? The game is saved. | 1. x> / e5 => 2. o>
        ^c => Leave? | 2. o> / ^c",
    );
    let rest = terminal.leaves();
    has(&rest, "to resume: linesman play susan --continue l");
}

#[test]
fn an_interrupt_has_a_thinking_engine_move() {
    Terminal::after(
        "play susan --level 20 --st 86400",
        "=> 1. x>
        e5 => o is thinking; Ctrl-C makes it move now | 2. waiting for o>
        ^c => 2. o (Linesman susan",
    )
    .quits();
}

#[test]
fn what_is_typed_while_an_engine_thinks_is_heard() {
    let folder = Folder::new("console-ahead");
    let mut terminal = Terminal::new(&folder, "play susan --level 20 --st 86400 --ledger l");
    terminal.talk(
        "=> 1. x> / e5 => 2. waiting for o>
        // A waiting move delays later input; some commands are carried out at once.
        a1 => a1 waits for your turn / moves zz => moves zz waits behind a1
        clock => x has no clock, o has no clock / ? => list the commands / say hello",
    );
    // Half a typed line is kept when the engine moves.
    terminal.presses("quit");
    terminal.sees("quit");
    terminal.presses("\x15stop\n");
    terminal.talk(
        "=> 2. o (Linesman susan | no legal move at zz
        b2 => b2 waits for your turn / new => new waits behind b2
        resign => Type resign again to give up. / resign => (o) wins, 0-1 {x resigns} | 2 waiting lines dropped",
    );
    terminal.quits();
    let codes: Vec<String> = folder
        .read("l")
        .lines()
        .filter_map(|line| line.split_once("\"code\":\""))
        .map(|(_, rest)| rest[..rest.find('"').expect("a quote")].to_owned())
        .collect();
    assert_eq!(codes.len(), 3, "{codes:?}");
    assert_eq!((codes[0].as_str(), codes[2].as_str()), ("e5", "a1"));
}

#[test]
fn bad_input_at_a_terminal_loses_nothing() {
    let mut terminal = Terminal::alone("play susan --p2 human");
    terminal.sees("1. x> ");
    terminal.types("");
    terminal.talk("=> Type a move or a command; ? lists the commands. | 1. x>");
    terminal.presses(&format!("{}\n", "x".repeat(1 << 17)));
    terminal.talk("=> expected a cell such as b2 | 1. x>");
    terminal.presses("\x01\x02\x1b[Z\x7f\x00e5\n");
    terminal.talk("=> 2. o> / setup => type setup again / setup => setup>");
    terminal.types("");
    terminal.talk(
        "=> nothing pasted yet; Ctrl-C leaves setup | setup>
        ^c => setup cancelled; the game is unchanged | 2. o>",
    );
    terminal.hangs_up();
}

#[test]
fn a_clock_is_shown_and_runs_out() {
    let folder = Folder::new("console-clock");
    let mut terminal = Terminal::new(&folder, "play susan --p2 human --tc 3+600 --ledger l");
    terminal.finds(r"1\. x 0:0\d\.\d> ");
    terminal.talk("=> Game over: o wins, 0-1 {x loses on time: / new => a new game / e5");
    terminal.finds(r"2\. o 0:0\d\.\d> ");
    terminal.hangs_up();
    has(&folder.read("l"), "\"termination\":\"time forfeit\"");
}

#[test]
fn colours_and_editing_can_be_done_without() {
    let folder = Folder::new("console-colours");
    let first_screen = |words: &str, no_color: &str| {
        let mut terminal = Terminal::raw(&folder, words, no_color);
        let seen = terminal.sees("1. O> ");
        terminal.controls('d');
        terminal.leaves();
        seen
    };
    let is_coloured = |seen: &str| {
        let is_digit = |c: char| c.is_ascii_digit() || c == ';';
        let mut escapes = seen.split("\x1b[").skip(1);
        escapes.any(|escape| escape.trim_start_matches(is_digit).starts_with('m'))
    };
    let seen = first_screen("play entropy --p2 human --ledger colour", "");
    assert!(is_coloured(&seen), "{seen:?}");
    let seen = first_screen("play entropy --p2 human --ledger none", "1");
    assert!(!is_coloured(&seen) && seen.contains('\x1b'), "{seen:?}");
    let mut terminal = Terminal::dumb(&folder, "play entropy --p2 human --ledger dumb", (80, 24));
    let seen = terminal.sees("1. O> ");
    assert!(!seen.contains('\x1b'), "{seen:?}");
    terminal.hangs_up();
}

#[test]
fn an_engine_is_interrupted_and_its_seat_taken() {
    Terminal::after(
        "play susan --p1 none --st 86400",
        "=> x is thinking; Ctrl-C makes it move now
        ^c => 1. x (Linesman susan | 2. o (engine waits)>
        auto off => x is played by a person, o is played by a person | 2. o>
        moves => 60 moves: | 2. o>
        auto p2 => o is thinking; Ctrl-C makes it move now
        ^c => 3. x>",
    )
    .quits();
}
