//! What the engine finds.

use std::time::Instant;

use kit::Evaluate;
use kit::search::proof::{Verdict, prove};
use kit::search::{Control, Limits, Request, Searcher, mate_distance};

use crate::Case;

/// The plies in which the side to move can force a win, beginning with one of these letters, if it can within so
/// many.
fn forced_win(position: &str, letters: &str, within: u32) -> Option<u32> {
    let history = Case::new(position).0;
    let mut moves = history.moves();
    moves.retain(|mv| letters.contains(mv.letter()));
    let control = Control::new(Instant::now(), false);
    let limits = Limits::default();
    match prove(&history, &moves, within, 64, &limits, &control, &mut |_| {}).0 {
        Verdict::Win { plies, .. } => Some(plies),
        _ => None,
    }
}

#[test]
fn one_inch_is_won_in_fifteen() {
    let openings = Case::new("1x1 -").moves();
    assert_eq!(forced_win("1x1 -", &openings, 14), None);
    assert_eq!(forced_win("1x1 -", &openings, 15), Some(15));
}

#[test]
fn one_inch_is_won_by_b_and_g_alone() {
    for opening in Case::new("1x1 -").moves().chars() {
        let replies = Case::new(&format!("1x1 {opening}")).moves();
        let is_lost = forced_win(&format!("1x1 {opening}"), &replies, 16).is_some();
        let is_won = forced_win("1x1 -", &opening.to_string(), 17).is_some();
        assert_eq!(
            (is_won, is_lost),
            match opening {
                'B' | 'G' => (true, false),
                _ => (false, true),
            },
            "{opening}"
        );
    }
}

#[test]
fn a_goal_in_reach_is_a_win_at_once() {
    let case = Case::new("4x8 LLLGLBBBBBBB");
    let mv = case.0.game().winning_move(case.0.position());
    assert_eq!(mv.map(|mv| mv.letter()), Some('B'));
}

#[test]
fn a_forced_win_is_seen_at_its_depth() {
    let history = Case::new("1x1 I").0;
    let limits = Limits {
        depth: Some(3),
        ..Limits::default()
    };
    let request = Request::new(history.moves(), limits);
    let control = Control::new(Instant::now(), false);
    let found = Searcher::new(1, 1).search(&history, &request, &control, &mut |_| {});
    assert_eq!(mate_distance(found.lines[0].score), Some(3));
}
