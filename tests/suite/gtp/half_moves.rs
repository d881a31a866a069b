//! Every legal code splits into half moves, and these make the code again.

use std::collections::{BTreeSet, HashMap};

use bridge::gtp::{Click, half_moves};
use kit::DynHistory;
use laws::testing::full;
use linesman::GAMES;
use record::game_spec::GameSpec;

use crate::support::in_parallel;

/// Positions with fewer legal moves are all tested; with more moves, only every (1 + moves / `FEW`)-th ply.
const FEW: usize = 20;

fn check(game: &str, board: &dyn DynHistory, at: &str) {
    let moves = half_moves(game, board).unwrap_or_else(|error| panic!("{at}: {error}"));
    let codes = board.moves();
    assert_eq!(moves.next(&[]).is_empty(), codes.is_empty(), "{at}");
    let mut nexts: HashMap<&[Click], BTreeSet<Click>> = HashMap::new();
    for code in codes {
        let clicks = moves
            .clicks(&code)
            .unwrap_or_else(|| panic!("{at}: {code}"));
        assert_eq!(moves.code(clicks), Some(code.as_str()), "{at}");
        for (n_made, click) in clicks.iter().enumerate() {
            let made = &clicks[..n_made];
            let next = nexts.entry(made).or_insert_with(|| moves.next(made));
            assert!(next.contains(click), "{at}: {code} after {n_made}");
            assert_eq!(moves.code(made), None, "{at}: {code} after {n_made}");
            let read = Click::parse(&click.to_string());
            assert_eq!(read, Some(*click), "{at}: {code}");
        }
    }
}

fn check_games(text: &str, n_games: u64) {
    let spec = GameSpec::parse(text).expect("a game");
    let rules = GAMES.rules(&spec).expect("a known game").expect("rules");
    for seed in 0..n_games {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut board = rules.start();
        loop {
            let codes = board.moves();
            if board.ply().is_multiple_of(1 + codes.len() / FEW) || codes.is_empty() {
                check(
                    &spec.name,
                    board.as_ref(),
                    &format!("{text}, seed {seed}: {}", board.fen()),
                );
            }
            if codes.is_empty() {
                break;
            }
            let code = &codes[random.usize(..codes.len())];
            board.play(code).expect("a legal move");
        }
    }
}

#[test]
fn codes_are_half_moves_and_back() {
    // Larger boards have the same shape.
    let (largest_susan, largest_projex) = if full() { (8, 14) } else { (4, 6) };
    let susan = (3..=largest_susan).map(|size| (format!("susan:Size={size},SlideLimit=20"), 3));
    let projex = (3..=largest_projex).map(|size| (format!("projex:Size={size}"), 1));
    let others = [
        ("gobblet:Size=3", 10),
        ("gobblet:Size=4", 10),
        ("entropy:Goal=contact", 5),
        ("entropy:Goal=apart", 5),
    ];
    let others = others.map(|(game, n_games)| (game.to_owned(), n_games));
    let all: Vec<(String, u64)> = susan.chain(projex).chain(others).collect();
    in_parallel(&all, |(game, n_games)| check_games(game, *n_games));
}

#[test]
fn graph_hockey_fits_no_gtp_board() {
    let rules = GAMES.rules(&GameSpec::parse("graph-hockey").expect("a game"));
    let board = rules.expect("a known game").expect("rules").start();
    assert!(half_moves("graph-hockey", board.as_ref()).is_err());
}
