//! The playing strength of the built-in engines.

use crate::model::{Amount, Mover, Ply, Refusal, TableEvent};
use kit::Side;
use kit::search::{Ladder, MAX_LEVEL};
use kit::session::{DEFAULT_ELO, ELO, LIMIT_STRENGTH, SKILL_LEVEL};
use record::engine_spec::{EngineSpec, Program};
use record::game::GameResult;
use record::opening::Opening;

use crate::adaptive::{LevelChoice, Rating, score, set_level};
use crate::error::{TableError, failed};
use crate::journal::JournalEntry;
use crate::seat::{Holder, Seat};
use crate::state::Table;

impl Table {
    /// Sets the playing strength of the engines.
    pub(super) fn choose_level(&mut self, choice: LevelChoice) -> Result<(), TableError> {
        let (level, is_adaptive) = match choice {
            LevelChoice::Fixed(level) => (level, false),
            LevelChoice::Adaptive(_) => (self.rating()?.level(self.ladder()), true),
        };
        Amount::Level.check(level.into(), 0.0..=MAX_LEVEL.into())?;
        self.set_level(level)?;
        self.is_adaptive = is_adaptive;
        self.tell_all(TableEvent::LevelChanged { level, is_adaptive });
        Ok(())
    }

    /// Forgets the person's results in this game.
    pub(super) fn forget_results(&mut self) -> Result<(), TableError> {
        self.store_rating(None)?;
        self.send_note("follows no earlier game".to_owned());
        match self.is_adaptive {
            true => self.choose_level(LevelChoice::ADAPTIVE),
            false => Ok(()),
        }
    }

    /// Counts a finished game for the person's rating, and sets the level of the next game. A failure only ends the
    /// adaptation.
    pub(super) fn adapt(&mut self, result: GameResult) {
        if let Err(error) = self.try_adapt(result) {
            self.is_adaptive = false;
            self.send_note(format!("ends: {error}"));
        }
    }

    fn send_note(&mut self, text: String) {
        let note = TableEvent::note("level adaptive", text);
        self.tell_all(note);
    }

    fn try_adapt(&mut self, result: GameResult) -> Result<(), TableError> {
        let Some(person) = self.rated_side().filter(|_| self.is_adaptive) else {
            return Ok(());
        };
        let (Some(score), Some(level)) = (score(result, person), self.level) else {
            return Ok(());
        };
        let (ladder, mut rating) = (self.ladder(), self.rating()?);
        rating.count(ladder, level, score);
        self.store_rating(Some(rating))?;
        match rating.level(ladder) {
            next if next != level => self.choose_level(LevelChoice::ADAPTIVE),
            _ => Ok(()),
        }
    }

    /// The side of the host, if a built-in engine plays the other side, and each made all of their moves and at least
    /// one move was made. An engine that learns has another strength than its level's, and a game from another position
    /// than the start may be won from the beginning, as that of a puzzle.
    fn rated_side(&self) -> Option<Side> {
        let is_whole =
            self.seats.iter().all(|seats| seats.len() == 1) && self.opening == Opening::default();
        let person = Side::BOTH.into_iter().find(|side| {
            let [own, other] = [*side, side.other()].map(|side| self.seat_id(side));
            let is_hosts = matches!(self.seat_at(own).holder, Holder::Host);
            let spec = &self.seat_at(other).spec;
            let is_engines = spec.program == Program::Builtin && spec.learning_file().is_none();
            self.is_persons(own) && is_hosts && !self.is_persons(other) && is_engines
        })?;
        let mut moves = self.tree.line().peekable();
        let is_own = |ply: &Ply| (ply.side == person) == (ply.by == Mover::Person);
        let is_played = moves.peek().is_some() && moves.all(is_own);
        (is_whole && is_played).then_some(person)
    }

    fn ladder(&self) -> Ladder {
        self.rules.ladder().unwrap_or(Ladder::UNMEASURED)
    }

    fn rating(&self) -> Result<Rating, TableError> {
        let ratings = self.setup.ratings.as_ref().ok_or(Refusal::NoRatings)?;
        let rating = ratings.load(&self.rules.spec().to_string());
        let rating = rating.map_err(failed)?;
        Ok(rating.unwrap_or_else(|| Rating::first(self.ladder())))
    }

    fn store_rating(&self, rating: Option<Rating>) -> Result<(), TableError> {
        if let Some(ratings) = &self.setup.ratings {
            let stored = ratings.store(&self.rules.spec().to_string(), rating);
            stored.map_err(failed)?;
        }
        Ok(())
    }

    fn set_level(&mut self, level: u32) -> Result<(), TableError> {
        self.set_running(SKILL_LEVEL, &level.to_string())?;
        let seats = self.seats.iter_mut().flatten();
        let seats = seats.filter(|seat| has_elo(&seat.spec));
        for engine in seats.filter_map(|seat| seat.engine.as_mut()) {
            let set = engine.set_option(LIMIT_STRENGTH, "false");
            set.map_err(|reason| Refusal::Engine { reason })?;
        }
        self.note(&JournalEntry::Level(level))?;
        let seats = self.seats.iter_mut().flatten();
        set_level(seats.map(|seat| &mut seat.spec), level);
        let planned = self.setup.plan.engines.iter_mut();
        set_level(planned.chain([&mut self.setup.helper]), level);
        self.level = Some(level);
        Ok(())
    }

    /// Sets an option of the helper, which moves for people.
    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<(), TableError> {
        self.set_running(name, value)?;
        self.setup.helper.set(name, value.to_owned());
        for seat in self.seats.iter_mut().flatten() {
            seat.spec.set(name, value.to_owned());
        }
        Ok(())
    }

    /// Sets an option of the running engines. All accept it, or none gets it.
    fn set_running(&mut self, name: &str, value: &str) -> Result<(), TableError> {
        for engine in self.all_seats().filter_map(|seat| seat.engine.as_ref()) {
            let checked = engine.check_option(name, value);
            checked.map_err(|reason| Refusal::Engine { reason })?;
        }
        let seats = self.seats.iter_mut().flatten();
        for engine in seats.filter_map(|seat| seat.engine.as_mut()) {
            let set = engine.set_option(name, value);
            set.map_err(|reason| Refusal::Engine { reason })?;
        }
        Ok(())
    }
}

/// `true` if `UCI_Elo` decides the strength of a built-in engine.
fn has_elo(spec: &EngineSpec) -> bool {
    let value = spec.number::<String>(LIMIT_STRENGTH);
    spec.program == Program::Builtin
        && value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// The level shared by the built-in engines in the seats, or the helper's level if none has a seat; `None` for full
/// strength or different levels. That of an engine whose strength is `UCI_Elo` is the nearest one.
pub(super) fn level<'a>(
    seats: impl Iterator<Item = &'a Seat>,
    helper: &EngineSpec,
    ladder: Ladder,
) -> Option<u32> {
    let level_of = |spec: &EngineSpec| match has_elo(spec) {
        true => Some(ladder.nearest_level(spec.number(ELO).unwrap_or(DEFAULT_ELO.into()))),
        false => spec.number(SKILL_LEVEL),
    };
    let at_seats = seats.filter(|seat| seat.is_auto && seat.spec.program == Program::Builtin);
    let mut levels = at_seats.map(|seat| level_of(&seat.spec));
    let first = levels.next().unwrap_or_else(|| level_of(helper));
    first.filter(|_| levels.all(|level| level == first))
}
