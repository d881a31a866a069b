//! The heuristics beyond plain alpha-beta. Each can be switched off.

/// The heuristics in use. The option `Disable` switches one off, so that matches can measure its effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristics {
    /// Late move reductions: late moves are first searched to a lower depth.
    pub reductions: bool,
    /// Late move pruning: near the leaves, late moves are not searched.
    pub pruning: bool,
    /// Aspiration windows: an iteration begins with a narrow window around the last score.
    pub aspiration: bool,
    /// Table entries with more depth than needed give cutoffs.
    pub deeper_entries: bool,
    /// Extension of positions with a single legal move by one ply.
    pub extensions: bool,
    /// Killer moves: moves that refuted a sibling position are tried early.
    pub killers: bool,
    /// History heuristic: moves that refuted other positions are tried early.
    pub history: bool,
    /// The game's [`move_priors`](crate::Evaluate::move_priors) in the move ordering.
    pub move_priors: bool,
    /// The game's [`win_in_one`](crate::Evaluate::win_in_one), which ends a line one ply early.
    pub win_in_one: bool,
    /// The game's [`known_result`](crate::Evaluate::known_result).
    pub known_results: bool,
}

impl Heuristics {
    /// All heuristics.
    pub const FULL: Heuristics = Heuristics {
        reductions: true,
        pruning: true,
        aspiration: true,
        deeper_entries: true,
        extensions: true,
        killers: true,
        history: true,
        move_priors: true,
        win_in_one: true,
        known_results: true,
    };

    /// Only the heuristics that do not change the minimax value at a given depth.
    pub const EXACT: Heuristics = Heuristics {
        reductions: false,
        pruning: false,
        aspiration: false,
        deeper_entries: false,
        extensions: false,
        known_results: false,
        ..Heuristics::FULL
    };

    /// The values of the option `Disable`.
    pub const NAMES: [&str; 11] = [
        "nothing",
        "reductions",
        "pruning",
        "aspiration",
        "deeper-entries",
        "extensions",
        "killers",
        "history",
        "move-priors",
        "win-in-one",
        "known-results",
    ];

    /// All heuristics except one of [`NAMES`](Heuristics::NAMES); all of them for `nothing` and any other text.
    pub fn without(name: &str) -> Heuristics {
        let mut heuristics = Heuristics::FULL;
        match name {
            "reductions" => heuristics.reductions = false,
            "pruning" => heuristics.pruning = false,
            "aspiration" => heuristics.aspiration = false,
            "deeper-entries" => heuristics.deeper_entries = false,
            "extensions" => heuristics.extensions = false,
            "killers" => heuristics.killers = false,
            "history" => heuristics.history = false,
            "move-priors" => heuristics.move_priors = false,
            "win-in-one" => heuristics.win_in_one = false,
            "known-results" => heuristics.known_results = false,
            _ => {}
        }
        heuristics
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_disables_something_else() {
        let mut seen = Vec::new();
        for name in Heuristics::NAMES {
            let heuristics = Heuristics::without(name);
            assert!(!seen.contains(&heuristics), "{name}");
            seen.push(heuristics);
        }
        assert_eq!(seen[0], Heuristics::FULL);
    }
}
