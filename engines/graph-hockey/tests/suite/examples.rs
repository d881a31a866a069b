//! Worked examples of the rules, codes, positions and drawn fields.

use draw::{Form, Role, Room, Shape, View};
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Notation, Side};

use crate::{Case, game};
use graph_hockey::GraphHockey;

/// A game that ends with the third occurrence of a position, by moves back and forth.
const DRAWN: &str = "2x3 HVQHFRRIISFGTTUDFFEGKTRTUDFYTISFSFETEFYSISHUFWYJTQSFUQHRHAHFGTGFRYYTYUDSDWYSKWKATHRF\
                     UQJEJQQFKSIEJEKEISSFYKFFYTYUDSISFSITYTSEUFUUFYFSTQDEFIRFQHDUQHQJQUQRUAIAI";

#[test]
fn rules_notation_and_diagrams() {
    laws::check_cases::<GraphHockey>(concat!(
        include_str!("data/rules.txt"),
        include_str!("data/notation.txt"),
        include_str!("data/diagram.txt")
    ));
}

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<GraphHockey>(include_str!("data/perft.txt"));
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    let page = include_str!("../../../../spec/graph-hockey.md");
    assert!(laws::check_transcripts(graph_hockey::GAME, page) >= 4);
}

#[test]
fn letters_run_together_are_cut_apart_and_a_word_with_a_foreign_one_is_not() {
    assert_eq!(game().split_codes("ghJ"), ["g", "h", "J"]);
    for word in ["g", "ghx", "gé"] {
        assert_eq!(game().split_codes(word), [word]);
    }
}

#[test]
fn moves_back_and_forth_are_reversible_and_counted() {
    let last_but_one = Case::new(&DRAWN[..DRAWN.len() - 1]);
    let history = &last_but_one.0;
    assert!(history.game().reversible_plies(history.position()) > 0);
    assert_eq!(Case::new(&DRAWN[..DRAWN.len() - 2]).0.occurrences(), 2);
}

/// The field and the lines below it.
fn drawn(position: &str, style: &str) -> (String, String) {
    let drawn = DynHistory::draw(&Case::new(position).0, View::styled(style));
    let (field, legend) = drawn
        .split_once("\n\n")
        .expect("a blank line below the field");
    (field.to_owned(), legend.to_owned())
}

#[test]
fn turning_changes_nothing() {
    for style in ["", "ascii"] {
        let view = View {
            is_flipped: true,
            ..View::styled(style)
        };
        let flipped = DynHistory::draw(&Case::new("1x1 GHKIBT").0, view);
        let (field, legend) = drawn("1x1 GHKIBT", style);
        assert_eq!(flipped, format!("{field}\n\n{legend}"));
    }
}

/// Tests for each of the twenty letters that an `o` marks the origin of the last move.
#[test]
fn the_last_move_shows_where_it_came_from() {
    for letter in "WERTYQUAISKDFGHJVBZL".chars() {
        let before = ["2x3 BBJJJJ", "2x3 BBJJJJJ", "2x3 BLHLHA"].into_iter();
        let mut positions = before.map(|moves| format!("{moves}{letter}"));
        let is_legal = |position: &String| parse_history(&game(), position).is_ok();
        let position = positions
            .find(is_legal)
            .expect("a position where it is legal");
        let (field, _) = drawn(&position, "ascii");
        assert_eq!(field.matches('o').count(), 1, "{position}\n{field}");
    }
    assert!(!drawn("1x1 -", "ascii").0.contains('o'));
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
}

/// On a screen, each point of the field has its character.
#[test]
fn the_letter_of_a_legal_move_is_at_its_end() {
    let view = View {
        room: Some(Room::UNLIMITED),
        ..View::default()
    };
    let case = Case::new("1x1 GHKIBT");
    let drawn = DynHistory::draw(&case.0, view);
    let field = drawn.split("\n\n").next().expect("a field");
    let lines: Vec<Vec<char>> = field.lines().map(|line| line.chars().collect()).collect();
    let puck = |line: &Vec<char>| line.iter().position(|sign| *sign == '*');
    let (y, x) = (0..)
        .zip(&lines)
        .find_map(|(y, line)| Some((y, puck(line)?)))
        .expect("a puck");
    let at = |x: usize, y: usize| lines[y][x].to_string();
    let around = [
        ("E", x - 2, y - 2),
        ("T", x + 2, y - 2),
        ("U", x + 4, y - 1),
        ("L", x + 16, y),
    ];
    for (letter, x, y) in around {
        assert!(case.moves().contains(&letter.to_owned()), "{letter}");
        assert_eq!(at(x, y), letter, "{drawn}");
    }
    let letters = field.chars().filter(char::is_ascii_uppercase);
    assert_eq!(letters.count(), case.moves().len(), "{drawn}");
}

#[test]
fn a_large_field_is_shown_around_its_puck() {
    for (columns, lines) in [(80, 20), (60, 16), (40, 12), (200, 60)] {
        for position in ["4x8 -", "4x8 BBBBLLLL", "12x20 BBBBBBBBBLLLLLLLLLLL"] {
            let room = Room {
                columns,
                lines,
                shows: "",
            };
            let view = View {
                is_ascii: true,
                room: Some(room),
                ..View::default()
            };
            let page = DynHistory::page(&Case::new(position).0, view);
            let text = page.text(false);
            // One in the field, and one on the map if there is space for it.
            let n_pucks = text.matches('*').count();
            assert!((1..=2).contains(&n_pucks), "{position}\n{text}");
            let mut field = text
                .lines()
                .map(|line| line.get(..columns - 26).unwrap_or(line));
            let is_shown = field.any(|line| line.contains('*'));
            assert!(is_shown || columns < 50, "{position}\n{text}");
            assert!(
                page.is_whole || n_pucks == 2 || text.contains("columns "),
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
            let text = DynHistory::draw(&case.0, View::default());
            let turn = if DynHistory::side(&case.0) == Side::P1 {
                [">p1<", " p2 "]
            } else {
                [">p2<", " p1 "]
            };
            assert!(turn.iter().all(|name| text.contains(name)), "{text}");
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
