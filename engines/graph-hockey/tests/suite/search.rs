//! Tests of the search.

use graph_hockey::GraphHockey;
use kit::search::proof::Verdict;
use kit::search::{Limits, Line, Searcher, mate_distance};
use kit::{Evaluate, PositionHistory};
use laws::searches::{find, first, prove, request};

use crate::Case;

/// Plies in which the side to move can force a win that begins with one of these letters, if there is one within
/// `within`.
fn forced_win(position: &str, letters: &str, within: u32) -> Option<u32> {
    let history = Case::new(position).0;
    let mut moves = history.moves();
    moves.retain(|mv| letters.contains(mv.letter()));
    match prove(&history, &moves, within, 64, None).0 {
        Verdict::Win { plies, .. } => Some(plies),
        _ => None,
    }
}

#[test]
fn one_inch_is_won_in_fifteen() {
    let openings = crate::letters(&Case::new("1x1 -"));
    assert_eq!(forced_win("1x1 -", &openings, 14), None);
    assert_eq!(forced_win("1x1 -", &openings, 15), Some(15));
}

#[test]
fn one_inch_is_won_by_b_and_g_alone() {
    for opening in crate::letters(&Case::new("1x1 -")).chars() {
        let replies = crate::letters(&Case::new(&format!("1x1 {opening}")));
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

/// Won and lost positions on the smallest field, with the number of lines to find.
const ENDS: [(&str, usize); 3] = [("1x1 FGI", 1), ("1x1 EGHBIUF", 1), ("1x1 GH", 3)];

/// No search claims a false forced end, at any node count at which it is stopped.
#[test]
fn no_claim_is_false_at_any_of_5000_nodes() {
    laws::check_ends::<GraphHockey>(&ENDS);
}

#[test]
fn a_goal_in_reach_is_a_win_at_once() {
    let case = Case::new("4x8 LLLGLBBBBBBB");
    let mv = case.0.game().win_in_one(case.0.position());
    assert_eq!(mv.map(|mv| mv.letter()), Some('B'));
}

/// The best line found by a search to this depth.
fn best_line(history: &PositionHistory<GraphHockey>, depth: u32) -> Line {
    let limits = Limits::depth(depth);
    let request = request(history, limits);
    let mut found = find(&mut Searcher::new(1, 1), history, &request);
    found.lines.swap_remove(0)
}

#[test]
fn a_forced_win_is_seen_at_its_depth() {
    let line = best_line(&Case::new("1x1 I").0, 3);
    assert_eq!(mate_distance(line.score), Some(3));
}

#[test]
fn a_player_without_a_plan_loses() {
    let start = Case::new("2x3 -").0;
    laws::testing::check_beats_random(&start, 0..10, |history| {
        first(history, &best_line(history, 4))
    });
}
