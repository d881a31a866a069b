//! Properties of the rules: swap taken back, the value of the smallest board, and full boards.

use std::collections::HashMap;

use crate::{Play, after, game};
use kit::{DynHistory, Game, Notation, Outcome};
use projex::geometry::Geometry;

#[test]
fn taking_a_swap_back_restores_the_owners() {
    let mut play = after("Size=3", "A3 B2 B3");
    let before = play.position().clone();
    laws::testing::play(&mut play, "swap");
    assert_ne!(play.game().key(play.position()), play.game().key(&before));
    assert!(DynHistory::undo(&mut play));
    assert_eq!(play.position(), &before);
    assert_eq!(play.game().key(play.position()), play.game().key(&before));
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
