//! The game behind a bridge: a table with two seats, for which the GUI makes moves or asks the engine for one;
//! its setup, and the options of its engine.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Instant;

use crossbeam_channel::select;
use kit::{DynHistory, Options};
use protocol::{OptionDecl, OptionKind};
use record::clock::Limit;
use record::engine_spec::{EngineSpec, Program};
use record::ledger::SyncPolicy;
use record::opening::Opening;
use record::outputs::{Outputs, PgnComment};
use record::plan::Plan;
use referee::engine::{EngineConfig, declarations};
use table::{
    Analysis, ClientGame, JoinWish, NodeId, OpenTable, Refusal, Role, SessionError, TableCommand,
    TableEvent, TableSession, TableSetup, Turn, new_plan, open,
};

use crate::{BridgeError, BridgeSetup, Done, GameEvent, Input, Lines};

/// Capacity of the event queue. If the bridge falls behind, events are dropped and it gets a snapshot.
const CAPACITY: usize = 4096;

/// The error of a search for which the engine gave no reason.
const NO_MOVE: &str = "the engine has not moved";

/// A GUI's names, in which it is told what the rules say: `White wins: Black is surrounded on c5` where the game says
/// `x wins: o is surrounded on a1`.
pub(crate) struct GuiWords {
    /// The players.
    pub(crate) colours: [&'static str; 2],
    pub(crate) cell: Box<CellName>,
}

/// Returns the GUI's name of a cell of the game in a position.
type CellName = dyn Fn(&dyn DynHistory, &str) -> Option<String>;

impl GuiWords {
    /// Rewrites a text of the game's rules.
    pub(crate) fn rewrite(&self, board: &dyn DynHistory, text: &str) -> String {
        let names = board.side_names();
        // The owner of a colour, which some games add, is what the GUI's name says.
        let text = text.replace(" (p1)", "").replace(" (p2)", "");
        let (mut written, mut before) = (String::new(), "");
        for part in text.split_inclusive(|sign: char| !sign.is_alphanumeric()) {
            let word = part.trim_end_matches(|sign: char| !sign.is_alphanumeric());
            let side = names.iter().position(|name| name == word);
            let named = match side.map(|side| self.colours[side]) {
                // A piece of this colour: `every x touches o`.
                Some(colour) if matches!(before, "every" | "no") => {
                    Some(format!("{} piece", colour.to_lowercase()))
                }
                Some(colour) => Some(colour.to_owned()),
                None => (self.cell)(board, word),
            };
            written += named.as_deref().unwrap_or(word);
            written += &part[word.len()..];
            before = word;
        }
        written
    }
}

/// A game at a separate table without a ledger. The engine only moves for the GUI on request, so its failure loses no
/// game.
pub(crate) struct HostedGame {
    table: OpenTable,
    session: TableSession,
    words: GuiWords,
    overrides_limit: bool,
    queued: VecDeque<GameEvent>,
    /// Node at which a search is pending.
    searching_at: Option<NodeId>,
    /// Search information that the searching engine sent last.
    thought: Option<Analysis>,
    /// Failure of the engine that is to move.
    fault: Option<String>,
    /// Reason for which the table has closed.
    closed: Option<String>,
}

impl HostedGame {
    /// Opens a table for the game. The engine is not started yet.
    ///
    /// # Errors
    /// The game or its options are unknown, or no thread can be started.
    pub(crate) fn open(setup: &BridgeSetup, words: GuiWords) -> Done<HostedGame> {
        let table = open(table_setup(setup))?;
        let wish = JoinWish {
            n_events: CAPACITY,
            ..JoinWish::new("bridge", Role::Host)
        };
        let mut session = TableSession::join(&table.handle, setup.host.registry, wish)?;
        session.await_start(None)?;
        Ok(HostedGame {
            table,
            session,
            words,
            overrides_limit: setup.overrides_limit,
            queued: VecDeque::new(),
            searching_at: None,
            thought: None,
            fault: None,
            closed: None,
        })
    }

    /// Current position.
    pub(crate) fn board(&self) -> &dyn DynHistory {
        self.game().board()
    }

    /// Local copy of the table's game.
    pub(crate) fn game(&self) -> &ClientGame {
        &self.session.game
    }

    /// A text of the rules in the GUI's words.
    pub(crate) fn in_gui_words(&self, text: &str) -> String {
        self.words.rewrite(self.board(), text)
    }

    /// The reason for the result or for a forced pass, in the GUI's words.
    pub(crate) fn explain(&self) -> Option<String> {
        Some(self.in_gui_words(&self.board().explain()?))
    }

    /// `true` while a move of the engine is pending.
    pub(crate) fn is_searching(&self) -> bool {
        self.searching_at.is_some()
    }

    /// Waits for the next line or event. Events of earlier requests come first.
    ///
    /// # Errors
    /// The table has ended.
    pub(crate) fn wait(&mut self, lines: &Lines) -> Done<Input> {
        loop {
            if let Some(event) = self.queued.pop_front() {
                return Ok(Input::Event(event));
            }
            if let Some(why) = self.closed.take() {
                return Err(BridgeError::Ended(why));
            }
            if self.board().outcome().is_some() && self.game().snapshot().ending.is_none() {
                // The result follows the last move, and is reported before the next line is read.
                let event = self.session.next_event(None)?;
                self.hear(&event);
                continue;
            }
            let event = select! {
                recv(lines.stop) -> _ => return Ok(Input::Stopped),
                recv(lines.lines) -> line => {
                    return Ok(line.map_or(Input::End, |(line, at)| Input::Line(line, at)));
                }
                recv(self.session.client.events) -> event => event,
            };
            let event = event.map_err(|_| self.session.client.closed())?;
            let updated = self.session.game.update(&event);
            updated.map_err(SessionError::from)?;
            self.hear(&event);
        }
    }

    /// Makes a move. The code may be in any accepted spelling; `at` is the time at which it arrived.
    ///
    /// # Errors
    /// The move is illegal, or the engine is to move.
    pub(crate) fn play(&mut self, code: &str, at: Instant) -> Result<(), String> {
        let code = code.to_owned();
        self.ask_at(TableCommand::Play { code, from: None }, at)
    }

    /// Takes back moves. A running search is cancelled.
    ///
    /// # Errors
    /// Fewer than `n` moves have been made.
    pub(crate) fn take_back(&mut self, n: usize) -> Result<(), String> {
        let n_played = self.game().tree().path(self.game().here()).len();
        if n > n_played {
            return Err(format!("only {n_played} of {n} moves can be taken back"));
        }
        self.go_to(self.game().tree().back(n))
    }

    /// Cancels the engine's search, if there is one.
    pub(crate) fn give_up(&mut self) {
        if self.is_searching() {
            // Fails only if the engine has just moved.
            let _ = self.go_to(self.game().here());
        }
    }

    /// Starts a new game; without an opening, from the start position.
    ///
    /// # Errors
    /// The opening is illegal.
    pub(crate) fn begin(&mut self, opening: Option<Opening>) -> Result<(), String> {
        self.searching_at = None;
        self.ask(TableCommand::New {
            opening: Some(opening.unwrap_or_default()),
            lines: Vec::new(),
            auto: None,
        })
    }

    /// Starts a search for the next move. The GUI's limit applies, unless the user has set one that overrides it;
    /// without either, the engine's own limit applies. [`GameEvent::Moved`] or [`GameEvent::Failed`] follows.
    ///
    /// # Errors
    /// The game is over, or the limit bounds nothing.
    pub(crate) fn search(&mut self, limit: Option<Limit>) -> Result<(), String> {
        let limit = limit.filter(|_| !self.overrides_limit);
        (self.fault, self.thought) = (None, None);
        self.searching_at = Some(self.game().here());
        let asked = self.ask(TableCommand::Go { limit, once: false });
        match asked {
            Ok(()) => self.end_search(),
            Err(_) => self.searching_at = None,
        }
        asked
    }

    /// Closes the table and ends the engine.
    ///
    /// # Errors
    /// The table had failed before.
    pub(crate) fn close(self) -> Done {
        self.table.handle.stop();
        Ok(self.table.join()?)
    }

    fn go_to(&mut self, node: NodeId) -> Result<(), String> {
        self.searching_at = None;
        self.ask(TableCommand::GoTo { node })
    }

    /// Sends a request to the table, and handles events until its answer arrives.
    ///
    /// # Errors
    /// The table's reason to refuse it, in the GUI's words.
    pub(crate) fn ask(&mut self, command: TableCommand) -> Result<(), String> {
        self.ask_at(command, Instant::now())
    }

    fn ask_at(&mut self, command: TableCommand, at: Instant) -> Result<(), String> {
        let failed = |error: SessionError| error.to_string();
        let asked = self.session.client.send_at(command, at).map_err(failed)?;
        loop {
            let event = self.session.next_event(None).map_err(failed)?;
            self.hear(&event);
            match event {
                TableEvent::Done { request } if request == asked => return Ok(()),
                TableEvent::Refused { request, why } if request == asked => {
                    return Err(match why {
                        Refusal::Rules { reason } => self.in_gui_words(&reason),
                        why => why.to_string(),
                    });
                }
                _ => {}
            }
        }
    }

    /// Queues what an event of the table means for the bridge. The game is already up to date.
    fn hear(&mut self, event: &TableEvent) {
        let queued = match event {
            TableEvent::GameOver { record } => {
                self.fault.get_or_insert_with(|| record.reason.clone());
                self.end_search();
                GameEvent::Over(record.result, self.in_gui_words(&record.reason))
            }
            TableEvent::MovePlayed { .. } | TableEvent::Turn { .. } | TableEvent::Snapshot(_) => {
                return self.end_search();
            }
            TableEvent::EngineLine { analysis, .. } if self.is_searching() => {
                self.thought = Some(analysis.clone());
                GameEvent::Thought(analysis.clone())
            }
            TableEvent::Fault { engine, text } if self.is_searching() => {
                self.fault = Some(format!("{engine}: {text}"));
                return;
            }
            TableEvent::Fault { engine, text } => GameEvent::Fault(format!("{engine}: {text}")),
            TableEvent::Analysed(analysed) => GameEvent::Analysed(analysed.clone()),
            TableEvent::Closed { why, .. } => {
                self.closed = Some(why.clone());
                return;
            }
            _ => return,
        };
        self.queued.push_back(queued);
    }

    /// Queues the engine's move or failure if the pending search has ended. The table gives the turn back when an engine
    /// fails.
    fn end_search(&mut self) {
        let (tree, here) = (self.session.game.tree(), self.session.game.here());
        let is_turn = matches!(self.game().turn(), Turn::Engine(_));
        let Some(from) = self.searching_at.filter(|from| here != *from || !is_turn) else {
            return;
        };
        self.searching_at = None;
        let ply = tree.ply(here).filter(|_| tree.parent(here) == from);
        let event = match ply {
            None => GameEvent::Failed(self.fault.take().unwrap_or_else(|| NO_MOVE.to_owned())),
            Some(ply) => {
                let last = ply.record.as_ref().map(|record| Analysis {
                    code: record.pv.first().cloned(),
                    score: record.score,
                    depth: record.depth,
                    nodes: record.nodes,
                    line: record.pv.clone(),
                });
                let is_new =
                    |last: &Analysis| last.score.is_some() && self.thought.as_ref() != Some(last);
                GameEvent::Moved {
                    code: ply.code.clone(),
                    thought: last.filter(is_new),
                }
            }
        };
        self.queued.push_back(event);
    }
}

/// Two seats for people, without a ledger. The engine moves for them on request.
pub(super) fn table_setup(setup: &BridgeSetup) -> TableSetup {
    // The seats have no clock, because the GUI keeps its own.
    let seats = [(); 2].map(|()| vec![EngineSpec::new(Program::Person)]);
    let plan = Plan {
        search_timeout_ms: setup.search_timeout_ms,
        outputs: Outputs {
            // The line of each move is sent to the GUI.
            pgn_comments: vec![PgnComment::Pv],
            ..Outputs::default()
        },
        ..new_plan(
            setup.game.clone(),
            seats,
            PathBuf::new(),
            setup.host.registry,
        )
    };
    TableSetup {
        keeps_ledger: false,
        sync: SyncPolicy::Off,
        ..TableSetup::new(plan, setup.engine.clone(), setup.host.clone())
    }
}

/// Options that are not the user's: a bridge does not ponder, and sets the number of lines itself.
const OWN: [&str; 2] = ["Ponder", "MultiPV"];

/// Starts the engine of a setup once, and returns the options with a value that it declares, except those of the board.
/// The default of an option that the user has set is the user's value.
///
/// # Errors
/// The engine does not start.
pub(crate) fn engine_options(setup: &BridgeSetup) -> Done<Vec<OptionDecl>> {
    let rules = setup.rules()?;
    let plan = table_setup(setup).plan;
    let config = EngineConfig::new(&setup.engine, &plan, Some(&rules), &setup.host);
    let declared = declarations(config).map_err(|fault| BridgeError::Ended(fault.to_string()))?;
    let of_board = rules.options();
    let is_offered = |option: &OptionDecl| {
        option.kind != OptionKind::Button
            && !of_board.has(&option.name)
            && !OWN.iter().any(|own| option.name.eq_ignore_ascii_case(own))
    };
    let mut options = Options::new(declared.into_iter().filter(is_offered).collect());
    for (name, value) in &setup.engine.options {
        // The engine refuses a wrong value itself.
        let _ = options.set(name, value.as_deref());
    }
    Ok(options.to_defaults())
}
