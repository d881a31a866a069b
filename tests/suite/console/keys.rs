//! Moves by single keys, as a terminal sends them, in all five games.

use super::pty::{Person, Terminal, dialogue_of};
use super::virtual_screen::VirtualScreen;
use crate::support::{Folder, begins, has, lacks};

const SIZE: (usize, usize) = (80, 24);

pub(super) const UP: &str = "\x1b[A";
const DOWN: &str = "\x1b[B";
const RIGHT: &str = "\x1b[C";
const LEFT: &str = "\x1b[D";
pub(super) const ENTER: &str = "\r";
pub(super) const ESCAPE: &str = "\x1b";

/// A terminal and the content of its screen.
pub(super) struct Player {
    pub(super) terminal: Terminal,
    pub(super) screen: VirtualScreen,
    /// Output since the last key.
    seen: String,
}

impl Player {
    fn new(folder: &Folder, words: &str) -> Player {
        Player::at(Terminal::sized(folder, words, SIZE))
    }

    fn at(terminal: Terminal) -> Player {
        Player {
            terminal,
            screen: VirtualScreen::new(SIZE),
            seen: String::new(),
        }
    }

    /// At a terminal of this size, which opens with the screen of keys.
    pub(super) fn painted(folder: &Folder, words: &str, size: (usize, usize)) -> Player {
        Player {
            screen: VirtualScreen::new(size),
            ..Player::at(Terminal::painted(folder, words, size))
        }
    }

    /// Waits for a text.
    pub(super) fn sees(&mut self, text: &str) -> &mut Player {
        self.seen = self.terminal.sees(text) + text;
        self.screen.feed(&self.seen);
        self
    }

    /// Types `keys` at a prompt.
    fn begins(&mut self, prompt: &str) -> &mut Player {
        self.sees(prompt);
        self.terminal.types("keys");
        self.sees("Esc: leave")
    }

    /// A dialogue of keys and texts; see [`dialogue_of`].
    pub(super) fn talk(&mut self, dialogue: &str) {
        dialogue_of(&mut [("", self)], dialogue);
    }

    /// Presses keys, one after the other.
    pub(super) fn presses(&mut self, keys: &[&str]) -> &mut Player {
        keys.iter().for_each(|key| self.terminal.presses(key));
        self
    }

    /// Leaves the mode and the program. Returns the recorded moves.
    fn leaves(mut self, folder: &Folder) -> Vec<String> {
        self.presses(&[ESCAPE]).sees("\x1b[?1049l");
        assert!(!self.screen.is_second());
        self.sees("> ");
        self.terminal.types("quit");
        self.terminal.leaves();
        codes(&folder.read("l"))
    }
}

impl Person for Player {
    fn enters(&mut self, keys: &str) {
        for key in keys.split(' ') {
            self.terminal.presses(match key {
                "UP" => UP,
                "DOWN" => DOWN,
                "RIGHT" => RIGHT,
                "LEFT" => LEFT,
                "ENTER" => ENTER,
                "ESCAPE" => ESCAPE,
                "TAB" => "\t",
                "BACKSPACE" => "\x7f",
                "SPACE" => " ",
                letter => letter,
            });
        }
    }

    fn awaits(&mut self, text: &str) {
        self.sees(text);
    }
}

/// The codes of the moves in a ledger.
fn codes(ledger: &str) -> Vec<String> {
    let codes = ledger.split("\"code\":\"").skip(1);
    codes
        .map(|rest| rest.split('"').next().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn a_letter_inverts_its_mark_in_graph_hockey() {
    let folder = Folder::new("keys-graph-hockey");
    let words = "play graph-hockey:Side=4 --p2 human --ledger l --ascii";
    let mut player = Player::new(&folder, words);
    player.begins("1. p1> ");
    let start = player.screen.text();
    player.presses(&["j"]).sees("12 of 13");
    lacks(&player.seen, "\x1b[2J");
    has(&player.screen.text(), "F G H j");
    player.talk("BACKSPACE => 13 of 13  letter: mark  Enter: play  ?: help  Esc: leave");
    assert_eq!(player.screen.text(), start);
    player.talk(
        "// Several moves remain; two marks were removed.
        g f ENTER => moves are marked: unmark all but one
        // No marks, then one again, then the form key.
        SPACE => 0 of 13 / B => 1 of 13 / ENTER => 2. p2> 12 of 12  letter",
    );
    has(&player.screen.text(), "last move: B (number 1)");
    // A mark inverted twice is the move to play.
    player.presses(&["k", "k", ENTER]).sees("3. p1> ");
    player.presses(&["x"]).sees("is not a move");
    assert_eq!(player.leaves(&folder), ["B", "K"]);
}

/// The screen that a terminal opens with: board, moves, side to move, analysis, typed moves and commands, steps.
#[test]
fn a_terminal_opens_with_the_screen_of_keys() {
    let folder = Folder::new("keys-opening");
    let words = "play susan --p2 human --ledger l";
    let mut player = Player::at(Terminal::painted(&folder, words, SIZE));
    player.sees("1. x> ").sees("Esc: leave");
    assert!(player.screen.is_second());
    player.talk("e 5 ENTER => 2. o> e5, x | Esc: leave / b 2 ENTER => 3. x> | Esc: leave");
    let shown = player.screen.text();
    for part in [">x", " 1. e5   2. b2", "a     . . . . . 6"] {
        has(&shown, part);
    }
    player.talk("< => 2. o (back)> | Esc: leave");
    let shown = player.screen.text();
    for part in [
        ">o",
        ">1. e5   2. b2",
        "2. b2 was taken back; move 2 is next",
    ] {
        has(&shown, part);
    }
    player.presses(&[">"]).sees("3. x> ").sees("Esc: leave");
    player.presses(&["="]).sees("for x, depth ");
    player.talk("= / : p l TAB ENTER => K1. e5 2. b2 / q u i t ENTER");
    player.terminal.leaves();
    assert_eq!(codes(&folder.read("l")), ["e5", "b2"]);
}

#[test]
fn arrows_and_enter_place_and_slide_in_susan() {
    let folder = Folder::new("keys-susan");
    let mut player = Player::new(&folder, "play susan --p2 human --ledger l");
    player.begins("1. x> ");
    assert_eq!(player.screen.inverse(), ".");
    player.talk(
        "RIGHT => 1. x> e6 / ENTER => 2. o> e6, x / LEFT LEFT ENTER => 3. x> e4, o
        // The stone on e6 is selected, deselected, selected again, and slides.
        RIGHT RIGHT ENTER => 3. x> from e6, x / ESCAPE => Esc: leave
        ENTER RIGHT => 3. x> e6 to e7 / ENTER => 4. o> e7, x",
    );
    assert_eq!(player.leaves(&folder), ["e6", "e4", "e6->e7"]);
}

#[test]
fn a_piece_is_taken_from_beside_the_board_in_gobblet() {
    let folder = Folder::new("keys-gobblet");
    let mut player = Player::new(&folder, "play gobblet --p2 human --ledger l");
    player.begins("1. red> ");
    player.talk(
        "DOWN DOWN => red 3 off the board / ENTER UP UP => red 3 off the board to c2
        ENTER => 2. yellow> c2 / ENTER => no move starts at c2",
    );
    assert_eq!(player.leaves(&folder), ["3@c2"]);
}

#[test]
fn a_button_is_pressed_by_its_letter_in_projex() {
    let folder = Folder::new("keys-projex");
    let mut player = Player::new(&folder, "play projex --p2 human --ledger l");
    player.begins("1. x> ");
    player.presses(&[ENTER]).sees("2. o> ");
    player.presses(&[RIGHT, ENTER]).sees("3. x> ");
    player.presses(&[RIGHT, ENTER]).sees("s: swap");
    player.presses(&["s"]).sees("swap  Enter: play  Esc: back");
    player.presses(&[ENTER]).sees("5. ");
    let codes = player.leaves(&folder);
    assert_eq!((codes.len(), codes[3].as_str()), (4, "swap"));
}

/// The letter of a button may be any, as in the codes of a rules program.
#[test]
fn a_button_may_begin_with_any_letter() {
    let folder = Folder::new("keys-accents");
    folder.copy_data("counts.py");
    let mut player = Player::new(
        &folder,
        "play counts --rules cmd=python3 arg=counts.py arg=accents --p2 human --ledger l",
    );
    player.begins("1. p1> ");
    player.presses(&[ENTER]).sees("type the letter of a move");
    player.presses(&["é"]).sees("1  Enter: play  Esc: back");
    player.presses(&[ENTER]).sees("2. p2> ");
    assert_eq!(player.leaves(&folder), ["é1"]);
}

#[test]
fn a_piece_slides_in_entropy() {
    let folder = Folder::new("keys-entropy");
    let mut player = Player::new(&folder, "play entropy --p2 human --ledger l");
    player.begins("1. O> ");
    player.talk("DOWN DOWN ENTER => from c1, O / UP => c1 to c2 / ENTER => 2. S> c2, O");
    assert_eq!(player.leaves(&folder), ["c1-c2"]);
}

/// Events are shown below the board, and again after the mode is left.
#[test]
fn what_happens_meanwhile_is_shown() {
    let folder = Folder::new("keys-engine");
    let mut player = Player::new(&folder, "play susan --level 20 --st 0.02 --ledger l");
    player.begins("1. x> ");
    player.talk("ENTER => 2. o (Linesman susan | 3. x> | Esc: leave");
    let shown = player.screen.text();
    begins(&shown, "       1 2 3 4 5 ");
    has(&shown, "2. o (Linesman susan");
    player.terminal.controls('c');
    player.sees("Leave? The game is saved.");
    player
        .presses(&[ESCAPE])
        .sees("\x1b[?1049l")
        .sees("2. o (Linesman susan")
        .sees("3. x> ");
    player.terminal.quits();
}

#[test]
fn the_terminal_is_restored_however_the_mode_ends() {
    let folder = Folder::new("keys-restored");
    let words = "play susan --p2 human --ledger a";
    let mut player = Player::at(Terminal::continued(&folder, words, SIZE));
    player.begins("1. x> ");
    // After a stop and SIGCONT the screen is redrawn, and keys work as before.
    player.terminal.controls('z');
    player
        .sees("\x1b[?1049l")
        .sees("\x1b[?1049h")
        .sees("\x1b[2J")
        .sees("Esc: leave");
    player.presses(&[RIGHT]).sees("1. x> e6");
    player.presses(&[ESCAPE]).sees("\x1b[?1049l").sees("1. x> ");
    player.terminal.quits();
    let mut player = Player::new(&folder, "play susan --p2 human --ledger c");
    player.begins("1. x> ");
    player.terminal.terminates();
    let rest = player.terminal.leaves();
    has(&rest, "\x1b[?1049l");
    let mut player = Player::new(&folder, "play susan --p2 human --ledger b");
    player.begins("1. x> ");
    player.terminal.controls('d');
    let rest = player.terminal.leaves();
    has(&rest, "\x1b[?1049l");
}

#[test]
fn another_size_is_painted_at_once() {
    let folder = Folder::new("keys-resized");
    let mut terminal = Terminal::sized(&folder, "play graph-hockey:Side=4 --p2 human", SIZE);
    terminal.talk("=> 1. / keys => Esc: leave");
    Terminal::resize(&folder, (100, 40));
    // The status is in the last line.
    terminal.talk("=> \x1b[2J | \x1b[40;1H");
    terminal.presses(ESCAPE);
    terminal.sees("\x1b[?1049l");
    terminal.quits();
}

#[test]
fn the_clock_runs_in_keys_mode() {
    let folder = Folder::new("keys-clock");
    let mut player = Player::new(&folder, "play susan --p2 human --tc 1000");
    player.begins("1. x").sees("16:3").sees("16:2");
    player.presses(&[ESCAPE]).sees("\x1b[?1049l");
    player.terminal.quits();
}
