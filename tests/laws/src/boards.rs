//! Properties of drawn boards, and transcripts with boards.

use std::collections::BTreeSet;
use std::time::Instant;

use draw::{Room, TextPage, View};
use kit::{DynHistory, GameEntry, Session};

/// Last ply at which boards are read in styles that cannot always be read back.
const MAX_PLIES: usize = 4;

/// One board in this many is drawn for screens.
const ROOMS_EVERY: u8 = 16;

/// How a game ends other than by its rules.
const ENDING: &str = "the other side resigns";

/// Columns and lines of screens: usual sizes and a tiny one.
const SCREENS: [(usize, usize); 3] = [(80, 20), (60, 16), (3, 2)];

/// Checks a drawn board in every style. It must have no trailing blanks, and be ASCII on request. It must fit any screen,
/// with the requested spot visible, and have a place for each spot of the diagram. A board in a readable style must be read
/// back as long as the game is not over, also if it is drawn larger. A board in another style must be read as the same
/// position, as one that is drawn equally, or not at all. A damaged board must not cause a panic. A game that ended other
/// than by its rules has its result in place of the side to move, and no move.
pub(super) fn check(
    history: &dyn DynHistory,
    readable: &[&str],
    rng: &mut fastrand::Rng,
    at: &str,
) {
    let ended = history.diagram(View {
        ending: Some(ENDING),
        ..View::default()
    });
    let caption = &ended.caption;
    assert_eq!(
        caption == ENDING,
        history.outcome().is_none(),
        "{at}: {caption}"
    );
    assert!(ended.gestures.is_empty(), "{at}: no moves");
    for style in [""].iter().chain(history.styles()) {
        let [drawn, _] = [false, true].map(|is_flipped| {
            let view = View {
                is_flipped,
                ..View::styled(style)
            };
            check_view(history, view, &format!("{at}: {view:?}"))
        });
        let is_readable = history.outcome().is_none() && readable.contains(style);
        if rng.u8(..ROOMS_EVERY) == 0 {
            check_rooms(history, style, at);
            let close = View {
                room: Some(Room::UNLIMITED),
                ..View::styled(style)
            };
            if is_readable {
                check_reading(history, &history.draw(close), style, is_readable, at);
            }
        }
        // Reading a board that shows less than the position takes longer the more moves were played.
        if !readable.contains(style) && history.ply() > MAX_PLIES {
            continue;
        }
        check_reading(history, &drawn, style, is_readable, at);
        let _ = history.begun_at(&damaged(drawn, rng));
    }
}

/// Checks a drawn board, and returns it. Where it says who is to move, a game that ended otherwise has its result.
fn check_view(history: &dyn DynHistory, view: View, at: &str) -> String {
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
    let ascii = history.draw(View {
        is_ascii: true,
        ..view
    });
    assert!(ascii.is_ascii(), "{at}: in 7 bits\n{ascii}");
    let ended = history.draw(View {
        ending: Some(ENDING),
        ..view
    });
    let is_told = plain.contains(" to move");
    assert_eq!(ended.contains(ENDING), is_told, "{at}:\n{ended}");
    assert!(!ended.contains(" to move"), "{at}:\n{ended}");
    plain
}

fn check_rooms(history: &dyn DynHistory, style: &str, at: &str) {
    let view = View {
        is_flipped: true,
        ..View::styled(style)
    };
    let at = format!("{at}: {view:?}");
    let diagram = history.diagram(View::default());
    let mut ids: Vec<&str> = diagram.spots.iter().map(|spot| spot.id.as_str()).collect();
    ids.sort_unstable();
    for room in [None, Some(Room::UNLIMITED)] {
        let page = history.page(View { room, ..view });
        assert_eq!(spots_of(&page), ids, "{at}: a place for each spot");
        assert!(page.is_whole, "{at}: without limits");
        // In the small form, spots may share a place.
        if room.is_some() {
            let steps = [(1, 0), (-1, 0), (0, 1), (0, -1)];
            let next = |id| {
                steps
                    .iter()
                    .filter_map(|&step| page.next_spot(id, step))
                    .collect()
            };
            check_connected(&ids.iter().copied().collect(), next, &at);
        }
    }
    for (columns, lines) in SCREENS {
        let shows = ids.last().copied().unwrap_or_default();
        let room = Room {
            columns,
            lines,
            shows,
        };
        let page = history.page(View {
            room: Some(room),
            ..view
        });
        let at = format!("{at}: {room:?}");
        let is_narrow = |line: &Vec<_>| line.len() <= columns;
        assert!(
            page.lines.len() <= lines && page.lines.iter().all(is_narrow),
            "{at}: fits\n{}",
            page.text(false)
        );
        let spots = spots_of(&page);
        if page.is_whole {
            assert_eq!(spots, ids, "{at}: whole");
        } else if columns >= 40 {
            let is_shown = shows.is_empty() || spots.contains(&shows);
            assert!(is_shown, "{at}: shown\n{}", page.text(false));
        }
    }
}

/// Checks that the arrow keys lead from the first spot to every other one.
pub(super) fn check_connected<'a>(
    ids: &BTreeSet<&'a str>,
    next: impl Fn(&'a str) -> Vec<&'a str>,
    at: &str,
) {
    let mut waiting: Vec<&str> = ids.first().copied().into_iter().collect();
    let mut reached: BTreeSet<&str> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        waiting.extend(next(id).into_iter().filter(|&next| reached.insert(next)));
    }
    assert_eq!(reached, *ids, "{at}: arrow keys lead everywhere");
}

/// The ids of the spots on a page, in order; checks that each is on the page.
fn spots_of(page: &TextPage) -> Vec<&str> {
    let mut ids = Vec::new();
    for spot in &page.spots {
        let line = usize::try_from(spot.line).ok();
        let is_on_page =
            line.is_some_and(|line| line < page.lines.len()) && spot.columns.start >= 0;
        assert!(is_on_page, "{spot:?} on\n{}", page.text(false));
        ids.push(spot.id.as_str());
    }
    ids.sort_unstable();
    ids
}

/// A text with some of its characters replaced, doubled or removed.
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

fn check_reading(history: &dyn DynHistory, drawn: &str, style: &str, is_readable: bool, at: &str) {
    let fen = history.fen();
    match history.begun_at(drawn) {
        // A drawing may show less than a position string contains.
        Ok(read) if !is_readable && read.draw(View::styled(style)) == drawn => {}
        Ok(read) => assert_eq!(read.fen(), fen, "{at}: read from\n{drawn}"),
        Err(why) => assert!(!is_readable, "{at}: {why}\n{drawn}"),
    }
    let pasted = format!("{drawn}\nfen: {fen}");
    let read = history.begun_at(&pasted).map(|read| read.fen());
    assert_eq!(read, Ok(fen), "{at}: read from\n{pasted}");
}

/// Compares the transcripts on a page, which are its blocks that begin with a command (`> ...`), with an engine's
/// answers, which are the lines below each command. Returns the number of commands.
pub fn check_transcripts(entry: GameEntry, page: &str) -> usize {
    let blocks = page.split("```text\n").skip(1);
    let blocks = blocks.filter_map(|block| block.split("```").next());
    blocks
        .filter(|block| block.starts_with("> "))
        .map(|block| check_transcript(entry, block))
        .sum()
}

fn check_transcript(entry: GameEntry, block: &str) -> usize {
    let mut session = Session::new(entry);
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
    assert_eq!(actual, block, "a transcript of {}:\n{actual}", entry.name);
    n_commands
}

fn answers(session: &mut Session, line: &str) -> Vec<String> {
    let replies = session.receive(line, Instant::now());
    assert!(
        session.take_job().is_none(),
        "{line}: a transcript of boards searches nothing"
    );
    replies.iter().map(ToString::to_string).collect()
}
