//! Positions that test an engine's rules one by one, for `linesman check`.

use crate::Outcome;

/// A rule of a game, with a line of moves that shows whether an engine follows it. Codes are separated by blanks.
///
/// A table of them is a text. A line without indentation is a rule, and each line indented by four blanks is a position
/// that shows it, with moves played from there. Fields follow, separated by `; `: `with` and options, the result `p1win`,
/// `p2win` or `draw`, `legal` and `illegal` with codes, and `mate` with a number of plies. Lines that begin with `#` are
/// comments.
///
/// ```text
/// An opponent's stone without an empty neighbour wins for the mover.
///     ox1/x3/5/4/3 x 0 moves b2; with Size=3; p1win
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CheckPosition {
    /// The rule, in one sentence.
    pub rule: &'static str,
    /// Options that differ from the defaults, as `Size=3 Repetition=2`, the size of the board included.
    pub options: &'static str,
    /// A position string, or `startpos`.
    pub position: &'static str,
    /// The codes of the moves played from there.
    pub moves: &'static str,
    /// The result after these moves; `None` if the game is not over.
    pub outcome: Option<Outcome>,
    /// Codes that are legal after these moves.
    pub legal: &'static str,
    /// Codes that are illegal after these moves.
    pub illegal: &'static str,
    /// The forced end after these moves: plies until the side to move wins, negative if it loses; `None` if none is
    /// claimed.
    pub mate: Option<i32>,
}

impl CheckPosition {
    /// Parses a table.
    ///
    /// # Panics
    /// With a field of a position that is none of the above.
    pub fn parse_table(table: &'static str) -> Vec<CheckPosition> {
        let mut rule = "";
        let mut all = Vec::new();
        for line in table
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            match line.strip_prefix("    ") {
                None => rule = line,
                Some(position) => all.push(CheckPosition::parse(rule, position)),
            }
        }
        all
    }

    fn parse(rule: &'static str, line: &'static str) -> CheckPosition {
        let mut fields = line.split("; ");
        let start = fields.next().unwrap_or_default();
        let (position, moves) = start.split_once(" moves ").unwrap_or((start, ""));
        let mut parsed = CheckPosition {
            rule,
            position,
            moves,
            ..CheckPosition::default()
        };
        for field in fields {
            match field.split_once(' ').unwrap_or((field, "")) {
                ("with", options) => parsed.options = options,
                ("legal", codes) => parsed.legal = codes,
                ("illegal", codes) => parsed.illegal = codes,
                ("mate", plies) if let Ok(plies) = plies.parse() => parsed.mate = Some(plies),
                (word, "") if let Some(outcome) = Outcome::from_result_word(word) => {
                    parsed.outcome = outcome;
                }
                _ => panic!(
                    "{line}: {field:?}: expected with, legal, illegal, mate, p1win, p2win or draw"
                ),
            }
        }
        parsed
    }

    /// The options as names and values.
    pub fn options(&self) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        let pairs = self.options.split_whitespace();
        pairs.filter_map(|pair| pair.split_once('='))
    }

    /// The position string; `None` for the start position.
    pub fn fen(&self) -> Option<&'static str> {
        (self.position != "startpos").then_some(self.position)
    }

    /// The codes of the moves.
    pub fn moves(&self) -> Vec<String> {
        self.moves.split_whitespace().map(str::to_owned).collect()
    }
}
