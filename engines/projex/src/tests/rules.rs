//! Tests of the rules by examples, by counted trees, and by properties of full boards.

use std::collections::HashMap;

use laws::testing::play as play_all;

use crate::Projex;
use crate::geometry::Geometry;
use crate::tests::{Play, after, at, game};
use kit::{DynHistory, Game, Notation, Outcome, Side};

const P1_WINS: Option<Outcome> = Some(Outcome::Win(Side::P1));
const P2_WINS: Option<Outcome> = Some(Outcome::Win(Side::P2));

/// The outcome once `x` has stones on these cells of a board of size 5, the last of which may end the game. The `o`
/// stones are out of the way.
fn end_of(x: &str) -> Option<Outcome> {
    let mut play = after("Size=5 Swap=false", "");
    let cells: Vec<&str> = x.split(' ').collect();
    for cell in &cells {
        play_all(&mut play, cell);
        let free = DynHistory::moves(&play).into_iter().rev();
        let aside = free
            .into_iter()
            .find(|code| !cells.contains(&code.as_str()));
        play_all(&mut play, &aside.unwrap_or_default());
    }
    play.outcome()
}

#[test]
fn a_line_from_edge_to_opposite_edge_wins() {
    assert_eq!(end_of("A5 B5 C5 D5 E5 F5 G5 H5"), P1_WINS);
    assert_eq!(
        end_of("A5 H5 B5 G5 C5 F5 E5 D5"),
        P1_WINS,
        "the middle last"
    );
}

#[test]
fn a_line_from_edge_to_edge_wins_only_where_its_ends_meet() {
    // H4 meets A5 and A6 across the edge, but not B4.
    assert_eq!(end_of("B4 C4 D4 E4 F4 G4 H4"), None);
    assert_eq!(end_of("B4 C4 D4 E4 F4 G4 H4 A5"), P1_WINS);
}

#[test]
fn a_loop_within_the_board_wins_nothing() {
    assert_eq!(end_of("D4 E4 E5 D6 C6 C5"), None);
}

#[test]
fn two_crossings_win_nothing() {
    // H4-A6 and A6-H3 cross the edge.
    assert_eq!(end_of("H4 A6 H3 G4"), None);
}

#[test]
fn three_crossings_win() {
    // E8-E1, E1-D8 and F7-C3.
    assert_eq!(end_of("E8 E1 D8 D7 D6 D5 D4 D3 C3 F7"), P1_WINS);
}

#[test]
fn four_crossings_win_nothing() {
    // F7-C3, C3-G6, C8-F1 and E1-E8, back to F7.
    assert_eq!(end_of("F7 C3 G6 G5 F5 E6 D7 C8 F1 E1 E8"), None);
}

#[test]
fn swap_is_the_fourth_move_or_none() {
    let mut play = after("Size=5", "A5 B5");
    for _ in 0..3 {
        let ply = play.ply();
        assert_eq!(
            DynHistory::moves(&play).contains(&"swap".to_owned()),
            ply == 3,
            "ply {ply}"
        );
        play_all(&mut play, ["C5", "D5", "E5"][ply - 2]);
    }
    assert!(
        !DynHistory::moves(&after("Size=5 Swap=false", "A5 B5 C5")).contains(&"swap".to_owned())
    );
}

#[test]
fn swap_exchanges_the_colours_and_passes_the_turn() {
    let mut play = after("Size=3", "A3 B2 B3");
    assert_eq!(
        (play.side(), play.fen().as_str()),
        (Side::P2, "2/o2/xx2/3 o 1")
    );
    play_all(&mut play, "swap");
    assert_eq!(
        (play.side(), play.fen().as_str()),
        (Side::P1, "2/o2/xx2/3 o 2")
    );
    play_all(&mut play, "B4");
    assert_eq!(
        (play.side(), play.fen().as_str()),
        (Side::P2, "2/o2/xx2/1o1 x 2")
    );
    // Player 2 completes the row that player 1 began.
    play_all(&mut play, "C3 C1 D3");
    assert_eq!(play.outcome(), P2_WINS);
}

#[test]
fn taking_a_swap_back_restores_the_owners() {
    let mut play = after("Size=3", "A3 B2 B3");
    let before = play.position().clone();
    play_all(&mut play, "swap");
    assert_ne!(play.game().key(play.position()), play.game().key(&before));
    assert!(DynHistory::undo(&mut play));
    assert_eq!(play.position(), &before);
    assert_eq!(play.game().key(play.position()), play.game().key(&before));
}

#[test]
fn a_read_position_may_be_the_one_where_swap_is_legal() {
    let swap = "swap".to_owned();
    assert!(DynHistory::moves(&at("", "2/1o1/xx2/3 o 1")).contains(&swap));
    assert!(
        !DynHistory::moves(&at("", "2/1o1/xx2/3 o 2")).contains(&swap),
        "taken already"
    );
    assert!(
        !DynHistory::moves(&at("Swap=false", "2/1o1/xx2/3 o 1")).contains(&swap),
        "switched off"
    );
}

#[test]
fn trees_have_the_counted_leaves() {
    laws::check_leaves::<Projex>(include_str!("data/perft.txt"));
}

/// `true` if the player to move wins a size 3 game with best play.
fn wins(play: &mut Play, known: &mut HashMap<String, bool>) -> bool {
    if let Some(outcome) = play.outcome() {
        return outcome == Outcome::Win(play.side());
    }
    let position = play.fen();
    if let Some(&known) = known.get(&position) {
        return known;
    }
    let is_win = !winning_moves(play, known, 1).is_empty();
    known.insert(position, is_win);
    is_win
}

/// The first winning moves, at most `most` of them.
fn winning_moves(play: &mut Play, known: &mut HashMap<String, bool>, most: usize) -> Vec<String> {
    let mut winning = Vec::new();
    for mv in play.moves() {
        let code = play.game().format_move(play.position(), mv);
        play.play(mv);
        if !wins(play, known) {
            winning.push(code);
        }
        play.undo();
        if winning.len() == most {
            break;
        }
    }
    winning
}

#[test]
fn size_3_is_a_win_for_player_1_by_six_openings() {
    let mut play = after("Size=3 Swap=false", "");
    let winning = winning_moves(&mut play, &mut HashMap::new(), usize::MAX);
    assert_eq!(winning, ["B2", "C2", "D2", "B3", "C3", "B4"]);
}

#[test]
fn size_3_with_swap_is_a_win_for_player_2() {
    let mut play = after("Size=3", "");
    let winning = winning_moves(&mut play, &mut HashMap::new(), usize::MAX);
    assert!(winning.is_empty(), "{winning:?}");
}

/// The position string of a full board with random stones.
fn full_board(size: i32, rng: &mut fastrand::Rng) -> String {
    let board = Geometry::new(size);
    let n = board.n_cells();
    let mut stones: Vec<char> = (0..n).map(|i| if i % 2 == 0 { 'x' } else { 'o' }).collect();
    rng.shuffle(&mut stones);
    let row = |row| String::from_iter(&stones[board.row(row)]);
    let rows: Vec<String> = (1..=board.n_rows()).map(row).collect();
    let turn = if n.is_multiple_of(2) { 'x' } else { 'o' };
    format!("{} {turn} 1", rows.join("/"))
}

/// A string in which the colour to move has a loop must be rejected with that reason; otherwise the game must be over.
#[test]
fn full_boards_have_exactly_one_winner() {
    for size in Geometry::SIZES {
        for seed in 0..300 {
            let text = full_board(size, &mut fastrand::Rng::with_seed(seed));
            match game("").parse_position(&text) {
                Ok(setup) => assert!(setup.game.outcome(&setup.position).is_some(), "{text}"),
                Err(why) => {
                    let why = why.to_string();
                    assert!(
                        why.ends_with("is to move and holds a global loop already"),
                        "{text}: {why}"
                    );
                }
            }
        }
    }
}
