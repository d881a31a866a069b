//! Tests of the engine's play: it finds wins, prevents them, and proves the known results of the smallest board. A
//! depth limit selects principal variation search, a node limit random games.

use crate::{Play, after, at};
use kit::search::proof::Verdict;
use kit::search::{Limits, Method, Progress, Request, Searcher, mate_distance};
use kit::{DynHistory, Notation};
use laws::searches::{find, first, prove, request};

fn search(play: &Play, limits: Limits) -> Progress {
    let request = request(play, limits);
    find(&mut Searcher::new(16, 1), play, &request)
}

/// The best move and its distance to mate, if it mates or is mated.
fn best(play: &Play, limits: Limits) -> (String, Option<i32>) {
    let found = search(play, limits);
    let line = &found.lines[0];
    (line.pv[0].clone(), mate_distance(line.score))
}

#[test]
fn a_loop_is_completed() {
    let play = at("", "4/5/6/1ooo3/xxxx1xxx/7/1ooo2/o4 x 1");
    assert_eq!(best(&play, Limits::depth(1)), ("E5".to_owned(), Some(1)));
}

#[test]
fn a_loop_is_stopped() {
    let play = at("", "4/5/6/1ooo3/xxxx1xxx/7/1oo3/o4 o 1");
    assert_eq!(best(&play, Limits::depth(3)).0, "E5");
}

#[test]
fn a_loop_with_two_bridges_cannot_be_stopped() {
    // A6 and C5, E5 and G4 are connected by bridges; H4 meets A6 across the edge.
    let play = at("", "oooo/o4/6/5xx/2xxx3/x6/6/5 o 1");
    assert_eq!(best(&play, Limits::depth(4)).1, Some(-4));
}

/// Compares with the openings that win on the smallest board without swap.
fn check_size_3(limits: Limits) {
    let winning = ["B2", "C2", "D2", "B3", "C3", "B4"];
    for code in DynHistory::moves(&after("Size=3", "")) {
        let (_, mate) = best(&after("Size=3 Swap=false", &code), limits.clone());
        let is_win = mate.map(|plies| plies < 0);
        assert_eq!(is_win, Some(winning.contains(&&*code)), "{code}");
    }
}

#[test]
fn size_3_is_solved_by_search() {
    check_size_3(Limits::depth(11));
    let (_, mate) = best(&after("Size=3", ""), Limits::depth(13));
    assert!(mate.is_some_and(|plies| plies < 0), "{mate:?}");
}

#[test]
fn a_random_mover_loses_every_game() {
    laws::testing::check_beats_random(&after("Size=5", ""), 0..10, |play| {
        first(play, &search(play, Limits::nodes(200)).lines[0])
    });
}

#[test]
fn random_games_solve_size_3() {
    check_size_3(Limits::nodes(100_000));
}

/// A random game up to a position whose side to move has a forced win in exactly this number of plies, if there is one.
fn forced_win(size: i32, plies: u32, seed: u64) -> Option<Play> {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut play = after(&format!("Size={size}"), "");
    let wins_within = |play: &Play, within| {
        let (verdict, _) = prove(play, &play.moves(), within, 16, None);
        matches!(verdict, Verdict::Win { .. })
    };
    while play.outcome().is_none() {
        if play.ply() > play.game().board().n_cells() / 3 && wins_within(&play, plies) {
            let is_longest = plies == 1 || !wins_within(&play, plies - 2);
            return is_longest.then_some(play);
        }
        play.play(*rng.choice(&play.moves()).expect("a move"));
    }
    None
}

#[test]
fn forced_wins_are_found() {
    let n_games = if laws::testing::full() { 6 } else { 2 };
    for (plies, size) in [(1, 7), (3, 6), (5, 5)] {
        let found: Vec<Play> = (0..200)
            .filter_map(|seed| forced_win(size, plies, seed))
            .take(n_games)
            .collect();
        assert_eq!(found.len(), n_games, "{plies} plies");
        for play in found {
            // The policy spreads the games over the many winning moves of such a position, so a proof takes longer.
            let (code, mate) = best(&play, Limits::nodes(400_000));
            let at = play.game().format_position(play.position());
            assert!(
                mate.is_some_and(|n| n >= plies as i32),
                "{at}: {code} {mate:?}"
            );
        }
    }
}

#[test]
fn the_better_colour_is_taken() {
    // x in the middle and o at the border, and vice versa.
    for (codes, is_taken) in [
        ("Size=5 D4 A5 E5", true),
        ("Size=5 A5 D4 H1", false),
        ("Size=7 G7 A7 F8", true),
        ("Size=7 A7 G7 L1", false),
    ] {
        let (size, codes) = codes.split_once(' ').expect("a size and moves");
        let (code, _) = best(&after(size, codes), Limits::nodes(3_000));
        assert_eq!(code == "swap", is_taken, "{size} {codes}: {code}");
    }
}

#[test]
fn equal_numbers_of_games_find_equal_moves() {
    let play = after("Size=7", "G7 F7 F9");
    let lines = [(); 2].map(|()| search(&play, Limits::nodes(2_000)).lines);
    assert_eq!(lines[0], lines[1]);
}

/// Won and lost positions of the smallest board, with the number of lines to find.
const ENDS: [(&str, usize); 3] = [
    ("2/3/1xox/1o1 x 1", 1),
    ("2/2o/1x2/1x1 o 1", 1),
    ("2/2o/2xx/o1x o 1", 3),
];

/// No search, by plies or by random games, claims a false forced end, at any node count at which it is stopped.
#[test]
fn no_claim_is_false_at_any_of_5000_nodes() {
    for method in [Method::Pvs, Method::Best] {
        for (position, n_lines) in ENDS {
            let play = at("", position);
            let n_claims = laws::check_every_stop(&play, method, n_lines);
            assert!(n_claims > 0, "{position}, {method:?}");
        }
    }
}

/// `D2` wins at once; the other lines are searched as well.
#[test]
fn every_line_has_a_real_score() {
    let play = after("Size=3", "B2 A4 C2 D1");
    let request = Request {
        n_lines: 3,
        ..request(&play, Limits::nodes(300_000))
    };
    let found = find(&mut Searcher::new(16, 1), &play, &request);
    assert_eq!(found.lines.len(), 3);
    for line in &found.lines {
        let mut after = play.clone();
        after.play(first(&play, line));
        let (code, theirs) = best(&after, Limits::depth(12));
        let is_won = theirs.is_some_and(|plies| plies <= 0);
        let mate = mate_distance(line.score).expect("the board is solved");
        assert_eq!(mate > 0, is_won, "{line:?}: {code} {theirs:?}");
    }
}

/// With the minimum memory, half of the tree is in use after some thousand games. It grows ever more slowly then.
#[test]
fn a_tree_that_fills_up_grows_more_slowly() {
    let play = after("Size=7", "G7 F7 F9");
    let [few, more, many] = [3_000, 6_000, 12_000].map(|nodes| {
        let request = request(&play, Limits::nodes(nodes));
        find(&mut Searcher::new(1, 1), &play, &request).hashfull
    });
    assert!(few > 400 && more - few < few, "{few} {more}");
    assert!(
        many > more && many - more < more - few && many < 1_000,
        "{many}"
    );
}

/// The start position has the same move history on every board, but results of one board must not be used for another.
#[test]
fn what_was_learned_of_one_board_is_not_used_on_another() {
    let mut searcher = Searcher::new(1, 1);
    for words in ["Size=5", "Size=4", "Size=4 Swap=false", "Size=5"] {
        let play = after(words, "");
        let request = request(&play, Limits::nodes(50));
        let found = find(&mut searcher, &play, &request);
        let fresh = search(&play, Limits::nodes(50));
        assert_eq!(found.lines, fresh.lines, "{words}");
    }
}
