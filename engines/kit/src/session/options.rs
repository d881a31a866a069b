//! The options that every engine has: their values, and `setoption`.

use std::sync::{Arc, Mutex};

use protocol::{OptionDecl, OptionKind, Reply};

use super::position::start;
use super::tables::OpenTable;
use super::{Session, lock};
use crate::search::{Heuristics, Ladder, MAX_LEVEL, Method, Rung, Searcher};
use crate::{DynHistory, Options, Rejection};

/// The values of the option `Search`.
const METHODS: [(&str, Method); 3] = [
    ("best", Method::Best),
    ("pvs", Method::Pvs),
    (RANDOM, Method::Random),
];

/// The playing strength, up to full strength at the top of the range.
pub const SKILL_LEVEL: &str = "Skill Level";

/// Lets `UCI_Elo` decide the playing strength, and not [`SKILL_LEVEL`].
pub const LIMIT_STRENGTH: &str = "UCI_LimitStrength";

/// The playing strength in Elo points over a player that moves at random.
pub const ELO: &str = "UCI_Elo";

/// The default of [`ELO`].
pub const DEFAULT_ELO: i32 = 1_000;

/// The seed of an engine's random numbers.
pub const SEED: &str = "Seed";

const SEARCH: &str = "Search";
const RANDOM: &str = "random";

/// The file or folder of endgame tables.
pub const TABLE_PATH: &str = "TablePath";

/// The file of the weights that the engine trains while it plays.
pub const LEARN: &str = "Learn";

/// The result of the last position's game if that did not end by the rules: `p1win`, `p2win` or `draw`. The engine then
/// learns from it.
pub const LEARN_RESULT: &str = "LearnResult";

/// All options of an engine in the order of declaration: general ones, the board's, those for developers.
pub fn declared(learns: bool, board: Vec<OptionDecl>) -> Vec<OptionDecl> {
    let mut options = vec![
        OptionDecl::spin("Hash", 16, 1, 65_536),
        OptionDecl::spin("Threads", 1, 1, 256),
        OptionDecl::spin("MultiPV", 1, 1, 256),
        OptionDecl::check("Ponder", false),
        OptionDecl::spin("Move Overhead", 30, 0, 10_000),
        OptionDecl::spin(SKILL_LEVEL, MAX_LEVEL.into(), 0, MAX_LEVEL.into()),
        OptionDecl::check(LIMIT_STRENGTH, false),
        OptionDecl::spin(ELO, DEFAULT_ELO.into(), 0, 3_000),
        OptionDecl::spin(SEED, 0, 0, i64::MAX),
        OptionDecl::text(TABLE_PATH),
    ];
    if learns {
        options.extend([LEARN, LEARN_RESULT].map(OptionDecl::text));
    }
    options.extend(board);
    options.push(OptionDecl::combo(SEARCH, &METHODS.map(|(name, _)| name)));
    options.push(OptionDecl::combo("Disable", Heuristics::NAMES));
    options
}

impl Session {
    /// Checks that the system has memory for the table.
    ///
    /// # Errors
    /// It has not; the text names the size.
    pub fn check_memory(&self) -> Result<(), Rejection> {
        match lock(&self.searcher).has_memory() {
            true => Ok(()),
            false => Err(no_memory(&self.options)),
        }
    }

    pub(super) fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Vec<Reply>, Rejection> {
        let mut options = self.options.clone();
        let board = self.entry.source.options();
        let is = |own: &str| own.eq_ignore_ascii_case(name);
        let is_of_board = board.iter().any(|decl| is(&decl.name));
        if !self.has_engine() {
            // Only the board's options are declared.
            Options::new(board).set(name, value)?;
        }
        options.set(name, value)?;
        if is("Hash") || is("Threads") {
            let searcher = searcher(&options);
            if is("Hash") && !searcher.has_memory() {
                return Err(no_memory(&options));
            }
            self.searcher = Arc::new(Mutex::new(searcher));
        } else if is_of_board {
            self.game = self.learning.with_weights(start(self.entry, &options));
        } else if is(TABLE_PATH) {
            let path = options.text(TABLE_PATH);
            let opened = OpenTable::open(path, self.game.as_ref());
            if let Some(Err(why)) = opened.report {
                return Err(Rejection(why));
            }
            self.table = opened;
        } else if is(LEARN) {
            let game = start(self.entry, &options);
            self.learning.open(options.text(LEARN), game.n_inputs())?;
            self.game = self.learning.with_weights(game);
        } else if is(LEARN_RESULT) {
            // It concerns one game, so it is not kept.
            return self.learn_result(options.text(LEARN_RESULT));
        }
        self.options = options;
        Ok(Vec::new())
    }
}

fn no_memory(options: &Options) -> Rejection {
    let mib = options.text("Hash");
    Rejection(format!("Hash: {mib} MiB cannot be allocated"))
}

/// Creates the searcher with the values of `Hash` and `Threads`.
pub(super) fn searcher(options: &Options) -> Searcher {
    Searcher::new(spin(options, "Hash"), spin(options, "Threads"))
}

/// The strength that `UCI_Elo` selects if `UCI_LimitStrength` is on, otherwise that of `Skill Level`.
pub(super) fn skill(options: &Options, board: &dyn DynHistory) -> Option<Rung> {
    let ladder = board.ladder().unwrap_or(Ladder::UNMEASURED);
    match options.check(LIMIT_STRENGTH) {
        true => Some(ladder.at_elo(spin(options, ELO))),
        false => ladder.at_level(spin(options, SKILL_LEVEL)),
    }
}

/// `true` if these options of any engine select a strength below the full one, so that it errs at random.
pub fn errs_at_random(options: &Options) -> bool {
    let is_weaker = |(decl, (name, value)): (&OptionDecl, (&str, &str))| {
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        match &decl.kind {
            OptionKind::Check { .. } => is(LIMIT_STRENGTH) && value == "true",
            OptionKind::Spin { max, .. } => is(SKILL_LEVEL) && value != max.to_string(),
            OptionKind::Combo { .. } => is(SEARCH) && value == RANDOM,
            _ => false,
        }
    };
    options.declared().zip(options.values()).any(is_weaker)
}

/// The value of `Search`.
pub(super) fn method(options: &Options) -> Method {
    let name = options.text(SEARCH);
    let named = METHODS.iter().find(|method| method.0 == name);
    named.map_or(Method::Best, |method| method.1)
}

/// The heuristics without the one that `Disable` names.
pub(super) fn heuristics(options: &Options) -> Heuristics {
    Heuristics::without(options.text("Disable"))
}

/// The value of a spin option, which is within its declared range.
pub(super) fn spin<N: TryFrom<i64>>(options: &Options, name: &str) -> N {
    N::try_from(options.spin(name))
        .ok()
        .expect("the declared range fits")
}
