//! The game's table of rule-test positions, grouped by the options that they need.

use kit::CheckPosition;
use record::game_spec::GameSpec;
use record::registry::Rules;
use referee::player::SetOption;

use crate::case::Case;

/// Positions of the table with the same options.
#[derive(Debug)]
pub(super) struct Chapter {
    /// The rules of the game with these options.
    pub(super) rules: Rules,
    /// Options to set when the process starts.
    pub(super) options: Vec<SetOption>,
    pub(super) positions: Vec<CheckPosition>,
}

impl Case<'_> {
    /// Returns the table grouped by options, and the number of positions omitted because the engine rejects their
    /// options.
    pub(super) fn chapters(&self) -> (Vec<Chapter>, usize) {
        let Ok(rules) = &self.rules else {
            return (Vec::new(), 0);
        };
        let table = rules.entry().check_positions();
        let chapters = table
            .chunk_by(|one, next| one.options == next.options)
            .filter_map(|positions| self.chapter(rules, positions));
        let chapters: Vec<Chapter> = chapters.collect();
        let n_kept: usize = chapters.iter().map(|chapter| chapter.positions.len()).sum();
        (chapters, table.len() - n_kept)
    }

    /// Returns a chapter without positions on the default board; `None` if the engine does not play on it.
    pub(super) fn default_board(&self) -> Option<Chapter> {
        self.chapter(self.rules.as_ref().ok()?, &[])
    }

    fn chapter(&self, rules: &Rules, positions: &[CheckPosition]) -> Option<Chapter> {
        let first = positions.first().into_iter();
        let options = first.flat_map(CheckPosition::options);
        let spec = GameSpec::new(rules.entry().name, options);
        let registry = self.subject.registry;
        let rules = registry.rules(&spec).expect("a law of every game")?;
        let options = self.options_for(Some(&rules)).ok()?;
        Some(Chapter {
            rules,
            options,
            positions: positions.to_vec(),
        })
    }
}
