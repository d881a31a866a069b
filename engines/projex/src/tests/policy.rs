//! Tests that the policy learns from searches, and guides them on boards of every size.

use crate::Projex;
use crate::geometry::Geometry;
use kit::learn::Trainer;
use kit::search::{Limits, Request, Searcher};
use kit::{PolicyFeatures, PositionHistory};
use lab::learn::{PolicyExample, PolicyTrainer, SelfPlay, SelfPlayTrainer};

use crate::tests::game;

/// The examples of two games.
fn examples(game: &Projex, first: u64) -> Vec<PolicyExample> {
    let self_play = SelfPlay {
        seed: 1,
        nodes: 200,
    };
    let examples = |number| {
        let engine = PositionHistory::start(game.clone());
        let played = self_play.play(&engine, number);
        assert_eq!(played.visits.len(), played.moves.len());
        PolicyTrainer::examples(&engine, &played).expect("legal moves")
    };
    (first..first + 2).flat_map(examples).collect()
}

#[test]
fn what_searches_find_is_learned_for_other_games() {
    let game = game("Size=4");
    let (learned, held_out) = (examples(&game, 0), examples(&game, 2));
    let mut trainer = PolicyTrainer::untrained(game.n_features(), 1);
    let before = trainer.error(&held_out);
    for _ in 0..20 {
        trainer.learn(&learned.iter().collect::<Vec<_>>(), 0.02);
    }
    let after = trainer.error(&held_out);
    assert!(after < before - 0.2, "{before} {after}");
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
            if play.ply() < 5 || rng.usize(..n_cells) < 8 {
                let limits = Limits::nodes(60);
                let request = Request::new(play.moves(), limits);
                let found = searcher.find(&play, &request);
                play.play(found.lines[0].pv[0]);
            } else {
                play.play(*rng.choice(&play.moves()).expect("a move"));
            }
        }
    }
}
