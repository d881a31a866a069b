//! A game in progress by the answers of a program.

use std::sync::Arc;

use draw::{Board, TextPage, View};
use kit::search::proof::{Proof, ProofTable};
use kit::search::{Control, Limits, Progress, Request, Searcher};
use kit::{DynHistory, Outcome, Rejection, Side, uct};
use protocol::Query;
use protocol::text::{excerpt, printable};

use super::engine;
use super::process::Settings;
use super::program::{Facts, Position, RulesProgram, Trouble, extended_key};

/// A game in progress. The `position` line grows with each move.
#[derive(Clone)]
pub(super) struct ProgramHistory {
    pub(super) program: Arc<RulesProgram>,
    pub(super) settings: Arc<Settings>,
    pub(super) line: String,
    /// All positions since the first one.
    steps: Vec<Step>,
    /// The moves between them.
    moves: Vec<String>,
    fault: Option<String>,
}

/// A position of the game with the key of its line.
#[derive(Clone)]
struct Step {
    key: u128,
    position: Arc<Position>,
    side: Side,
    outcome: Option<Outcome>,
}

impl ProgramHistory {
    /// Begins a game at a position string, or at the start position. If the program has failed, the game has no moves
    /// and a [`fault`](DynHistory::fault).
    ///
    /// # Errors
    /// The program rejects the position.
    pub(super) fn begin(
        program: Arc<RulesProgram>,
        settings: Settings,
        fen: Option<&str>,
    ) -> Result<ProgramHistory, Rejection> {
        let line = match fen {
            Some(fen) => format!("position fen {fen}"),
            None => "position startpos".to_owned(),
        };
        let of_options = settings.iter().fold(0, |key, (name, value)| {
            extended_key(extended_key(key, name), value)
        });
        let key = extended_key(of_options, &line);
        let mut history = ProgramHistory {
            program,
            settings: Arc::new(settings),
            line,
            steps: Vec::new(),
            moves: Vec::new(),
            fault: None,
        };
        match history.step(key, &history.line) {
            Ok(step) => history.steps.push(step),
            Err(Trouble::Fault(why)) => history.fault = Some(why),
            Err(Trouble::Rejected(why)) if fen.is_some() => return Err(Rejection(why)),
            Err(Trouble::Rejected(why)) => {
                let trouble = history.program.fail(&format!("position startpos: {why}"));
                history.fault = Some(Rejection::from(trouble).0);
            }
        }
        Ok(history)
    }

    /// The position of this line.
    fn step(&self, key: u128, line: &str) -> Result<Step, Trouble> {
        let (position, side, outcome) = self.program.position(&self.settings, key, line)?;
        Ok(Step {
            key,
            position,
            side,
            outcome,
        })
    }

    /// The legal moves. Blocks until they are read. There are none after a failure of the program.
    fn codes(&self) -> impl Iterator<Item = &str> {
        let step = self.steps.last().filter(|_| self.fault().is_none());
        let moves = step.map(|step| self.program.moves(&step.position));
        moves.unwrap_or_default().split_whitespace()
    }

    /// The legal move that a text means.
    fn legal(&self, text: &str) -> Option<&str> {
        let exact = self.codes().find(|code| *code == text);
        exact
            .or_else(|| self.codes().find(|code| code.eq_ignore_ascii_case(text)))
            .or_else(|| self.spelled(text))
    }

    /// The legal move of which this is another spelling, such as `O-O`, by the program. The letter case may tell two moves
    /// apart, as in `bxc3` and `Bxc3`.
    fn spelled(&self, text: &str) -> Option<&str> {
        let is_one = !text.is_empty() && self.outcome().is_none() && self.fault().is_none();
        if !is_one || !self.program.answers(Query::Spellings) {
            return None;
        }
        let asked = self
            .program
            .ask(&self.settings, &self.line, [Query::Spellings]);
        let [answer] = asked.ok()?;
        let words: Vec<&str> = answer.split_whitespace().collect();
        let meant = |is_it: &dyn Fn(&str) -> bool| {
            let has = |code: &&str| {
                let spellings = words
                    .iter()
                    .filter_map(|word| word.strip_prefix(*code)?.strip_prefix('='));
                spellings.into_iter().any(is_it)
            };
            let mut codes = self.codes().filter(has);
            let code = codes.next();
            code.filter(|_| codes.next().is_none())
        };
        meant(&|spelling| spelling == text)
            .or_else(|| meant(&|spelling| spelling.eq_ignore_ascii_case(text)))
    }

    fn line_with(&self, code: &str) -> String {
        let moves = if self.moves.is_empty() { " moves" } else { "" };
        format!("{}{moves} {code}", self.line)
    }

    /// The reason why a move is not legal, without the move: the program's, if it gives one.
    fn reason(&self, code: &str) -> String {
        if let Some(why) = self.fault() {
            return why;
        }
        if self.outcome().is_some() {
            return "the game is over".to_owned();
        }
        let is_word = !code.is_empty() && !code.contains(char::is_whitespace);
        let asked = match is_word {
            true => self
                .program
                .ask_state(&self.settings, &self.line_with(code)),
            false => Err(Trouble::Rejected(String::new())),
        };
        match asked {
            Err(Trouble::Rejected(why)) if !why.is_empty() => {
                let own = why.strip_prefix(code);
                let own = own.and_then(|why| why.trim_start().strip_prefix(':'));
                printable(own.unwrap_or(&why).trim()).into_owned()
            }
            _ => "not among the legal moves".to_owned(),
        }
    }

    fn rejection(&self, code: &str) -> Rejection {
        let code = excerpt(code);
        Rejection(format!("{code}: {}", self.reason(&code)))
    }

    fn facts(&self) -> Facts {
        let step = self.steps.last();
        step.map_or_else(Facts::default, |step| self.program.facts(&step.position))
    }
}

impl DynHistory for ProgramHistory {
    fn side(&self) -> Side {
        self.steps.last().map_or(Side::P1, |step| step.side)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.steps.last()?.outcome
    }

    fn moves(&self) -> Vec<String> {
        self.codes().map(str::to_owned).collect()
    }

    fn play(&mut self, code: &str) -> Result<String, Rejection> {
        let code = self.play_early(code)?;
        let _ = self.codes();
        match self.fault() {
            Some(why) => {
                self.undo();
                self.fault = Some(why.clone());
                Err(Rejection(why))
            }
            None => Ok(code),
        }
    }

    fn play_early(&mut self, code: &str) -> Result<String, Rejection> {
        if let Some(why) = &self.fault {
            return Err(Rejection(why.clone()));
        }
        let Some(code) = self.legal(code).map(str::to_owned) else {
            let rejection = self.rejection(code);
            return Err(self.fault().map_or(rejection, Rejection));
        };
        let line = self.line_with(&code);
        let key = extended_key(self.steps.last().map_or(0, |step| step.key), &code);
        let step = self.step(key, &line).map_err(|trouble| match trouble {
            Trouble::Rejected(why) => {
                let why = format!("lists {code} and rejects it: {why}; {line}");
                self.program.fail(&why)
            }
            fault => fault,
        });
        match step {
            Ok(step) => self.steps.push(step),
            Err(fault) => {
                let Rejection(why) = fault.into();
                self.fault = Some(why.clone());
                return Err(Rejection(why));
            }
        }
        self.line = line;
        self.moves.push(code.clone());
        Ok(code)
    }

    fn read(&self, code: &str) -> Result<String, Rejection> {
        let legal = self.legal(code).map(str::to_owned);
        legal.ok_or_else(|| Rejection(self.reason(&excerpt(code))))
    }

    fn expect(&self, code: &str) {
        if let Some((step, code)) = self.steps.last().zip(self.legal(code)) {
            let key = extended_key(step.key, code);
            self.program
                .ask_ahead(&self.settings, key, &self.line_with(code));
        }
    }

    fn fork(&self) -> Box<dyn DynHistory> {
        Box::new(self.clone())
    }

    fn begun_at(&self, text: &str) -> Result<Box<dyn DynHistory>, Rejection> {
        let (program, settings) = (Arc::clone(&self.program), self.settings.as_ref().clone());
        Ok(Box::new(ProgramHistory::begin(
            program,
            settings,
            Some(text),
        )?))
    }

    fn without_past(&self) -> Box<dyn DynHistory> {
        self.begun_at(&self.fen()).unwrap_or_else(|why| {
            Box::new(ProgramHistory {
                fault: Some(why.0),
                steps: Vec::new(),
                moves: Vec::new(),
                ..self.clone()
            })
        })
    }

    fn undo(&mut self) -> bool {
        let Some(code) = self.moves.pop() else {
            return false;
        };
        let moves = if self.moves.is_empty() { " moves" } else { "" };
        self.line
            .truncate(self.line.len() - moves.len() - 1 - code.len());
        self.steps.pop();
        true
    }

    fn divide(
        &mut self,
        depth: u32,
        is_stopped: &dyn Fn() -> bool,
        each: &mut dyn FnMut(String, u64),
    ) -> Option<u64> {
        if depth == 0 {
            return Some(1);
        }
        let mut total = 0;
        for code in self.moves() {
            if is_stopped() {
                return None;
            }
            let mut after = self.clone();
            let below = match depth {
                1 => 1,
                _ if after.play(&code).is_err() => 0,
                2 => after.moves().len() as u64,
                _ => after.divide(depth - 1, is_stopped, &mut |_, _| {})?,
            };
            each(code, below);
            total += below;
        }
        Some(total)
    }

    fn ply(&self) -> usize {
        self.moves.len()
    }

    fn played(&self) -> Vec<String> {
        self.moves.clone()
    }

    fn fen(&self) -> String {
        self.facts().fen
    }

    fn shape(&self) -> String {
        self.facts().shape
    }

    fn search(
        &self,
        _searcher: &mut Searcher,
        request: &Request<String>,
        control: &Control,
        tell: &mut dyn FnMut(&Progress<String>),
    ) -> Progress<String> {
        uct::search(self.fork(), request, control, tell)
    }

    fn prove(
        &self,
        _table: &mut ProofTable,
        moves: &[String],
        within: u32,
        (limits, _): (&Limits, &Control),
    ) -> Proof<String> {
        engine::prove(self.fork(), moves, within, limits)
    }

    fn page(&self, view: View) -> TextPage {
        self.text_page(&view)
    }

    fn diagram(&self, view: View) -> Board {
        self.board(&view)
    }

    fn side_names(&self) -> [String; 2] {
        let introduction = self.program.introduction();
        let names = introduction.map(|introduction| introduction.sides.clone());
        names.unwrap_or_else(|_| Side::BOTH.map(|side| side.to_string()))
    }

    fn explain(&self) -> Option<String> {
        None
    }

    fn fault(&self) -> Option<String> {
        self.fault
            .clone()
            .or_else(|| self.program.failure().map(str::to_owned))
    }
}
