//! Worked examples of the rules, the figures of the game's FAQ, codes, positions and drawn boards.

use draw::{Input, Role, View};
use kit::dyn_history::parse_history;
use kit::{DynHistory, Game, Side};

use crate::{Case, game, with_goal};
use entropy::{Entropy, Move, Square};

const START: &str = "sssss/s3s/5/o3o/ooooo o 0";
const FIGURE_2: &str = "s1o1s/o3o/ossos/s4/2oos o 0";
const FIGURE_4: &str = "sosos/1s3/o1o1o/2s2/soso1 o 0";
const FIGURE_5: &str = "sosos/4o/o1s1o/5/sosos o 0";

#[test]
fn rules_notation_and_diagrams() {
    laws::check_cases::<Entropy>(concat!(
        include_str!("data/rules.txt"),
        include_str!("data/notation.txt"),
        include_str!("data/diagram.txt")
    ));
}

#[test]
fn leaves_are_as_many_as_in_the_table() {
    laws::check_leaves::<Entropy>(include_str!("data/perft.txt"));
}

#[test]
fn the_page_shows_what_the_engine_draws() {
    assert!(
        laws::check_transcripts(entropy::GAME, include_str!("../../../../spec/entropy.md")) >= 4
    );
}

#[test]
fn figures_are_read_with_no_break_spaces_and_line_numbers() {
    let listing = "\
 48.\u{a0} \u{a0} S \u{a0} . \u{a0} O \u{a0} . \u{a0} S\r
 49.\u{a0}
 50.\u{a0} \u{a0} O \u{a0} . \u{a0} . \u{a0} . \u{a0} O
 52.\u{a0} \u{a0} O \u{a0} S \u{a0} S \u{a0} O \u{a0} S
 54.\u{a0} \u{a0} S \u{a0} . \u{a0} . \u{a0} . \u{a0} .
 56.\u{a0} \u{a0} . \u{a0} . \u{a0} O \u{a0} O \u{a0} S
 57.\u{a0} ______________
 58.\u{a0} a b c d e";
    assert_eq!(Case::new(listing).fen(), FIGURE_2);
}

#[test]
fn a_refusal_repeats_long_words_in_part() {
    let text = format!("sssss/s3s/5/o3o/ooooo {} 0", "o".repeat(100_000));
    let refusal = parse_history(&game("contact"), &text).expect_err("a bad position");
    assert!(refusal.0.len() < 200, "{refusal}");
}

#[test]
fn figure_5_o_cannot_win_either() {
    let around = ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"];
    for code in Case::new(FIGURE_5).moves() {
        let (_, to) = code.split_once('-').expect("O can slide");
        let after = Case::new(FIGURE_5).play(&code);
        if around.contains(&to) {
            after.won_by(Side::P2);
        } else {
            after.goes_on();
        }
    }
}

#[test]
fn a_move_is_listed_if_and_only_if_it_is_legal() {
    let squares = || (0..25).map(|n| Square::at(n % 5, n / 5));
    for goal in ["contact", "apart"] {
        for seed in 1..=20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut case = with_goal(goal, START);
            while let Some(&mv) = rng.choice(&case.0.moves()) {
                let (entropy, position) = (game(goal), *case.0.position());
                let mut legal: Vec<Move> = squares()
                    .flat_map(|from| squares().map(move |to| Move::Slide { from, to }))
                    .chain([Move::Pass])
                    .collect();
                legal.retain(|&mv| entropy.check(&position, mv).is_ok());
                assert_eq!(case.0.moves(), legal, "seed {seed}: {}", case.fen());
                case.0.play(mv);
                if case.0.ply() == 60 {
                    break;
                }
            }
        }
    }
}

#[test]
fn a_pass_is_a_button_and_is_explained() {
    let case = Case::new(FIGURE_4);
    let diagram = case.0.diagram(View::default());
    assert_eq!(diagram.gestures.len(), 1);
    assert_eq!(diagram.gestures[0].input, Input::Button("pass".to_owned()));
    let explained = case.0.explain().expect("an explanation");
    let start = "O can only pass: no slide brings a neighbour to every isolated piece (";
    assert!(explained.starts_with(start), "{explained}");
    assert_eq!(Case::new(START).0.explain(), None);
}

#[test]
fn finished_pieces_are_ticked_and_isolated_ones_are_not() {
    let ticked = |case: &Case| -> Vec<String> {
        let diagram = case.0.diagram(View::default());
        let ticks = diagram
            .shapes
            .iter()
            .filter(|shape| shape.role == Role::Finished);
        let labels = diagram.spots.into_iter().map(|spot| spot.label);
        let told: Vec<String> = labels
            .filter_map(|label| Some(label.strip_suffix(", finished")?.to_owned()))
            .collect();
        assert_eq!(ticks.count(), told.len());
        told
    };
    let case = Case::new(FIGURE_2);
    assert_eq!(ticked(&case), ["e1, S", "e3, S", "a5, S", "e5, S"]);
    // Without O on a4, S on a5 has no neighbour, and O on a3 only enemies.
    assert_eq!(
        ticked(&case.play("a4-c4")),
        ["e1, S", "a3, O", "e3, S", "e5, S"]
    );
}
