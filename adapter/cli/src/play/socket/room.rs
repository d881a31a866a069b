//! The tables at one address: the host's, which has number 1, and those that guests open for two of them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use kit::Side;
use parking_lot::Mutex;
use record::engine_spec::Program;
use record::plan::Plan;
use record::registry::Registry;
use record::table::{Role, SeatId, Sitter};
use table::{JoinWish, OpenTable, TableHandle, TableSession, TableSetup, open};

use crate::game_name::{parse_game, rules};
use crate::play::another::{reason, remove_level};
use crate::play::start::arguments::new_plan;
use crate::play::text;
use crate::records::new_files::new_records;
use crate::records::trust;

/// Number of the host's table.
const HOSTS: usize = 1;
/// Age from which a table without a client makes way for another one.
const MIN_AGE: Duration = Duration::from_secs(60);

/// The tables at one address.
pub(crate) struct Room {
    pub(crate) registry: Registry,
    /// The host's table, whose settings the others share.
    pub(crate) handle: TableHandle,
    pub(crate) setup: TableSetup,
    /// Maximum number of tables.
    pub(crate) capacity: usize,
    /// The tables that guests opened, by number.
    pub(crate) opened: Mutex<Vec<GuestTable>>,
    /// The tables that signals stop.
    pub(crate) handles: Arc<Mutex<Vec<TableHandle>>>,
}

pub(crate) struct GuestTable {
    number: usize,
    since: Instant,
    open: OpenTable,
}

impl Room {
    /// `true` if guests can open tables.
    pub(crate) fn has_tables(&self) -> bool {
        self.capacity > HOSTS
    }

    /// Joins a table, by default the host's.
    ///
    /// # Errors
    /// There is no such table, or it refuses the client.
    pub(crate) fn join(
        &self,
        number: Option<usize>,
        wish: JoinWish,
    ) -> Result<TableSession, String> {
        let handle = self.handle(number.unwrap_or(HOSTS))?;
        let joined = TableSession::join(&handle, self.registry, wish);
        joined.map_err(|error| error.to_string())
    }

    /// The numbers of all tables.
    pub(crate) fn numbers(&self) -> Vec<usize> {
        let opened = self.opened.lock();
        let opened = opened.iter().map(|table| table.number);
        std::iter::once(HOSTS).chain(opened).collect()
    }

    fn handle(&self, number: usize) -> Result<TableHandle, String> {
        if number == HOSTS {
            return Ok(self.handle.clone());
        }
        let opened = self.opened.lock();
        let found = opened.iter().find(|table| table.number == number);
        let found = found.map(|table| table.open.handle.clone());
        found.ok_or_else(|| {
            let known = self.numbers_of(&opened);
            format!("there is no table {number}: expected {known}")
        })
    }

    fn numbers_of(&self, opened: &[GuestTable]) -> String {
        let numbers = opened.iter().map(|table| table.number.to_string());
        let numbers: Vec<String> = std::iter::once(HOSTS.to_string()).chain(numbers).collect();
        numbers.join(", ")
    }

    /// Opens a table of the named game for two guests. Returns its number.
    ///
    /// # Errors
    /// The game is unknown, or too many tables are in use.
    pub(crate) fn open(&self, game: &str) -> Result<usize, String> {
        let spec = parse_game(game, self.registry).map_err(reason)?;
        let rules = rules(self.registry, &spec).map_err(reason)?;
        let mut opened = self.opened.lock();
        if HOSTS + opened.len() >= self.capacity {
            let unused = opened.iter().position(|table| self.is_unused(table));
            let capacity = self.capacity;
            let why = || format!("{} are in use, the maximum", text::count(capacity, "table"));
            let unused = opened.remove(unused.ok_or_else(why)?);
            unused.open.handle.stop();
            // Its end concerns only its game, which is recorded.
            let _ = unused.open.join();
        }
        let (ledger, _) = new_records(None, None, &spec).map_err(reason)?;
        let old = &self.setup.plan;
        let mut persons = old
            .engines
            .iter()
            .filter(|player| player.program == Program::Person);
        let mut person = persons
            .next()
            .ok_or("there is no seat for a person")?
            .clone();
        person.name = None;
        let players = [vec![person.clone()], vec![person]];
        let plan = Plan {
            search_timeout_ms: old.search_timeout_ms,
            ..new_plan(spec, players, ledger, self.registry)
        };
        let mut setup = TableSetup {
            key: trust::signing_key(&plan),
            plan,
            game: None,
            guests: Side::BOTH.map(|side| SeatId { side, partner: 0 }).into(),
            auto: None,
            keeps_ledger: true,
            may_rename_ledger: true,
            is_adaptive: false,
            renewed_tokens: Vec::new(),
            ..self.setup.clone()
        };
        if rules.are_of_program() {
            remove_level(&mut setup);
        }
        let open = open(setup).map_err(|error| error.to_string())?;
        self.handles.lock().push(open.handle.clone());
        let number = opened.last().map_or(HOSTS, |table| table.number) + 1;
        let since = Instant::now();
        opened.push(GuestTable {
            number,
            since,
            open,
        });
        Ok(number)
    }

    fn is_unused(&self, table: &GuestTable) -> bool {
        let is_old = table.since.elapsed() >= MIN_AGE;
        let seen = || self.look(&table.open.handle);
        is_old && seen().is_none_or(|session| session.game().snapshot().clients.is_empty())
    }

    /// A table's game; `None` if the table has ended.
    fn look(&self, handle: &TableHandle) -> Option<TableSession> {
        let wish = JoinWish {
            only_looks: true,
            ..JoinWish::new("", Role::Spectator)
        };
        TableSession::join(handle, self.registry, wish).ok()
    }

    /// A line for each table: the game, the players, the next move, and the spectators.
    pub(crate) fn list(&self) -> String {
        let numbers = self.numbers();
        let lines = numbers.into_iter().filter_map(|number| {
            let session = self.look(&self.handle(number).ok()?)?;
            let game = session.game();
            let snapshot = game.snapshot();
            let player = |side: Side| match snapshot.seats[side.index()].sitter {
                Sitter::AwayGuest => format!("free ({})", game.side_name(side)),
                Sitter::Host | Sitter::Guest => game.player_and_side(side),
            };
            let [p1, p2] = Side::BOTH.map(player);
            let state = match game.is_over() {
                true => "over".to_owned(),
                false => format!("move {}", game.n_moves() + 1),
            };
            let watching = snapshot
                .clients
                .iter()
                .filter(|client| client.role == Role::Spectator);
            let watching: Vec<&str> = watching.map(|client| client.name.as_str()).collect();
            let watching = match watching.as_slice() {
                [] => String::new(),
                names => format!(", watched by {}", names.join(", ")),
            };
            Some(format!(
                "{number}. {}: {p1} vs {p2}, {state}{watching}",
                snapshot.game
            ))
        });
        lines.collect::<Vec<_>>().join("\n")
    }

    /// Ends the tables that guests opened.
    pub(crate) fn close(&self) {
        for table in self.opened.lock().drain(..) {
            table.open.handle.stop();
            let _ = table.open.join();
        }
    }
}
