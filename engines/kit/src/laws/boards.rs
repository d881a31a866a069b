//! Properties of drawn boards, and transcripts with boards.

use std::time::Instant;

use protocol::Line;

use crate::dyn_history::parse_history;
use crate::session::{Session, Step};
use crate::{DynHistory, Engine, Notation, PositionHistory, View};

/// Checks a drawn board in every style: no blank ends, the same with colours, ASCII on request. A board of a readable style is read
/// back as long as the game goes on; a board that is read at all is read right; a damaged one does not panic.
pub(super) fn check<G: Notation>(history: &PositionHistory<G>, rng: &mut fastrand::Rng, at: &str) {
    for style in [""].iter().chain(G::STYLES) {
        for is_flipped in [false, true] {
            let view = View {
                is_flipped,
                ..View::styled(style)
            };
            check_view(history, view, &format!("{at}: {view:?}"));
        }
        let drawn = history.draw(View::styled(style));
        let is_readable = history.outcome().is_none() && G::READABLE_STYLES.contains(style);
        check_reading(history, &drawn, is_readable, at);
        let _ = parse_history(history.game(), &damaged(drawn, rng));
    }
}

fn check_view<G: Notation>(history: &PositionHistory<G>, view: View, at: &str) {
    let plain = history.draw(view);
    assert!(!plain.is_empty(), "{at}: drawn");
    assert!(
        plain.lines().all(|line| !line.ends_with(' ')),
        "{at}: no blank ends\n{plain}"
    );
    assert!(
        !plain.ends_with('\n') && !plain.contains('\u{1b}'),
        "{at}:\n{plain}"
    );
    let coloured = history.draw(View {
        is_coloured: true,
        ..view
    });
    assert_eq!(
        without_colours(&coloured),
        plain,
        "{at}: colours change nothing"
    );
    let ascii = history.draw(View {
        is_ascii: true,
        ..view
    });
    assert!(ascii.is_ascii(), "{at}: in 7 bits\n{ascii}");
}

/// A text with some of its characters replaced, doubled or left out.
fn damaged(text: String, rng: &mut fastrand::Rng) -> String {
    let signs: Vec<char> = "xoRy.|/,:[(>#9é\n ".chars().collect();
    let damage = |sign: char| match rng.u8(..24) {
        0 => vec![signs[rng.usize(..signs.len())]],
        1 => vec![sign, sign],
        2 => Vec::new(),
        _ => vec![sign],
    };
    text.chars().flat_map(damage).collect()
}

fn check_reading<G: Notation>(
    history: &PositionHistory<G>,
    drawn: &str,
    is_readable: bool,
    at: &str,
) {
    let fen = history.fen();
    match parse_history(history.game(), drawn) {
        Ok(read) => assert_eq!(read.fen(), fen, "{at}: read from\n{drawn}"),
        Err(why) => assert!(!is_readable, "{at}: {why}\n{drawn}"),
    }
    let pasted = format!("{drawn}\nfen: {fen}");
    let read = parse_history(history.game(), &pasted).map(|read| read.fen());
    assert_eq!(read, Ok(fen), "{at}: read from\n{pasted}");
}

/// A text without its colours.
///
/// # Panics
/// Where it holds any other sequence of control characters.
pub fn without_colours(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        let (codes, rest) = part.split_once('m').expect("a colour ends with m");
        let codes = codes.strip_prefix('[').expect("a colour begins with [");
        assert!(
            codes
                .chars()
                .all(|code| code.is_ascii_digit() || code == ';'),
            "{codes}"
        );
        plain + rest
    })
}

/// Compares the transcripts of a page, its blocks that begin with a command (`> ...`), with an engine's answers: the lines
/// below each command. Returns the number of commands.
pub fn check_transcripts<G: Engine>(page: &str) -> usize {
    let blocks = page.split("```text\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    blocks
        .filter(|block| block.starts_with("> "))
        .map(check_transcript::<G>)
        .sum()
}

fn check_transcript<G: Engine>(block: &str) -> usize {
    let mut session = Session::<G>::new();
    let mut actual = String::new();
    let commands = block.lines().filter(|line| line.starts_with("> "));
    let n_commands = commands
        .map(|command| {
            actual += &format!("{command}\n");
            for reply in answers(&mut session, &command[2..]) {
                actual += &format!("{reply}\n");
            }
        })
        .count();
    assert_eq!(actual, block, "a transcript of {}:\n{actual}", G::NAME);
    n_commands
}

fn answers<G: Engine>(session: &mut Session<G>, line: &str) -> Vec<String> {
    match session.receive(&Line::Text(line.to_owned()), Instant::now()) {
        Step::Replies(replies) => replies.iter().map(ToString::to_string).collect(),
        Step::Start(..) | Step::Quit => panic!("{line}: a transcript of boards searches nothing"),
    }
}
