//! `new GAME`: moves the players of a table to a new one, with another game or another size of the board.

use std::sync::Arc;

use kit::session::SKILL_LEVEL;
use parking_lot::Mutex;
use record::engine_spec::Program;
use record::game_spec::GameSpec;
use record::plan::Plan;
use table::{
    ClientGame, JoinWish, Mover, OpenTable, Role, SideAuto, TableError, TableHandle, TableSession,
    TableSetup, new_plan, open,
};

use crate::game_name::parse_typed_game;
use crate::records::files::default_ledger;

/// The host's current table, which `new GAME` replaces.
pub(crate) struct Tables {
    pub(crate) open: OpenTable,
    /// The setup of the current table.
    pub(crate) setup: TableSetup,
    /// The tables that signals stop: the current one, and one that is being opened.
    pub(crate) handles: Arc<Mutex<Vec<TableHandle>>>,
    /// `true` if other people can join this table.
    has_guests: bool,
}

impl Tables {
    pub(crate) fn new(open: OpenTable, setup: TableSetup, has_guests: bool) -> Tables {
        Tables {
            handles: Arc::new(Mutex::new(vec![open.handle.clone()])),
            open,
            setup,
            has_guests,
        }
    }

    /// Ends the current table and waits until its engines have quit.
    ///
    /// # Errors
    /// The failure that ended the table.
    pub(crate) fn close(self) -> Result<(), TableError> {
        self.open.handle.stop();
        self.open.join()
    }

    /// Opens a table for the game that a text names, with the players of the current one, and ends the current one.
    ///
    /// # Errors
    /// The reason that no table was opened; the current one stays open.
    pub(crate) fn open_another(
        &mut self,
        text: &str,
        game: &ClientGame,
    ) -> Result<TableSession, String> {
        let registry = self.setup.host.registry;
        let spec = parse_typed_game(text, registry)?;
        let rules = registry.rules(&spec).map_err(|error| error.to_string())?;
        let rules = rules.ok_or("any has no rules: choose a game that linesman games lists")?;
        self.check_players(&spec)?;
        let mut setup = self.setup_of(spec, game);
        let level = game.snapshot().level.filter(|_| !setup.is_adaptive);
        let engines = setup.plan.engines.iter_mut().chain([&mut setup.helper]);
        for engine in engines.filter(|engine| engine.program == Program::Builtin) {
            match level {
                _ if rules.are_of_program() => engine.unset(SKILL_LEVEL),
                Some(level) => engine.set(SKILL_LEVEL, level.to_string()),
                None => {}
            }
        }
        setup.is_adaptive &= !rules.are_of_program();
        let table = open(setup.clone()).map_err(|error| error.to_string())?;
        self.handles.lock().push(table.handle.clone());
        let wish = JoinWish::new("host", Role::Host);
        let session = TableSession::join(&table.handle, registry, wish);
        let joined = session.and_then(|mut session| session.await_start(None).map(|()| session));
        let joined = joined.map_err(|error| error.to_string());
        if joined.is_err() {
            self.handles.lock().pop();
            table.handle.stop();
            // The reason is already known.
            let _ = table.join();
            return joined;
        }
        self.handles.lock().remove(0);
        self.setup = setup;
        let old = std::mem::replace(&mut self.open, table);
        old.handle.stop();
        old.join().map_err(|error| error.to_string())?;
        joined
    }

    /// Checks that all players can move to another table.
    fn check_players(&self, spec: &GameSpec) -> Result<(), String> {
        let old = &self.setup.plan.game;
        if self.has_guests {
            return Err(format!(
                "guests can join this table of {old}: quit, then type linesman play {spec} --listen"
            ));
        }
        for engine in &self.setup.plan.engines {
            if let Program::Command { path, .. } = &engine.program
                && spec.name != old.name
            {
                let (path, old) = (path.display(), &old.name);
                return Err(format!(
                    "the engine {path} plays {old}: quit, then type linesman play {spec}"
                ));
            }
        }
        Ok(())
    }

    /// The setup of the new table: the same players, and new records.
    fn setup_of(&self, spec: GameSpec, game: &ClientGame) -> TableSetup {
        let old = &self.setup.plan;
        let ledger = default_ledger(&spec);
        let mut players = old.sides();
        // The name that a built-in engine sends contains its game.
        let is_own =
            |name: &mut String| spec.name != old.game.name && name.contains(&old.game.name);
        let own = players.iter_mut().flatten();
        for player in own.filter(|player| player.program == Program::Builtin) {
            player.name.take_if(is_own);
        }
        let autos = game.snapshot().seats.each_ref().map(|seat| {
            let players = seat.players().iter();
            let autos = players.map(|player| player.by == Mover::Engine);
            SideAuto::from(autos.collect::<Vec<bool>>())
        });
        TableSetup {
            plan: Plan {
                search_timeout_ms: old.search_timeout_ms,
                ..new_plan(spec, players, ledger, self.setup.host.registry)
            },
            game: None,
            auto: Some(autos),
            keeps_ledger: true,
            may_rename_ledger: true,
            is_adaptive: game.snapshot().is_adaptive,
            ..self.setup.clone()
        }
    }
}
