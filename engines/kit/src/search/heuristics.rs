//! The heuristics beyond plain alpha-beta. Each can be switched off.

macro_rules! heuristics {
    ($($(#[$doc:meta])* $field:ident = $name:literal;)*) => {
        /// The heuristics in use. The option `Disable` switches one off, so that matches can measure its effect.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct Heuristics {
            $($(#[$doc])* pub $field: bool,)*
        }

        impl Heuristics {
            /// All heuristics.
            pub const FULL: Heuristics = Heuristics { $($field: true,)* };

            /// The values of the option `Disable`.
            pub const NAMES: &[&str] = &["nothing", $($name,)*];

            /// All heuristics except one of [`NAMES`](Heuristics::NAMES); all of them for `nothing` and any other text.
            pub fn without(name: &str) -> Heuristics {
                Heuristics { $($field: name != $name,)* }
            }
        }
    };
}

heuristics! {
    /// Late move reductions: late moves are first searched to a lower depth.
    reductions = "reductions";
    /// Late move pruning: near the leaves, late moves are not searched.
    pruning = "pruning";
    /// Aspiration windows: an iteration begins with a narrow window around the last score.
    aspiration = "aspiration";
    /// Table entries with more depth than needed give cutoffs.
    deeper_entries = "deeper-entries";
    /// Extension of positions with a single legal move by one ply.
    extensions = "extensions";
    /// Killer moves: moves that refuted a sibling position are tried early.
    killers = "killers";
    /// History heuristic: moves that refuted other positions are tried early.
    history = "history";
    /// The game's [`move_priors`](crate::Evaluate::move_priors) in the move ordering.
    move_priors = "move-priors";
    /// The game's [`win_in_one`](crate::Evaluate::win_in_one), which ends a line one ply early.
    win_in_one = "win-in-one";
    /// The game's [`known_result`](crate::Evaluate::known_result).
    known_results = "known-results";
}
