//! The best lines of a position, as an engine finds them, and the cost of each move of a game.

use kit::{DynHistory, Side};
use protocol::{Bound, Info};
use record::game::Points;
use serde::{Deserialize, Serialize};

/// Largest number of lines requested from an engine.
pub const MAX_LINES: u32 = 8;

/// Largest number of moves kept of a line.
const MAX_PLIES: usize = 32;

/// One of the best lines of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// Its first move.
    #[serde(rename = "move")]
    pub code: String,
    /// The score for the side to move.
    pub score: Points,
    /// The kind of bound, if the score is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<LineBound>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The principal variation, including the first move. All its moves are legal.
    pub line: Vec<String>,
}

/// The kind of bound that a score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LineBound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// The results of an engine for one position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lines {
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// The best line first.
    pub lines: Vec<Line>,
}

impl Lines {
    /// `true` if this should replace `other`: a deeper search, or a longer one of the same depth.
    pub fn is_deeper(&self, other: &Lines) -> bool {
        (self.depth, self.lines.len(), self.nodes) >= (other.depth, other.lines.len(), other.nodes)
    }

    /// Moves a line to the top and removes any other line with the same first move.
    pub fn lead(&mut self, line: Line, n_lines: usize) {
        self.lines.retain(|other| other.code != line.code);
        self.lines.insert(0, line);
        self.lines.truncate(n_lines);
    }
}

/// A move that loses at least this many expected points threw the game away. It corresponds to turning an even game
/// into one with an expected score of 0.3, or a won game into one with 0.8.
pub const THROWN_AWAY: f64 = 0.2;

/// A reviewed move with the engine's scores. Scores are from the point of view of the player who moved; mates are
/// counted in plies from before the move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedPly {
    /// The move.
    #[serde(rename = "move")]
    pub code: String,
    /// The side that moved.
    pub side: Side,
    /// The score of the best move; `None` if the engine reported none.
    pub before: Option<Points>,
    /// The score of the move played. If the move ended the game: a mate in one or a draw.
    pub after: Option<Points>,
    /// The best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The principal variation, beginning with the best move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The expected points that the move lost, 0 to 1.
    pub loss: f64,
    /// `true` if `loss` is at least [`THROWN_AWAY`].
    pub threw_away: bool,
    /// `true` if both scores are exact: a mate, a draw with perfect play, or the end of the game.
    pub is_exact: bool,
}

/// The lines of a running search.
///
/// An engine reports the lines of an iteration one by one. They are published when the iteration is complete, so that
/// all scores shown are from one iteration. The exception is a first line at least as good as the published one, which
/// is published at once.
#[derive(Debug, Default)]
pub(crate) struct Collector {
    shown: Lines,
    /// The lines of the current iteration reported so far.
    next: Vec<Line>,
}

impl Collector {
    /// The published lines.
    pub(crate) fn shown(&self) -> &Lines {
        &self.shown
    }

    /// Adds a report about the position `board`. Returns `true` if the published lines change. A line is cut before its
    /// first illegal move.
    pub(crate) fn take(&mut self, info: &Info, board: &dyn DynHistory, n_lines: u32) -> bool {
        let rank = info.multipv.unwrap_or(1);
        let Some(score) = info.score.filter(|_| (1..=n_lines).contains(&rank)) else {
            return false;
        };
        let line = legal_part(board, &info.pv);
        let Some(code) = line.first().cloned() else {
            return false;
        };
        self.shown.nodes = info.nodes.or(self.shown.nodes);
        self.shown.nps = info.nps.or(self.shown.nps);
        let line = Line {
            code,
            score: score.into(),
            bound: info.bound.map(|bound| match bound {
                Bound::Lower => LineBound::Lower,
                Bound::Upper => LineBound::Upper,
            }),
            depth: info.depth,
            line,
        };
        let n_lines = board.moves().len().min(n_lines as usize);
        self.place(line, rank as usize - 1, n_lines)
    }

    /// Inserts a line at its rank. Returns `true` if the published lines change.
    fn place(&mut self, line: Line, at: usize, n_lines: usize) -> bool {
        let is_next = |first: &Line| first.depth != line.depth;
        if at == 0 && self.next.first().is_none_or(is_next) {
            self.next.clear();
        }
        if at > self.next.len() || (at > 0 && self.next[0].depth != line.depth) {
            return false;
        }
        self.next.retain(|other| other.code != line.code);
        self.next.insert(at.min(self.next.len()), line);
        self.next.truncate(n_lines);
        let (first, shown) = (&self.next[0], &mut self.shown);
        let is_worse = |old: &Line| score_order(first.score) < score_order(old.score);
        let is_better = !shown.lines.first().is_some_and(is_worse);
        let is_whole = self.next.len() >= shown.lines.len().max(1)
            && (self.next.len() == n_lines || shown.lines.len() < n_lines);
        if !(is_whole || at == 0 && is_better) {
            return false;
        }
        shown.depth = first.depth;
        match is_whole {
            true => shown.lines.clone_from(&self.next),
            false => shown.lead(first.clone(), n_lines),
        }
        true
    }
}

/// Sort key of a score: shorter wins and longer losses are better.
pub fn score_order(score: Points) -> i64 {
    const WIN: i64 = 1 << 40;
    match score {
        Points::Cp(cp) => cp.into(),
        Points::Mate(count) if count > 0 => WIN - i64::from(count),
        Points::Mate(count) => -WIN - i64::from(count),
        Points::Draw => 0,
    }
}

/// The legal beginning of a line, as canonical codes.
pub(super) fn legal_part(board: &dyn DynHistory, line: &[String]) -> Vec<String> {
    let mut after = board.fork();
    let moves = line.iter().take(MAX_PLIES);
    moves.map_while(|code| after.play(code).ok()).collect()
}

#[cfg(test)]
mod tests {
    use crate::analysis::LineBound;
    use protocol::Reply;

    use super::*;
    use crate::record_testing::rules;

    fn info(line: &str) -> Info {
        match Reply::parse(line) {
            Ok(Reply::Info(info)) => info,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// The published lines after these reports, for Nim with heaps of 1 to 4 stones.
    fn lines(reports: &[&str], n_lines: u32) -> Lines {
        let board = rules().start();
        let mut collector = Collector::default();
        for report in reports {
            collector.take(&info(report), board.as_ref(), n_lines);
        }
        collector.shown
    }

    fn codes(lines: &Lines) -> Vec<&str> {
        lines.lines.iter().map(|line| line.code.as_str()).collect()
    }

    #[test]
    fn a_line_is_cut_at_the_first_illegal_move() {
        let lines = lines(&["info depth 3 score cp 5 nodes 9 pv D4 c1 d1 b1"], 1);
        assert_eq!(lines.lines[0].line, ["d4", "c1"], "no stone is left in d");
        assert_eq!((lines.depth, lines.nodes), (Some(3), Some(9)));
    }

    #[test]
    fn what_is_no_line_is_ignored() {
        for report in [
            "info depth 3 nodes 9",
            "info depth 3 score cp 5 pv z9",
            "info depth 3 score cp 5",
            "info depth 3 multipv 3 score cp 5 pv a1",
            "info depth 3 multipv 0 score cp 5 pv a1",
        ] {
            assert_eq!(lines(&[report], 2), Lines::default(), "{report}");
        }
    }

    #[test]
    fn a_bound_is_marked() {
        let bound = |word: &str| {
            let report = format!("info depth 3 score cp 5 {word} pv a1");
            lines(&[&report], 1).lines[0].bound
        };
        assert_eq!(bound("lowerbound"), Some(LineBound::Lower));
        assert_eq!(bound("upperbound"), Some(LineBound::Upper));
        assert_eq!(bound(""), None);
    }

    const FIRST: [&str; 3] = [
        "info depth 3 multipv 1 score cp 9 pv a1",
        "info depth 3 multipv 2 score cp 5 pv b1",
        "info depth 3 multipv 3 score cp 1 pv c1",
    ];

    /// The published lines after the first iteration and these reports.
    fn then(reports: &[&str]) -> Lines {
        lines(&[&FIRST[..], reports].concat(), 3)
    }

    #[test]
    fn the_first_lines_are_shown_as_they_come() {
        assert_eq!(codes(&lines(&FIRST[..1], 3)), ["a1"]);
        assert_eq!(codes(&lines(&FIRST[..2], 3)), ["a1", "b1"]);
        assert_eq!(codes(&lines(&FIRST, 3)), ["a1", "b1", "c1"]);
    }

    #[test]
    fn lines_of_the_next_iteration_take_their_places_together() {
        let worse = "info depth 4 multipv 1 score cp -40 pv a1";
        assert_eq!(then(&[worse]), lines(&FIRST, 3), "others may be better now");
        let second = "info depth 4 multipv 2 score cp -50 pv d1";
        assert_eq!(then(&[worse, second]), lines(&FIRST, 3));
        let third = "info depth 4 multipv 3 score cp -60 pv b1";
        let all = then(&[worse, second, third]);
        assert_eq!(codes(&all), ["a1", "d1", "b1"]);
        assert_eq!(all.depth, Some(4));
        assert!(all.lines.iter().all(|line| line.depth == Some(4)));
    }

    #[test]
    fn a_better_first_line_leads_at_once_and_a_line_is_reported_again() {
        let better = then(&["info depth 4 multipv 1 score mate 3 pv b1"]);
        assert_eq!(
            (codes(&better), better.depth),
            (vec!["b1", "a1", "c1"], Some(4))
        );
        let again = then(&[
            "info depth 3 multipv 2 score cp 7 pv d1",
            "info depth 3 multipv 1 score cp 8 pv a1 b1",
        ]);
        assert_eq!(codes(&again), ["a1", "d1", "b1"]);
        assert_eq!(again.lines[0].line, ["a1", "b1"]);
    }

    #[test]
    fn a_position_with_fewer_moves_has_fewer_lines() {
        let board = rules().open(&record::opening::Opening::parse("fen 1/1 p1"));
        let board = board.expect("a position");
        let mut collector = Collector::default();
        for report in [
            "info depth 1 multipv 1 score cp 9 pv a1",
            "info depth 1 multipv 2 score cp 5 pv b1",
            "info depth 2 multipv 1 score cp -9 pv b1",
            "info depth 2 multipv 2 score cp -9 pv a1",
        ] {
            collector.take(&info(report), board.as_ref(), 3);
        }
        assert_eq!(codes(&collector.shown), ["b1", "a1"]);
    }

    #[test]
    fn a_nearer_win_is_better() {
        let scores = [
            Points::Mate(1),
            Points::Mate(9),
            Points::Cp(i32::MAX),
            Points::Cp(0),
            Points::Cp(i32::MIN),
            Points::Mate(-9),
            Points::Mate(0),
        ];
        assert!(scores.is_sorted_by(|better, worse| score_order(*better) > score_order(*worse)));
    }
}
