//! What the search does besides plain alpha-beta, and what it is without one of these.

/// The techniques in use. Each can be left out, so that its worth can be measured: by the option `Without`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristic {
    /// Late moves are first searched less deep.
    pub reductions: bool,
    /// The first window of an iteration is narrow.
    pub aspiration: bool,
    /// The table's results of deeper searches stand for shallower ones.
    pub deeper_entries: bool,
    /// A move without alternative costs no depth.
    pub extensions: bool,
    /// Moves that refuted a sibling go early.
    pub killers: bool,
    /// Moves that refuted other positions go early.
    pub history: bool,
    /// The game's own idea of a good move decides the order where nothing is known.
    pub promises: bool,
    /// A win at the next move is seen without a search.
    pub win_in_one: bool,
    /// What the game works out before the search is made use of.
    pub prospects: bool,
}

impl Heuristic {
    /// What plays best.
    pub const FULL: Heuristic = Heuristic {
        reductions: true,
        aspiration: true,
        deeper_entries: true,
        extensions: true,
        killers: true,
        history: true,
        promises: true,
        win_in_one: true,
        prospects: true,
    };

    /// Nothing that could change the value of the tree to the given depth.
    pub const EXACT: Heuristic = Heuristic {
        reductions: false,
        aspiration: false,
        deeper_entries: false,
        extensions: false,
        prospects: false,
        ..Heuristic::FULL
    };

    /// What can be left out, by name; `nothing` is one of them.
    pub const PARTS: [&str; 10] = [
        "nothing",
        "reductions",
        "aspiration",
        "deeper-entries",
        "extensions",
        "killers",
        "history",
        "promises",
        "win_in_one",
        "prospects",
    ];

    /// Everything but one of [`PARTS`](Heuristic::PARTS).
    pub fn without(part: &str) -> Heuristic {
        let mut technique = Heuristic::FULL;
        match part {
            "reductions" => technique.reductions = false,
            "aspiration" => technique.aspiration = false,
            "deeper-entries" => technique.deeper_entries = false,
            "extensions" => technique.extensions = false,
            "killers" => technique.killers = false,
            "history" => technique.history = false,
            "promises" => technique.promises = false,
            "win_in_one" => technique.win_in_one = false,
            "prospects" => technique.prospects = false,
            _ => {}
        }
        technique
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_leaves_something_else_out() {
        let mut seen = Vec::new();
        for part in Heuristic::PARTS {
            let technique = Heuristic::without(part);
            assert!(!seen.contains(&technique), "{part}");
            seen.push(technique);
        }
        assert_eq!(seen[0], Heuristic::FULL);
    }
}
