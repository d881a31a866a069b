//! A game in progress under changed rules.

use draw::{Board, TextPage, View};
use kit::game_entry::{GameSource, Opened, PositionLine};
use kit::search::proof::{Proof, ProofTable};
use kit::search::{Control, Limits, Progress, Request, Searcher};
use kit::{Bench, DynHistory, OptionDecl, Options, Outcome, Rejection, Side, uct};

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
    /// A `position` line with an illegal move sets the position before that move.
    Partly,
}

/// A game with one rule changed.
#[derive(Debug)]
pub(crate) struct Spoilt {
    pub(crate) sound: &'static dyn GameSource,
    pub(crate) spoil: Spoil,
}

impl GameSource for Spoilt {
    fn options(&self) -> Vec<OptionDecl> {
        self.sound.options()
    }

    fn open(&self, options: &Options, line: PositionLine<'_>) -> Opened {
        let mut spoilt = options.clone();
        if let Spoil::Options(change) = self.spoil {
            change(&mut spoilt);
        }
        let sound = self.sound.open(&spoilt, line)?;
        let plain = self.sound.open(options, line)?;
        Ok(Box::new(Play::new(self.spoil, spoilt, plain, sound)))
    }

    fn engine(&self) -> Option<(&'static str, Bench)> {
        self.sound.engine()
    }
}

/// The position after a move, by the sound rules.
#[derive(Debug, Clone)]
pub(crate) struct Stage {
    pub(crate) fen: String,
    pub(crate) side: Side,
    pub(crate) outcome: Option<Outcome>,
}

/// The moves since the initial position, and the positions after them.
pub(crate) struct Play {
    spoil: Spoil,
    options: Options,
    /// The first position by unchanged rules and options.
    plain: Box<dyn DynHistory>,
    /// The game by the sound rules.
    sound: Box<dyn DynHistory>,
    /// `true` if a move was played that is illegal under the sound rules.
    is_beyond: bool,
    /// `true` after an illegal move that [`Spoil::Partly`] ignores with those behind it.
    is_stuck: bool,
    pub(crate) codes: Vec<String>,
    /// One per move, and one for the initial position.
    pub(crate) stages: Vec<Stage>,
}

impl Play {
    fn new(
        spoil: Spoil,
        options: Options,
        plain: Box<dyn DynHistory>,
        sound: Box<dyn DynHistory>,
    ) -> Play {
        Play {
            spoil,
            options,
            plain,
            stages: vec![stage(&*sound)],
            sound,
            is_beyond: false,
            is_stuck: false,
            codes: Vec::new(),
        }
    }

    pub(crate) fn now(&self) -> &Stage {
        self.stages
            .last()
            .expect("there is one before the first move")
    }

    pub(crate) fn position(&self) -> &str {
        &self.now().fen
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

    /// A draw at the `limit`-th occurrence of a position instead of the third. The board and the side are the first two
    /// fields of a position string.
    pub(crate) fn repetition(&self, limit: usize) -> Option<Outcome> {
        let place = |stage: &Stage| stage.fen.split(' ').take(2).collect::<String>();
        let now = place(self.now());
        let is_same = |stage: &&Stage| place(stage) == now;
        let n = self.stages.iter().filter(is_same).count();
        let drawn = (n >= limit).then_some(Outcome::Draw);
        match self.now().outcome {
            Some(Outcome::Draw) if n >= 3 => drawn,
            outcome => outcome.or(drawn),
        }
    }

    fn try_play(&mut self, code: &str) -> Result<String, Rejection> {
        let code = self.sound.read(code)?;
        let chooses = matches!(self.spoil, Spoil::Moves(_));
        if chooses && !self.moves().contains(&code) {
            return Err(Rejection(format!("{code}: not legal")));
        }
        if self.sound.outcome().is_some() {
            // A draw by repetition. A game opened from the position string has no earlier positions.
            self.sound = self.sound.begun_at(self.position())?;
        }
        let next = match self.sound.play(&code) {
            Ok(_) => stage(&*self.sound),
            Err(why) if !chooses => return Err(why),
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
        self.codes.push(code.clone());
        Ok(code)
    }
}

fn stage(sound: &dyn DynHistory) -> Stage {
    Stage {
        fen: sound.fen(),
        side: sound.side(),
        outcome: sound.outcome(),
    }
}

/// The queries of a session. The sound game answers those that no mutant changes.
impl DynHistory for Play {
    fn side(&self) -> Side {
        match self.spoil {
            Spoil::Side(side) => side(self),
            _ => self.now().side,
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        match self.spoil {
            Spoil::Outcome(outcome) => outcome(self),
            _ => self.now().outcome,
        }
    }

    fn moves(&self) -> Vec<String> {
        match self.spoil {
            _ if self.outcome().is_some() => Vec::new(),
            Spoil::Moves(moves) => moves(self),
            _ => self.sound_moves(),
        }
    }

    fn played(&self) -> Vec<String> {
        self.codes.clone()
    }

    fn play(&mut self, code: &str) -> Result<String, Rejection> {
        if self.is_stuck {
            return Ok(code.to_owned());
        }
        let played = self.try_play(code);
        match (self.spoil, played) {
            (Spoil::Partly, Err(_)) => {
                self.is_stuck = true;
                Ok(code.to_owned())
            }
            (_, played) => played,
        }
    }

    fn read(&self, code: &str) -> Result<String, Rejection> {
        self.sound.read(code)
    }

    fn split_codes<'a>(&self, word: &'a str) -> Vec<&'a str> {
        self.sound.split_codes(word)
    }

    fn fork(&self) -> Box<dyn DynHistory> {
        Box::new(Play {
            options: self.options.clone(),
            plain: self.plain.fork(),
            sound: self.sound.fork(),
            codes: self.codes.clone(),
            stages: self.stages.clone(),
            ..*self
        })
    }

    fn begun_at(&self, text: &str) -> Opened {
        let plain = self.plain.begun_at(text)?;
        let sound = match self.spoil {
            Spoil::Fen(change) => self.sound.begun_at(&change(text))?,
            _ => self.sound.begun_at(text)?,
        };
        let options = self.options.clone();
        Ok(Box::new(Play::new(self.spoil, options, plain, sound)))
    }

    fn without_past(&self) -> Box<dyn DynHistory> {
        self.begun_at(self.position())
            .expect("a position of the game")
    }

    fn undo(&mut self) -> bool {
        unreachable!("a session takes no move back")
    }

    fn divide(
        &mut self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        self.sound.divide(depth, is_stopped, each)
    }

    fn ply(&self) -> usize {
        self.codes.len()
    }

    fn fen(&self) -> String {
        self.position().to_owned()
    }

    fn shape(&self) -> String {
        self.plain.shape()
    }

    fn page(&self, view: View) -> TextPage {
        self.sound.page(view)
    }

    fn diagram(&self, view: View) -> Board {
        self.sound.diagram(view)
    }

    fn side_names(&self) -> [String; 2] {
        self.sound.side_names()
    }

    fn explain(&self) -> Option<String> {
        self.sound.explain()
    }

    /// The search of the sound engine, or playouts where it knows no move.
    fn search(
        &self,
        searcher: &mut Searcher,
        request: &Request,
        control: &Control,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Progress {
        let known = self.sound_moves();
        let mut sound = request.clone();
        sound.moves.retain(|code| known.contains(code));
        match sound.moves.is_empty() {
            true => uct::search(self.fork(), request, control, on_progress),
            false => self.sound.search(searcher, &sound, control, on_progress),
        }
    }

    fn prove(
        &self,
        table: &mut ProofTable,
        moves: &[String],
        within: u32,
        limits: (&Limits, &Control),
    ) -> Proof {
        self.sound.prove(table, moves, within, limits)
    }
}
