//! A game in progress under changed rules.

use kit::game_entry::PositionLine;
use kit::{DynHistory, GameEntry, Options, Outcome, Side};

/// A mutant: its name and its change.
pub(crate) type Mutant = (&'static str, Spoil);

/// The one change.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Spoil {
    /// Changes the options before the rules read them.
    Options(fn(&mut Options)),
    /// Changes the position string before the rules read it.
    Fen(fn(&str) -> String),
    /// The outcome, if the game is over.
    Outcome(fn(&Play) -> Option<Outcome>),
    /// The legal moves of an unfinished game.
    Moves(fn(&Play) -> Vec<String>),
    /// The side to move.
    Side(fn(&Play) -> Side),
    /// A line of the sound engine's output; the function may end the process instead.
    Said(fn(&mut Talk, &str) -> String),
    /// A `position` line with an illegal move sets the position before that move.
    Partly,
}

/// Counters of the dialogue.
#[derive(Debug, Default)]
pub(crate) struct Talk {
    /// Searches answered.
    pub(crate) n_searches: usize,
    /// Moves of the last `position` line.
    pub(crate) n_moves: usize,
}

/// The position after a move, by the sound rules.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stage {
    pub(crate) fen: String,
    pub(crate) side: Side,
    pub(crate) outcome: Option<Outcome>,
}

/// The moves since the initial position, and the positions after them.
pub(crate) struct Play {
    spoil: Spoil,
    entry: &'static GameEntry,
    options: Options,
    /// The game by the sound rules.
    sound: Box<dyn DynHistory>,
    /// `true` if a move was played that is illegal under the sound rules.
    is_beyond: bool,
    pub(crate) codes: Vec<String>,
    /// One per move, and one for the initial position.
    pub(crate) stages: Vec<Stage>,
    /// The current outcome, if any. Cached because some mutants take long to compute it.
    outcome: Option<Outcome>,
}

impl Play {
    pub(crate) fn start(
        entry: &'static GameEntry,
        options: &Options,
        spoil: Spoil,
        fen: Option<&str>,
    ) -> Result<Play, String> {
        let mut options = options.clone();
        if let Spoil::Options(change) = spoil {
            change(&mut options);
        }
        let fen = match (spoil, fen) {
            (Spoil::Fen(change), Some(fen)) => Some(change(fen)),
            _ => fen.map(str::to_owned),
        };
        let sound = open(entry, &options, fen.as_deref())?;
        let mut play = Play {
            spoil,
            entry,
            options,
            stages: vec![stage(&*sound)],
            sound,
            is_beyond: false,
            codes: Vec::new(),
            outcome: None,
        };
        play.adjudicate();
        Ok(play)
    }

    /// An independent copy of the game.
    pub(crate) fn fork(&self) -> Play {
        Play {
            options: self.options.clone(),
            sound: self.sound.fork(),
            codes: self.codes.clone(),
            stages: self.stages.clone(),
            ..*self
        }
    }

    pub(crate) fn now(&self) -> &Stage {
        self.stages
            .last()
            .expect("there is one before the first move")
    }

    /// The legal moves by the sound rules.
    pub(crate) fn sound_moves(&self) -> Vec<String> {
        match self.is_beyond {
            true => Vec::new(),
            false => self.sound.moves(),
        }
    }

    /// The outcome after a move by the sound rules, without draws by repetition.
    pub(crate) fn outcome_after(&self, code: &str) -> Option<Outcome> {
        let mut next = self.sound.fork();
        next.play(code).ok()?;
        next.outcome()
    }

    /// The value of an option.
    pub(crate) fn option(&self, name: &str) -> &str {
        self.options.text(name)
    }

    /// Occurrences of the current board with the same side to move, the current one included. The board and the side
    /// are the first two fields of a position string.
    pub(crate) fn occurrences(&self) -> usize {
        let place = |stage: &Stage| stage.fen.split(' ').take(2).collect::<String>();
        let now = place(self.now());
        let is_same = |stage: &&Stage| place(stage) == now && stage.side == self.now().side;
        self.stages.iter().filter(is_same).count()
    }

    pub(crate) fn side(&self) -> Side {
        match self.spoil {
            Spoil::Side(side) => side(self),
            _ => self.now().side,
        }
    }

    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn adjudicate(&mut self) {
        self.outcome = match self.spoil {
            Spoil::Outcome(outcome) => outcome(self),
            _ => self.now().outcome,
        };
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        match self.spoil {
            _ if self.outcome().is_some() => Vec::new(),
            Spoil::Moves(moves) => moves(self),
            _ => self.sound_moves(),
        }
    }

    /// Plays the codes in one word; in most games a word is one code.
    pub(crate) fn play_word(&mut self, word: &str) -> Result<(), String> {
        let codes: Vec<String> = self
            .sound
            .split_codes(word)
            .into_iter()
            .map(str::to_owned)
            .collect();
        codes.iter().try_for_each(|code| self.play(code))
    }

    fn play(&mut self, code: &str) -> Result<(), String> {
        let code = self.sound.read(code).map_err(|why| why.to_string())?;
        if self.outcome().is_some() {
            return Err(format!("{code}: the game is over"));
        }
        if matches!(self.spoil, Spoil::Moves(_)) && !self.moves().contains(&code) {
            return Err(format!("{code}: not legal"));
        }
        if self.sound.outcome().is_some() {
            // A draw by repetition. A game opened from the position string has no earlier positions.
            self.sound = open(self.entry, &self.options, Some(&self.now().fen))?;
        }
        let next = match self.sound.play(&code) {
            Ok(_) => stage(&*self.sound),
            Err(why) if !matches!(self.spoil, Spoil::Moves(_)) => return Err(why.to_string()),
            Err(_) => {
                self.is_beyond = true;
                let side = self.now().side.other();
                Stage {
                    side,
                    ..self.now().clone()
                }
            }
        };
        self.stages.push(next);
        self.codes.push(code);
        self.adjudicate();
        Ok(())
    }

    /// `true` if the sound engine has the same position and the game is not over.
    pub(crate) fn is_sound(&self) -> bool {
        !self.is_beyond && self.now().outcome.is_none()
    }

    pub(crate) fn fen(&self) -> &str {
        &self.now().fen
    }
}

fn open(
    entry: &'static GameEntry,
    options: &Options,
    fen: Option<&str>,
) -> Result<Box<dyn DynHistory>, String> {
    let line = PositionLine { fen, moves: &[] };
    entry
        .source
        .open(options, line)
        .map_err(|why| why.to_string())
}

fn stage(sound: &dyn DynHistory) -> Stage {
    Stage {
        fen: sound.fen(),
        side: sound.side(),
        outcome: sound.outcome(),
    }
}
