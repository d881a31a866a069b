//! A board during a command: a table opened from its journal, with both players as clients.
//!
//! The table runs in its own thread, for one command only. [`OpenBoard::close`] returns the lines it wrote to its
//! ledger, to be stored in the transaction of the command.

use std::path::Path;
use std::time::{Duration, Instant};

use kit::Side;
use kit::session::SKILL_LEVEL;
use record::engine_spec::{EngineSpec, Program};
use record::game_spec::GameSpec;
use record::ledger::MemoryLedger;
use record::registry::Registry;
use referee::host::Host;
use table::journal::{Journal, new_ledger};
use table::{
    ClientGame, JoinWish, OpenTable, PausedTable, Role, SeatId, SessionError, SideSet,
    TableCommand, TableEvent, TableHandle, TableSession, TableSetup, TableView, Turn, Voice,
    new_id, new_plan, resume,
};

use crate::{Answer, ClubError, ENGINE_NAME};

/// Timeout of the engine's move, including its start.
const ENGINE_TIMEOUT: Duration = Duration::from_secs(600);

/// Search limit of the engine. A node limit makes its strength independent of the machine's load.
const ENGINE_LIMIT: &str = "nodes=50000";

/// Treatment of the engine's seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engines {
    /// No engine is started; commands may move for its seat.
    Held,
    /// The engine is started, answers proposals, and moves when it is its turn.
    Playing,
}

/// A board that is open for commands.
pub(crate) struct OpenBoard {
    stopper: Stopper,
    table: OpenTable,
    pub(crate) host: TableSession,
    /// Indexed by side.
    players: [TableSession; 2],
    lines: MemoryLedger,
}

/// Stops the table on drop, also after a failed command.
struct Stopper(TableHandle);

impl Drop for Stopper {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// State of a board after it is closed.
pub(crate) struct ClosedBoard {
    /// New lines of its ledger.
    pub(crate) lines: Vec<u8>,
    pub(crate) game: ClientGame,
    /// The actions that each player has, by side.
    pub(crate) views: [TableView; 2],
}

/// Returns the first lines of a new game's ledger. `names` are those of the players by side, `level` the skill level of
/// the engine, 0 to 20, with full strength if absent. `file` is the name of the exported ledger.
pub(crate) fn begin(
    game: GameSpec,
    names: &[String; 2],
    level: Option<u32>,
    file: &Path,
    registry: Registry,
) -> Answer<Vec<u8>> {
    let spec = |name: &String| match name == ENGINE_NAME {
        true => engine(name, level),
        false => person(name),
    };
    let sides = names.each_ref().map(|name| vec![spec(name)]);
    let plan = new_plan(game, sides, file.to_owned(), registry);
    let helper = EngineSpec {
        name: None,
        ..engine(ENGINE_NAME, None)
    };
    let journal = Journal::new(new_id(), plan.openings[0].clone());
    Ok(new_ledger(&plan, &helper, &journal)?)
}

fn engine(name: &str, level: Option<u32>) -> EngineSpec {
    let level = level.map(|level| (SKILL_LEVEL.to_owned(), Some(level.to_string())));
    EngineSpec {
        name: Some(name.to_owned()),
        limit: ENGINE_LIMIT.parse().expect("a limit"),
        options: level.into_iter().collect(),
        ..EngineSpec::new(Program::Builtin)
    }
}

fn person(name: &str) -> EngineSpec {
    EngineSpec {
        name: Some(name.to_owned()),
        ..EngineSpec::new(Program::Person)
    }
}

/// Rejects the ledger of a store from elsewhere that names programs or files, which no club writes.
fn refuse_programs(setup: &TableSetup) -> Answer<()> {
    let mut players = setup.plan.engines.iter().chain([&setup.helper]);
    if players.all(|spec: &EngineSpec| {
        !matches!(spec.program, Program::Command { .. })
            && spec.options.iter().all(|(name, _)| name == SKILL_LEVEL)
    }) {
        return Ok(());
    }
    let why = "its ledger names a program or a file, as no ledger of a club does";
    Err(ClubError::Other(why.to_owned()))
}

impl OpenBoard {
    /// Opens the table of a ledger, with both players as clients.
    pub(crate) fn open(ledger: &[u8], engines: Engines, host: &Host) -> Answer<OpenBoard> {
        let registry = host.registry;
        let lines = MemoryLedger::default();
        let path = Path::new("the store");
        let mut paused = PausedTable::of_bytes(ledger, &lines, path, host.clone())?;
        refuse_programs(&paused.setup)?;
        let mut sides = paused.setup.plan.sides();
        let mut guests = Vec::new();
        for (side, spec) in Side::BOTH.into_iter().zip(sides.iter_mut().flatten()) {
            if spec.program != Program::Person && engines == Engines::Held {
                *spec = person(spec.name.as_deref().unwrap_or(ENGINE_NAME));
            }
            if spec.program == Program::Person {
                guests.push(SeatId::from(side));
            }
        }
        let roles = Side::BOTH.map(|side| match guests.contains(&SeatId::from(side)) {
            true => Role::Player(SideSet::from(side)),
            false => Role::Spectator,
        });
        paused.setup.plan.set_sides(sides);
        paused.setup.guests = guests;
        paused.setup.restarts_engines = true;
        let table = resume(paused)?;
        let stopper = Stopper(table.handle.clone());
        let join =
            |name, role| TableSession::join(&table.handle, registry, JoinWish::new(name, role));
        let mut host = join("club", Role::Host)?;
        host.await_start(Some(Instant::now() + ENGINE_TIMEOUT))?;
        let [p1, p2] = roles;
        let players = [join("player", p1)?, join("player", p2)?];
        Ok(OpenBoard {
            host,
            players,
            lines,
            stopper,
            table,
        })
    }

    /// Sends a command as the player of this side. Returns the events that it caused.
    ///
    /// # Errors
    /// The table's reason for rejecting it.
    pub(crate) fn ask(&mut self, side: Side, command: TableCommand) -> Answer<Vec<TableEvent>> {
        Ok(self.players[side.index()].request(command)?)
    }

    /// Checks that this player may move now.
    ///
    /// # Errors
    /// The table's reason why not.
    pub(crate) fn check_turn(&self, side: Side) -> Answer<()> {
        let view = &self.players[side.index()].game.snapshot().view;
        let refused = view.cannot_move.clone().map(SessionError::Refused);
        refused.map_or(Ok(()), |why| Err(why.into()))
    }

    /// Requests the state of the game.
    pub(crate) fn game(&mut self) -> Answer<&ClientGame> {
        self.host.request(TableCommand::Snapshot)?;
        Ok(&self.host.game)
    }

    /// Waits until no engine is to move.
    ///
    /// # Errors
    /// The engine does not move.
    pub(crate) fn await_engine(&mut self) -> Answer<()> {
        let deadline = Instant::now() + ENGINE_TIMEOUT;
        loop {
            match self.host.game.turn() {
                Turn::Person(_) | Turn::Over => return Ok(()),
                Turn::Held(_) => {
                    return Err(ClubError::Other("the engine does not move".to_owned()));
                }
                Turn::Engine(_) | Turn::Waiting(_) | Turn::Starting => {}
            }
            if let TableEvent::Closed { why, .. } = self.host.next_event(Some(deadline))? {
                return Err(ClubError::Other(why));
            }
        }
    }

    /// Closes the table and returns the state of the game.
    pub(crate) fn close(mut self) -> Answer<ClosedBoard> {
        self.game()?;
        for player in &mut self.players {
            player.request(TableCommand::Snapshot)?;
        }
        let views = self
            .players
            .map(|player| player.game.snapshot().view.clone());
        let game = self.host.game;
        drop(self.stopper);
        self.table.join()?;
        let lines = self.lines.take();
        Ok(ClosedBoard { lines, game, views })
    }
}

impl From<SessionError> for ClubError {
    fn from(error: SessionError) -> ClubError {
        match error {
            SessionError::Refused(why) => ClubError::Refused(why.sentence(Voice::Mail)),
            error => ClubError::Other(error.to_string()),
        }
    }
}
