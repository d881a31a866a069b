//! The playing strength of the built-in engines.

use record::engine_spec::{EngineSpec, Program};

use crate::seat::Seat;

/// The engine option for playing strength.
pub(super) const LEVEL: &str = "Skill Level";

/// The level shared by the built-in engines in the seats, or the helper's level if none has a seat; `None` for full
/// strength or different levels.
pub(super) fn level<'a>(seats: impl Iterator<Item = &'a Seat>, helper: &EngineSpec) -> Option<u32> {
    let at_seats = seats.filter(|seat| seat.is_auto).map(|seat| &seat.spec);
    let mut levels = at_seats
        .filter(|spec| spec.program == Program::Builtin)
        .map(level_of);
    let Some(first) = levels.next() else {
        return level_of(helper);
    };
    first.filter(|_| levels.all(|level| level == first))
}

fn level_of(spec: &EngineSpec) -> Option<u32> {
    let mut options = spec.options.iter().rev();
    let (_, value) = options.find(|(name, _)| name.eq_ignore_ascii_case(LEVEL))?;
    value.as_ref()?.parse().ok()
}
