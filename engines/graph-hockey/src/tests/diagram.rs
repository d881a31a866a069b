//! Tests of the field as text and as a diagram.

use crate::GraphHockey;
use kit::diagram::{Form, Role, Shape};
use kit::{DynHistory, View};
use laws::{check_transcripts, without_colours};

use crate::tests::Case;
use crate::tests::rules::DRAWN;

fn drawn(position: &str, style: &str) -> String {
    DynHistory::draw(&Case::new(position).0, View::styled(style))
}

/// The lines below the field.
fn legend(drawn: &str) -> &str {
    drawn
        .split_once("\n\n")
        .expect("a blank line below the field")
        .1
}

#[test]
fn one_inch_in_seven_bits() {
    let expected = include_str!("data/1x1-ascii.txt");
    let is_ascii = View {
        is_ascii: true,
        ..View::styled("letters")
    };
    let case = Case::new("1x1 GHKIBT");
    assert_eq!(DynHistory::draw(&case.0, is_ascii), expected.trim_end());
}

#[test]
fn one_inch_in_braille() {
    let expected = include_str!("data/1x1-braille.txt");
    assert_eq!(drawn("1x1 GHKIBT", "letters"), expected.trim_end());
}

#[test]
fn letters_ruled_out_leave_the_field_and_are_small_in_the_key() {
    let ruled_out = ["e", "T", "W"].map(str::to_owned);
    let view = View {
        ruled_out: &ruled_out,
        is_ascii: true,
        ..View::styled("letters")
    };
    let drawn = DynHistory::draw(&Case::new("1x1 GHKIBT").0, view);
    assert!(drawn.contains("|      |+-Y-----|       |"), "{drawn}");
    let expected = "
          .
        .e.tY             p1 to move, towards the bottom goal
        .   U             no line may be touched or crossed
  .     . * I     L       last move: T (number 6)
        .   K             key: small letters are ruled out, dots not legal
        ...HJ
          .";
    assert_eq!(legend(&drawn), expected.trim_start_matches('\n'));
}

/// Tests for each of the twenty letters that an `o` marks the origin of the last move.
#[test]
fn the_last_move_shows_where_it_came_from() {
    for letter in "WERTYQUAISKDFGHJVBZL".chars() {
        let position = ["2x3 BBJJJJ", "2x3 BBJJJJJ", "2x3 BLHLHA"]
            .into_iter()
            .map(|moves| format!("{moves}{letter}"))
            .find(|position| {
                kit::dyn_history::parse_history(&crate::tests::game(), position).is_ok()
            });
        let Some(position) = position else {
            panic!("{letter} is legal in none of the positions");
        };
        let drawn = drawn(&position, "ascii");
        let field = drawn.split("\n\n").next().unwrap_or_default();
        assert_eq!(field.matches('o').count(), 1, "{position}\n{drawn}");
    }
    let start = drawn("1x1 -", "ascii");
    assert!(
        !start.split("\n\n").next().unwrap_or_default().contains('o'),
        "{start}"
    );
}

#[test]
fn a_finished_game_tells_why_and_whose_turn_it_is_not() {
    let won = drawn("1x1 GHKIBTK", "ascii");
    let expected = "p1 wins: the puck is in the bottom goal\nlast move: K (number 7)";
    assert_eq!(legend(&won), expected);
    assert!(!won.contains('>') && !won.contains('<'), "{won}");
    let drawn = drawn(DRAWN, "ascii");
    assert!(legend(&drawn).starts_with("draw: third occurrence of this position\n"));
}

#[test]
fn colours_change_no_place_and_turning_changes_nothing() {
    let case = Case::new("1x1 GHKIBT");
    for style in ["", "letters", "ascii"] {
        let view = View::styled(style);
        let plain = DynHistory::draw(&case.0, view);
        let coloured = DynHistory::draw(
            &case.0,
            View {
                is_coloured: true,
                ..view
            },
        );
        assert!(
            coloured.contains("\u{1b}[1m\u{1b}[7m\u{1b}[36mo"),
            "{coloured:?}"
        );
        assert_eq!(without_colours(&coloured), plain);
        let flipped = DynHistory::draw(
            &case.0,
            View {
                is_flipped: true,
                ..view
            },
        );
        assert_eq!(flipped, plain);
    }
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    let page = include_str!("../../../../spec/graph-hockey.md");
    assert!(check_transcripts::<GraphHockey>(page) >= 4);
}

#[test]
fn only_the_ends_of_legal_moves_can_be_clicked() {
    let case = Case::new("4x8 GHJ");
    let diagram = case.0.diagram(View::default());
    let spots: String = diagram.spots.iter().map(|spot| spot.id.as_str()).collect();
    assert_eq!(spots, case.moves().concat());
    assert!(diagram.focus.is_some());
    let over = Case::new("1x1 GHKIBTK").0.diagram(View::default());
    assert!(over.spots.is_empty() && over.gestures.is_empty());
    assert_eq!(over.caption, "p1 wins: the puck is in the bottom goal");
}

/// The board of a position on a screen with this much space.
fn on_screen(position: &str, columns: usize, lines: usize) -> kit::TextPage {
    let room = kit::Room {
        columns,
        lines,
        shows: "",
    };
    DynHistory::page(
        &Case::new(position).0,
        View {
            is_ascii: true,
            room: Some(room),
            ..View::default()
        },
    )
}

#[test]
fn marks_hide_no_line() {
    let board = |ruled_out: &[String]| {
        let view = View {
            ruled_out,
            is_close: true,
            ..View::default()
        };
        let drawn = DynHistory::draw(&Case::new("1x1 GHKIBT").0, view);
        drawn.split("\n\n").next().unwrap_or_default().to_owned()
    };
    let all = Case::new("1x1 GHKIBT").moves();
    let (marked, bare) = (board(&[]), board(&all));
    let mut n_marks = 0;
    for (mark, line) in marked.chars().zip(bare.chars()) {
        let expected = if line == ' ' { '·' } else { '\u{28ff}' };
        assert!(mark == line || mark == expected, "{marked}\n{bare}");
        n_marks += usize::from(mark != line);
    }
    assert_eq!(n_marks, all.len(), "{marked}\n{bare}");
}

#[test]
fn a_large_field_is_shown_around_its_puck() {
    for (columns, lines) in [(80, 20), (60, 16), (40, 12), (200, 60)] {
        for position in ["4x8 -", "4x8 BBBBLLLL", "12x20 BBBBBBBBBLLLLLLLLLLL"] {
            let page = on_screen(position, columns, lines);
            let text = page.text(false);
            // One in the field, one in the key, and one on the map if there is space for it.
            let n_pucks = text.matches('*').count();
            assert!((1..=3).contains(&n_pucks), "{position}\n{text}");
            let field = text
                .lines()
                .map(|line| line.get(..columns - 26).unwrap_or(line));
            let is_shown = field.into_iter().any(|line| line.contains('*'));
            assert!(is_shown || columns < 50, "{position}\n{text}");
            assert!(
                page.is_whole || n_pucks == 3 || text.contains("shown: columns"),
                "{text}"
            );
        }
    }
}

/// The name of a goal is never overwritten, even with the puck next to it.
#[test]
fn the_names_of_the_goals_are_always_readable() {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..40 {
        let mut case = Case::new("1x1 -");
        while case.outcome().is_none() {
            for style in ["", "letters"] {
                let text = DynHistory::draw(&case.0, View::styled(style));
                let turn = if kit::DynHistory::side(&case.0) == kit::Side::P1 {
                    [">p1<", " p2 "]
                } else {
                    [">p2<", " p1 "]
                };
                assert!(turn.iter().all(|name| text.contains(name)), "{text}");
            }
            let moves = case.moves();
            case = case.play(&moves[rng.usize(..moves.len())]);
        }
    }
}

/// The role and the form of the marks of free jumps and strangeness, and the name next to the puck.
fn exceptions(position: &str) -> (Vec<&'static str>, Vec<String>) {
    let diagram = Case::new(position).0.diagram(View::default());
    let shapes = || diagram.shapes.iter();
    let marks = shapes().filter(|shape| shape.role == Role::Jump);
    let form = |shape: &Shape| match shape.form {
        Form::Circle { .. } => "free jump",
        _ => "strangeness",
    };
    let notes = shapes().filter_map(|shape| match &shape.form {
        Form::Text { text, .. } if shape.role == Role::Note => Some(text.clone()),
        _ => None,
    });
    (marks.map(form).collect(), notes.collect())
}

#[test]
fn free_jumps_and_strangeness_are_marked_where_they_happen() {
    let none = (Vec::new(), Vec::new());
    assert_eq!(exceptions("1x1 YQRRF"), none);
    let now = (vec!["free jump"], vec!["free jump".to_owned()]);
    assert_eq!(exceptions("1x1 YQRRFR"), now);
    let jump = Case::new("1x1 YQRRFR").moves().swap_remove(0);
    let later = exceptions(&format!("1x1 YQRRFR{jump}"));
    assert_eq!(later.0[0], "free jump", "the mark remains");
    let strange = exceptions(DRAWN);
    assert!(strange.0.contains(&"strangeness"), "{strange:?}");
    assert!(strange.1.is_empty(), "a finished game has no next level");
}

/// A puck that winds through the field in rows, without touching its line.
fn winding(n_plies: usize) -> String {
    let row = |step: char| std::iter::repeat_n(step, 34).chain(['G']);
    let rows = std::iter::once('G').chain((0..15).flat_map(|_| row('I').chain(row('A'))));
    let moves: String = rows.take(n_plies).collect();
    format!("4x8 {moves}")
}

#[test]
fn a_move_in_a_long_game_changes_few_shapes() {
    let shapes = |n_plies| {
        Case::new(&winding(n_plies))
            .0
            .diagram(View::default())
            .shapes
    };
    let (old, new) = (shapes(1000), shapes(1001));
    let is_trail = |shape: &&Shape| shape.role == Role::Trail;
    let old: Vec<Shape> = old.into_iter().filter(|shape| is_trail(&shape)).collect();
    let changed = new
        .iter()
        .filter(is_trail)
        .filter(|shape| !old.contains(shape));
    assert_eq!(changed.count(), 1);
    let longest = new.iter().filter(is_trail).map(|shape| match &shape.form {
        Form::Path { lines, .. } => lines.len(),
        _ => 0,
    });
    assert!(longest.max() <= Some(6));
}
