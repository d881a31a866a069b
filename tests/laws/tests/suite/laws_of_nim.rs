//! Tests that a small game passes the laws, and of its leaf counts.

use std::sync::LazyLock;

use draw::GameTexts;
use kit::GameEntry;
use nim::Nim;

#[test]
fn nim_keeps_the_laws() {
    laws::check::<Nim>();
}

#[test]
fn what_is_said_about_nim_is_true() {
    laws::check_about(&nim::GAME);
}

#[test]
fn a_name_may_be_in_any_script() {
    static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| by("Ним", "Göran Öqvist"));
    laws::check_about(&GameEntry::of::<Nim>(&TEXTS));
}

#[test]
#[should_panic(expected = "expected a printable name")]
fn a_name_is_printable() {
    static TEXTS: LazyLock<GameTexts> = LazyLock::new(|| by("Nim", "G\u{1b}ran"));
    laws::check_about(&GameEntry::of::<Nim>(&TEXTS));
}

/// The texts of Nim with another title and author.
fn by(title: &'static str, author: &'static str) -> GameTexts {
    let mut texts = nim::TEXTS.clone();
    (texts.about.title, texts.about.author) = (title, author);
    texts
}

#[test]
fn the_positions_of_nim_show_its_rules() {
    laws::check_positions(&nim::GAME);
}

/// Positions with the leaves of their trees by depth.
const PERFT: &str = "\
- | 0/0/0 p1 | 1 0
- | 3 p1 | 1 3 3 1 0
- | 1/1 p2 | 1 2 2 0
- | 1/2 p1 | 1 3 5 3 0";

#[test]
fn nim_has_the_right_leaves() {
    laws::check_leaves::<Nim>(PERFT);
}
