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
use super::program::{Facts, Position, RulesProgram, Trouble};

/// A game in progress.
#[derive(Clone)]
pub(super) struct ProgramHistory {
    pub(super) program: Arc<RulesProgram>,
    settings: Arc<Settings>,
    /// All positions since the first one; none if the program has failed at the start.
    positions: Vec<Arc<Position>>,
    /// The moves between them.
    moves: Vec<String>,
    fault: Option<String>,
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
        let settings = Arc::new(settings);
        let first = program.first(&settings, line);
        let mut history = ProgramHistory {
            program,
            settings,
            positions: Vec::new(),
            moves: Vec::new(),
            fault: None,
        };
        match first {
            Ok(position) => history.positions.push(position),
            Err(Trouble::Fault(why)) => history.fault = Some(why),
            Err(Trouble::Rejected(why)) if fen.is_some() => return Err(Rejection(why)),
            Err(Trouble::Rejected(why)) => {
                let trouble = history.program.fail(&format!("position startpos: {why}"));
                history.fault = Some(Rejection::from(trouble).0);
            }
        }
        Ok(history)
    }

    /// The current position.
    pub(super) fn position(&self) -> Option<&Arc<Position>> {
        self.positions.last()
    }

    /// The legal moves. Blocks until they are read. There are none after a failure of the program.
    fn codes(&self) -> impl Iterator<Item = &str> {
        let position = self.position().filter(|_| self.fault().is_none());
        let moves = position.map(|position| self.program.moves(position));
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
        let asked = self.program.ask(self.position()?, [Query::Spellings]);
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

    /// The reason why a move is not legal, without the move: the program's, if it gives one.
    fn reason(&self, code: &str) -> String {
        if let Some(why) = self.fault() {
            return why;
        }
        if self.outcome().is_some() {
            return "the game is over".to_owned();
        }
        let is_word = !code.is_empty() && !code.contains(char::is_whitespace);
        let position = self.position().filter(|_| is_word);
        match position.map(|position| self.program.try_move(position, code)) {
            Some(Err(Trouble::Rejected(why))) if !why.is_empty() => {
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
        let facts = |position: &Arc<Position>| self.program.facts(position);
        self.position().map_or_else(Facts::default, facts)
    }
}

impl DynHistory for ProgramHistory {
    fn side(&self) -> Side {
        self.position()
            .map_or(Side::P1, |position| position.state().0)
    }

    fn outcome(&self) -> Option<Outcome> {
        self.position()?.state().1
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
        let legal = self.legal(code).map(str::to_owned);
        let Some((before, code)) = self.position().zip(legal) else {
            let rejection = self.rejection(code);
            return Err(self.fault().map_or(rejection, Rejection));
        };
        let after = self.program.after(before, &code);
        let after = after.map_err(|trouble| match trouble {
            Trouble::Rejected(why) => {
                let line = before.line_after(&code);
                let why = format!("lists {code} and rejects it: {why}; {line}");
                self.program.fail(&why)
            }
            fault => fault,
        });
        match after {
            Ok(position) => self.positions.push(position),
            Err(fault) => {
                let rejection = Rejection::from(fault);
                self.fault = Some(rejection.0.clone());
                return Err(rejection);
            }
        }
        self.moves.push(code.clone());
        Ok(code)
    }

    fn read(&self, code: &str) -> Result<String, Rejection> {
        let legal = self.legal(code).map(str::to_owned);
        legal.ok_or_else(|| Rejection(self.reason(&excerpt(code))))
    }

    fn expect(&self, code: &str) {
        if let Some((position, code)) = self.position().zip(self.legal(code)) {
            self.program.ask_ahead(position, code);
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
                positions: Vec::new(),
                moves: Vec::new(),
                ..self.clone()
            })
        })
    }

    fn undo(&mut self) -> bool {
        let is_undone = self.moves.pop().is_some();
        if is_undone {
            self.positions.pop();
        }
        is_undone
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
