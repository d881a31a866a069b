//! Tests of the policy: its features, and the search that it guides on boards of every size.

use std::marker::PhantomData;
use std::sync::Arc;

use kit::search::{Limits, Searcher};
use kit::{Game, PositionHistory};
use laws::searches::{find, first, request};
use projex::N_FEATURES;
use projex::geometry::Geometry;
use projex::policy::{LARGEST, MAX_ACTIVE, ONE, Policy, WIDTH};
use projex::{Move, Projex};

use crate::game;

/// Each legal move has its entry, in canonical order; features exist and are not too many.
fn check_features(play: &PositionHistory<Projex>) {
    let mut indices = Vec::new();
    play.game().move_features(play, |index, features| {
        indices.push(index);
        let exist = features
            .iter()
            .all(|&feature| usize::from(feature) < N_FEATURES);
        assert!(exist && features.len() <= MAX_ACTIVE, "{features:?}");
    });
    let moves = play.moves();
    let expected = moves.iter().map(|&mv| play.game().move_index(mv));
    assert!(indices.into_iter().eq(expected), "{play:?}");
}

#[test]
fn the_policy_guides_the_search_on_every_size() {
    for size in Geometry::SIZES {
        let game = game(&format!("Size={size}"));
        let n_cells = game.board().n_cells();
        let mut play = PositionHistory::start(game);
        let mut searcher = Searcher::new(16, 1);
        let mut rng = fastrand::Rng::with_seed(1);
        while play.outcome().is_none() {
            check_features(&play);
            if play.ply() < 5 || rng.usize(..n_cells) < 8 {
                let limits = Limits::nodes(60);
                let request = request(&play, limits);
                let found = find(&mut searcher, &play, &request);
                play.play(first(&play, &found.lines[0]));
            } else {
                play.play(*rng.choice(&play.moves()).expect("a move"));
            }
        }
    }
}

/// The moves with the largest share get most of the first games.
#[test]
fn moves_of_larger_shares_are_tried_more_often() {
    let play = PositionHistory::start(game("Size=3"));
    let mut by_cell = Vec::new();
    play.game()
        .move_features(&play, |_, features| by_cell.push(features.to_vec()));
    let n_cells = |feature: &u16| by_cell.iter().filter(|own| own.contains(feature)).count();
    let mut rare = by_cell
        .iter()
        .flatten()
        .filter(|feature| n_cells(feature) <= 3);
    let feature = *rare.next().expect("a feature of few cells");
    let mut inputs = vec![[0; WIDTH]; N_FEATURES];
    inputs[usize::from(feature)][0] = LARGEST;
    let policy = Policy {
        inputs,
        bias: [0; WIDTH],
        output: [[ONE; WIDTH]],
        kind: PhantomData,
    };
    let game = play.game().with_policy(Arc::new(policy));
    let play = PositionHistory::start(game);
    let request = request(&play, Limits::nodes(40));
    let found = find(&mut Searcher::new(1, 1), &play, &request);
    let mv = first(&play, &found.lines[0]);
    let Move::Place(cell) = mv else {
        panic!("{mv:?}")
    };
    assert!(by_cell[usize::from(cell)].contains(&feature), "{mv:?}");
}
