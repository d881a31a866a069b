//! The best lines of a position, as an engine has found them so far.

use kit::DynHistory;
use protocol::{Bound, Info};
use serde::{Deserialize, Serialize};

use crate::record::Points;

/// The most lines that an engine is asked for.
pub const MAX_LINES: u32 = 8;

/// The most moves that are kept of a line.
const MAX_PLIES: usize = 32;

/// One of the best lines of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Its first move.
    #[serde(rename = "move")]
    pub code: String,
    /// The score from the player to move.
    pub score: Points,
    /// What the score is a bound of; `None` where it is exact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<LineBound>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The moves expected, the first one too. The rules allow each of them.
    pub line: Vec<String>,
}

/// The meaning of a score that is not exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LineBound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What an engine has found in one position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Lines {
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Positions a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// The best line first.
    pub lines: Vec<Line>,
}

impl Lines {
    /// Takes a report of the engine about the position that `board` stands in; whether it says something new. A line is cut
    /// before its first move that the rules do not allow.
    pub(crate) fn take(&mut self, info: &Info, board: &dyn DynHistory, n_lines: u32) -> bool {
        let rank = info.multipv.unwrap_or(1);
        let Some(score) = info.score else {
            return false;
        };
        if !(1..=n_lines).contains(&rank) {
            return false;
        }
        let line = legal_part(board, &info.pv);
        let Some(code) = line.first().cloned() else {
            return false;
        };
        self.nodes = info.nodes.or(self.nodes);
        self.nps = info.nps.or(self.nps);
        if rank == 1 {
            self.depth = info.depth.or(self.depth);
        }
        // A move stands in one line alone. One that has lost its rank stays behind until it is reported again.
        self.lines.retain(|other| other.code != code);
        let at = (rank as usize - 1).min(self.lines.len());
        let line = Line {
            code,
            score: score.into(),
            bound: info.bound.map(Into::into),
            depth: info.depth,
            line,
        };
        self.lines.insert(at, line);
        self.lines.truncate(n_lines as usize);
        true
    }

    /// Whether this is worth keeping in the place of `other`: a deeper search, or a longer one of the same depth.
    pub(crate) fn is_deeper(&self, other: &Lines) -> bool {
        (self.depth, self.lines.len(), self.nodes) >= (other.depth, other.lines.len(), other.nodes)
    }
}

impl From<Bound> for LineBound {
    fn from(bound: Bound) -> LineBound {
        match bound {
            Bound::Lower => LineBound::Lower,
            Bound::Upper => LineBound::Upper,
        }
    }
}

/// The moves of a line as the rules write them, up to the first one that is not legal.
pub(super) fn legal_part(board: &dyn DynHistory, line: &[String]) -> Vec<String> {
    let mut after = board.fork();
    let moves = line.iter().take(MAX_PLIES);
    moves.map_while(|code| after.play(code).ok()).collect()
}

#[cfg(test)]
mod tests {
    use protocol::Reply;

    use super::*;
    use crate::testing::rules;

    fn info(line: &str) -> Info {
        match Reply::parse(line) {
            Ok(Reply::Info(info)) => info,
            other => panic!("{line}: {other:?}"),
        }
    }

    /// The lines after these reports of a search of Nim with heaps of 1 to 4 stones.
    fn lines(reports: &[&str], n_lines: u32) -> Lines {
        let board = rules().start();
        let mut lines = Lines::default();
        for report in reports {
            lines.take(&info(report), board.as_ref(), n_lines);
        }
        lines
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

    #[test]
    fn lines_stand_by_rank_and_a_move_in_one_of_them() {
        let first = [
            "info depth 3 multipv 1 score cp 9 pv a1",
            "info depth 3 multipv 2 score cp 5 pv b1",
            "info depth 3 multipv 3 score cp 1 pv c1",
        ];
        assert_eq!(codes(&lines(&first, 3)), ["a1", "b1", "c1"]);
        let better = [&first[..], &["info depth 4 multipv 1 score cp 7 pv b1"]].concat();
        assert_eq!(codes(&lines(&better, 3)), ["b1", "a1", "c1"]);
        let new = [
            &better[..],
            &["info depth 4 multipv 2 score cp 3 pv d1"],
            &["info depth 4 multipv 3 score cp 2 pv a1"],
        ]
        .concat();
        let lines = lines(&new, 3);
        assert_eq!(codes(&lines), ["b1", "d1", "a1"]);
        assert_eq!(lines.depth, Some(4));
    }
}
