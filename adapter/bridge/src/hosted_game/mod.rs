//! The game behind a bridge: a table with two seats, in which the GUI makes all moves or has the engine make one.

mod news;
mod table;

use std::collections::VecDeque;
use std::fmt;
use std::time::Instant;

use crossbeam_channel::select;
use kit::DynHistory;
use referee::clock::Limit;
use referee::event::Event;
use referee::opening::Opening;
use referee::play::Ending;
use referee::table::tree::NodeId;
use referee::table::{
    ClientGame, OpenTable, RequestId, Role, TableClient, TableCommand, TableEvent, Turn, open,
};

use crate::{BridgeError, BridgeSetup, Input, Lines};
use table::table_setup;

pub use news::News;

/// Events that wait for the bridge. If it is slower it loses some, and gets a snapshot.
const CAPACITY: usize = 4096;

/// Why the table does not do what was asked, in words for a person. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused(pub String);

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

/// A game at a table of its own, without a ledger. The engine stands in for the GUI where the GUI asks for it, so a fault
/// of the engine loses no game.
pub struct HostedGame {
    table: Option<OpenTable>,
    client: TableClient,
    game: ClientGame,
    overrides_limit: bool,
    news: VecDeque<News>,
    /// Where the engine was asked for a move that it has not made.
    searching_at: Option<NodeId>,
    /// What went wrong with the engine that is to move.
    fault: Option<String>,
    /// Why the table has ended, once it has.
    closed: Option<String>,
}

impl HostedGame {
    /// Opens a table for the game. The engine is not started yet.
    ///
    /// # Errors
    /// The game or its options are unknown, or no thread can be started.
    pub fn open(setup: &BridgeSetup) -> Result<HostedGame, BridgeError> {
        let rules = setup.host.registry.rules(&setup.game);
        let rules = rules.map_err(|error| BridgeError::Unsuitable(error.to_string()))?;
        let no_rules = || BridgeError::Unsuitable(format!("{} has no rules", setup.game));
        let rules = rules.ok_or_else(no_rules)?;
        let table = open(table_setup(setup))?;
        let client = table.handle.join("bridge", Role::Host, None, CAPACITY);
        let client = client.map_err(|error| BridgeError::Closed(error.to_string()))?;
        let snapshot = loop {
            match client.events().recv() {
                Ok(Event::Table(TableEvent::Snapshot(snapshot))) => break *snapshot,
                Ok(Event::Table(TableEvent::Closed { why, .. })) => {
                    return Err(BridgeError::Closed(why));
                }
                Ok(_) => {}
                Err(_) => return Err(BridgeError::Closed("the table has ended".to_owned())),
            }
        };
        let game = ClientGame::new(rules, snapshot);
        let game = game.map_err(|why| BridgeError::Unsuitable(why.to_string()))?;
        let mut hosted = HostedGame {
            table: Some(table),
            client,
            game,
            overrides_limit: setup.overrides_limit,
            news: VecDeque::new(),
            searching_at: None,
            fault: None,
            closed: None,
        };
        while hosted.game.turn() == Turn::Starting {
            let event = hosted.receive()?;
            hosted.hear(&event)?;
        }
        Ok(hosted)
    }

    /// The position.
    pub fn board(&self) -> &dyn DynHistory {
        self.game.board()
    }

    /// The game as the table told it.
    pub fn game(&self) -> &ClientGame {
        &self.game
    }

    /// How the game ended, if it has.
    pub fn ending(&self) -> Option<&Ending> {
        self.game.snapshot().ending.as_ref()
    }

    /// Whether the engine is to move.
    pub fn is_searching(&self) -> bool {
        self.searching_at.is_some()
    }

    /// Waits for the next line or piece of news, whichever comes first. News of what was asked before comes first.
    ///
    /// # Errors
    /// The table has ended.
    pub fn wait(&mut self, lines: &Lines) -> Result<Input, BridgeError> {
        loop {
            if let Some(news) = self.news.pop_front() {
                return Ok(Input::News(news));
            }
            if let Some(why) = self.closed.take() {
                return Err(BridgeError::Closed(why));
            }
            if self.game.board().outcome().is_some() && self.ending().is_none() {
                // The end follows the move that brings it, and is told before the next line is looked at.
                let event = self.receive()?;
                self.hear(&event)?;
                continue;
            }
            let event = select! {
                recv(lines.stop) -> _ => return Ok(Input::Stopped),
                recv(lines.lines) -> line => return Ok(line.map_or(Input::End, Input::Line)),
                recv(self.client.events()) -> event => event,
            };
            let event = event.map_err(|_| BridgeError::Closed("the table has ended".to_owned()))?;
            self.hear(&event)?;
        }
    }

    /// Makes a move, whose code is read liberally. `at` is when it came.
    ///
    /// # Errors
    /// The move is not legal, or the engine is to move.
    pub fn play(&mut self, code: &str, at: Instant) -> Result<(), Refused> {
        let code = code.to_owned();
        self.ask_at(TableCommand::Play { code, from: None }, at)
    }

    /// Takes moves back, or ends the engine's search and takes back those before.
    ///
    /// # Errors
    /// There are not so many.
    pub fn take_back(&mut self, n: usize) -> Result<(), Refused> {
        let n_played = self.game.tree().path(self.game.here()).len();
        if n > n_played {
            return Err(Refused(format!(
                "{n} moves to take back: expected at most {n_played}"
            )));
        }
        let node = self.game.tree().back(n);
        self.go_to(node)
    }

    /// Ends the engine's search without a move. Nothing happens if it is not to move.
    ///
    /// # Errors
    /// The table refuses it.
    pub fn give_up(&mut self) -> Result<(), Refused> {
        if self.is_searching() {
            self.go_to(self.game.here())?;
        }
        Ok(())
    }

    /// Begins another game; without an opening, from the start position.
    ///
    /// # Errors
    /// The opening is not legal.
    pub fn begin(&mut self, opening: Option<Opening>) -> Result<(), Refused> {
        let opening = Some(opening.unwrap_or_default());
        self.searching_at = None;
        self.ask(TableCommand::New { opening })
    }

    /// Has the engine make the next move. The GUI's limit holds, unless the user gave the engine one that overrides it;
    /// without either, the engine's own. [`News::Moved`] or [`News::Failed`] follows.
    ///
    /// # Errors
    /// The game is over, or the limit bounds nothing.
    pub fn search(&mut self, limit: Option<Limit>) -> Result<(), Refused> {
        let limit = limit.filter(|_| !self.overrides_limit);
        self.fault = None;
        self.searching_at = Some(self.game.here());
        let asked = self.ask(TableCommand::Go { limit });
        let is_turn = matches!(self.game.turn(), Turn::Engine(_));
        if asked.is_err() {
            self.searching_at = None;
        } else if !is_turn && self.searching_at.take().is_some() {
            // It has failed before its turn was told.
            let why = self.fault.take();
            let why = why.unwrap_or_else(|| "the engine has not moved".to_owned());
            self.news.push_back(News::Failed(why));
        }
        asked
    }

    /// Has the engine that thinks move at once.
    ///
    /// # Errors
    /// No engine thinks.
    pub fn move_now(&mut self) -> Result<(), Refused> {
        self.ask(TableCommand::MoveNow)
    }

    /// Has the engine analyse the position where the game stands, from move to move, until it is told to stop.
    /// [`News::Analysed`] follows.
    ///
    /// # Errors
    /// The game is over.
    pub fn analyse(&mut self, n_lines: u32) -> Result<(), Refused> {
        self.ask(TableCommand::Analyse {
            node: None,
            lines: Some(n_lines),
            seconds: None,
        })
    }

    /// Ends the analysis.
    ///
    /// # Errors
    /// There is none.
    pub fn stop_analysis(&mut self) -> Result<(), Refused> {
        self.ask(TableCommand::StopAnalysis)
    }

    /// Ends the table and the engine.
    ///
    /// # Errors
    /// The table could not go on before.
    pub fn close(mut self) -> Result<(), BridgeError> {
        self.end()
    }

    fn end(&mut self) -> Result<(), BridgeError> {
        let Some(table) = self.table.take() else {
            return Ok(());
        };
        table.handle.stop();
        Ok(table.join()?)
    }

    fn go_to(&mut self, node: NodeId) -> Result<(), Refused> {
        self.searching_at = None;
        self.ask(TableCommand::GoTo { node })
    }

    fn ask(&mut self, command: TableCommand) -> Result<(), Refused> {
        self.ask_at(command, Instant::now())
    }

    /// Asks the table, and takes what it tells until it has answered.
    fn ask_at(&mut self, command: TableCommand, at: Instant) -> Result<(), Refused> {
        let asked = self.client.send_at(command, at);
        let asked = asked.map_err(|error| Refused(error.to_string()))?;
        loop {
            let event = self.receive().map_err(|error| Refused(error.to_string()))?;
            if let Some(answer) = answer(&event, asked) {
                return answer;
            }
            let heard = self.hear(&event);
            heard.map_err(|error| Refused(error.to_string()))?;
        }
    }

    fn receive(&self) -> Result<Event, BridgeError> {
        let event = self.client.events().recv();
        event.map_err(|_| BridgeError::Closed("the table has ended".to_owned()))
    }
}

impl Drop for HostedGame {
    fn drop(&mut self) {
        // The reason of its end was not asked for.
        let _ = self.end();
    }
}

/// The table's answer to a request, if the event is that.
fn answer(event: &Event, asked: RequestId) -> Option<Result<(), Refused>> {
    match event {
        Event::Table(TableEvent::Done { request }) if *request == asked => Some(Ok(())),
        Event::Table(TableEvent::Refused { request, why }) if *request == asked => {
            Some(Err(Refused(why.clone())))
        }
        // What was lost may have been the answer.
        Event::Lagged { .. } => Some(Ok(())),
        _ => None,
    }
}
