//! Laws that hold in every game at a table, tested with random sequences of moves, takebacks, stand-ins, faults, changes of
//! seats, absences, results and reopened ledgers, with simulated time.
//!
//! - The clock of a person shows the time of the person's own moves. What an engine thinks for the person, and the time
//!   for which the game waits for a guest, is not on it.
//! - The ledger, read again, has the same game and the same clocks.
//! - A game that is not over waits for a person, for a guest, for `go`, or for an engine that is at work; and the table
//!   asks to be polled when the time of the person to move or of an absent guest ends.
//!
//! Pairs of features at a table, and the tests of each pair, some of which are cases of `data`. `L` is the law below.
//!
//! clock x undo            L, partners::a_side_has_one_clock, seats::a_move_that_is_made_again_takes_its_new_time
//! clock x resume          L, seats::a_clock_with_a_new_limit_counts_from_there
//! clock x stand-in        L, seats::a_change_of_the_other_seat_charges_no_time_of_a_stand_in,
//!                         seats::a_stand_in_that_fails_charges_no_time_to_the_person
//! clock x partners        L, partners::a_side_has_one_clock
//! clock x swap            - a swap is a move, and clocks belong to sides; Nim has none
//! clock x restart         L, engines::an_engine_that_cannot_be_started_again_is_held
//! clock x adjudication    L, play::a_flag_falls_at_its_time
//! clock x journal         L
//! clock x absence         L, seats::a_guest_who_drops_comes_back_to_his_seat,
//!                         seats::a_guest_who_leaves_loses_on_time_and_the_opponent_may_claim_before
//! clock x change of seat  L, seats::a_clock_with_a_new_limit_counts_from_there
//! undo x resume           L, games::a_table_is_opened_again_where_it_was_left
//! undo x stand-in         L, seats::a_change_of_the_other_seat_charges_no_time_of_a_stand_in
//! undo x partners         L, partners::a_move_that_is_taken_back_gives_its_player_the_turn
//! undo x restart          L, engines::an_engine_that_ignores_stop_is_started_again
//! undo x adjudication     L, games::an_ending_that_is_reached_again_is_kept,
//!                         play::the_rules_end_a_game_and_it_is_recorded_once
//! undo x journal          L, games::a_move_that_is_written_twice_is_named
//! resume x stand-in       L, seats::a_change_of_the_other_seat_charges_no_time_of_a_stand_in
//! resume x partners       L, partners::a_resumed_game_has_all_partners
//! resume x restart        L
//! resume x adjudication   L, games::a_finished_game_stays_finished
//! resume x journal        L, games::a_torn_line_of_the_journal_is_left_out
//! resume x trust          - the program that opens a ledger decides (suite: trust)
//! stand-in x partners     L, partners::a_person_and_an_engine_are_partners
//! stand-in x restart      L, engines::a_stand_in_that_fails_costs_the_person_nothing
//! stand-in x adjudication L, seats::an_illegal_move_of_a_stand_in_costs_the_person_nothing
//! stand-in x journal      L
//! partners x restart      L
//! partners x adjudication L, partners::partners_take_turns_to_the_end_of_the_game, partners::a_partner_s_fault_is_his_own
//! partners x journal      L, partners::another_player_takes_a_partner_s_seat
//! restart x adjudication  L, engines::an_engine_that_is_silent_in_its_turn_loses
//! restart x journal       L
//! adjudication x journal  L, games::an_ending_that_is_reached_again_is_kept
//! trust x journal         - commands that the first line does not name (suite: trust)

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::model::{NodeId, Role, SeatId, SeatPlayer, SideSet, Sitter, Turn};
use kit::Side;
use proptest::prelude::*;
use protocol::Info;
use record::clock::{Clock, Limit};
use record::ledger::MemoryLedger;
use referee::engine::EngineEvent;
use referee::engine::{BestMove, Fault};

use super::case::{Case, Scripts, Visitor, died, host, spec};
use crate::model::TableCommand;
use crate::seat::{Seat, SeatStage};
use crate::setup::PausedTable;
use crate::state::Table;

/// An action of a client or an engine, or a change of the time.
#[derive(Debug, Clone)]
enum Step {
    /// The person to move, or the host for an engine that waits, makes the n-th legal move.
    Play(usize),
    /// The thinking engine makes the n-th legal move.
    Answer(usize),
    /// The thinking engine fails.
    Fail(Fault),
    /// The next engines that are prepared for a game fail.
    BeginFails(usize),
    Wait(u64),
    Undo,
    GoTo(usize),
    Go(Option<&'static str>),
    Pause,
    Auto(bool, bool),
    /// Another limit for a seat.
    Limit(Side, &'static str),
    /// A person's seat goes to an engine, or back.
    Change(Side),
    Resign,
    /// The host claims the game of an absent guest, or a draw.
    Claim(bool),
    Leave,
    Return,
    New,
    Reopen,
}

fn step() -> impl Strategy<Value = Step> {
    let fault = prop_oneof![
        Just(died()),
        Just(Fault::Silent("bestmove")),
        Just(Fault::Unreadable("bestmove".to_owned())),
        Just(Fault::Shortage("files".to_owned())),
    ];
    let limit = prop::sample::select(vec!["tc=60", "tc=40", "-"]);
    let side = prop::sample::select(Side::BOTH.to_vec());
    let go = prop::option::of(prop::sample::select(vec!["tc=60", "st=9", "depth=1"]));
    prop_oneof![
        8 => (0_usize..9).prop_map(Step::Play),
        8 => (0_usize..9).prop_map(Step::Answer),
        6 => prop::sample::select(vec![1, 400, 5_000, 15_000, 30_000]).prop_map(Step::Wait),
        2 => fault.prop_map(Step::Fail),
        1 => (1_usize..4).prop_map(Step::BeginFails),
        2 => Just(Step::Undo),
        1 => (0_usize..9).prop_map(Step::GoTo),
        3 => go.prop_map(Step::Go),
        1 => Just(Step::Pause),
        2 => any::<(bool, bool)>().prop_map(|(p1, p2)| Step::Auto(p1, p2)),
        2 => (side.clone(), limit).prop_map(|(side, limit)| Step::Limit(side, limit)),
        1 => side.prop_map(Step::Change),
        1 => Just(Step::Resign),
        2 => any::<bool>().prop_map(Step::Claim),
        2 => Just(Step::Leave),
        2 => Just(Step::Return),
        1 => Just(Step::New),
        1 => Just(Step::Reopen),
    ]
}

/// The players of a table, and whether p2 is a guest's seat.
const TABLES: &[([&[&str]; 2], bool)] = &[
    ([&["human Ann"], &["human Bob"]], true),
    ([&["human Ann"], &["human Bob"]], false),
    ([&["human Ann"], &["Bot"]], false),
    ([&["human Ann", "Bot"], &["human Bob"]], true),
    ([&["human Ann", "human Cid"], &["Bot", "Box"]], false),
];

/// A table, and what its clocks should show.
struct Law {
    case: Case,
    host: Visitor,
    guest: Option<Visitor>,
    token: Option<String>,
    /// The time that the person has used at the current node.
    used: Duration,
    /// The side and the time of each move that counts on a clock.
    charged: HashMap<NodeId, (Side, Duration)>,
    /// The first node that counts on each clock.
    since: [usize; 2],
    /// `false` after a seat changed between person and engine, and with an hourglass or partners after any change of a
    /// player: the old moves count as those of the new players. Then the clocks are only compared with the ledger's.
    is_known: bool,
    is_hourglass: bool,
    left: Option<Instant>,
    absence: Duration,
    reconnect: Duration,
    is_awaited: bool,
}

impl Law {
    fn new(table: usize, limit: &str, restarts: bool, reconnect: u64) -> Law {
        let (sides, has_guest) = TABLES[table];
        let scripts = Scripts {
            are_separate: true,
            ..Scripts::default()
        };
        let guests = has_guest.then(|| SeatId::from(Side::P2));
        let guests = guests.into_iter().collect();
        let mut case = Case::start(sides, limit, guests, scripts);
        case.poll();
        case.table.setup.restarts_engines = restarts;
        let reconnect = Duration::from_secs(reconnect);
        case.table.setup.reconnect = reconnect;
        let host = case.join("host", Role::Host);
        Law {
            case,
            host,
            guest: None,
            token: None,
            used: Duration::ZERO,
            charged: HashMap::new(),
            since: [0; 2],
            is_known: true,
            is_hourglass: limit.starts_with("hourglass"),
            left: None,
            absence: Duration::ZERO,
            reconnect,
            is_awaited: has_guest,
        }
    }

    fn table(&self) -> &Table {
        &self.case.table
    }

    /// Sends a command, and returns the sender's events. Like its thread, the table is polled only when it has asked for
    /// that.
    fn send(&mut self, visitor: &Visitor, command: TableCommand) -> Vec<String> {
        visitor.events();
        let handled = self.case.handle(visitor, command);
        handled.expect("the table goes on");
        self.settle();
        visitor.events()
    }

    fn settle(&mut self) {
        let now = self.case.now;
        while self.case.table.deadline(now).is_some_and(|due| due <= now) {
            self.case.table.poll(now, false).expect("the table goes on");
        }
    }

    fn ask(&mut self, command: TableCommand) {
        let host = self.host.clone();
        self.send(&host, command);
        // The guest agrees to everything.
        if let Some(guest) = self.guest.clone() {
            self.send(&guest, TableCommand::Accept);
        }
    }

    fn code(&self, n: usize) -> Option<String> {
        let moves = self.table().board().moves();
        (!moves.is_empty()).then(|| moves[n % moves.len()].clone())
    }

    /// The seat whose engine is thinking.
    fn thinking(&self) -> Option<SeatId> {
        let Turn::Engine(side) = self.table().turn() else {
            return None;
        };
        let id = self.table().seat_id(side);
        (self.table().seat_at(id).stage == SeatStage::Thinking).then_some(id)
    }

    fn says(&mut self, event: Result<EngineEvent, Fault>) {
        let asked = self.case.scripts.asked.lock().clone();
        if let Some(script) = asked {
            script.lock().says.push_back(event);
        }
        self.settle();
    }

    /// The end of the time to reconnect.
    fn waiting_end(&self) -> Option<Instant> {
        let has_clock = self.table().all_seats().any(Seat::has_clock);
        let left = self.left.filter(|_| self.is_awaited && has_clock)?;
        Some(left + self.reconnect.saturating_sub(self.absence))
    }

    /// `true` if an absent guest has a seat in which a person plays.
    fn is_waiting(&self) -> bool {
        let has_guest = |seat: &Seat| !seat.is_auto && seat.info().sitter != Sitter::Host;
        self.is_awaited && self.table().all_seats().any(has_guest)
    }

    fn wait(&mut self, ms: u64) {
        let (from, to) = (self.case.now, self.case.now + Duration::from_millis(ms));
        if matches!(self.table().turn(), Turn::Person(_)) {
            let from = match self.waiting_end() {
                _ if !self.is_waiting() => from,
                Some(end) => end.max(from),
                None => to,
            };
            self.used += to.saturating_duration_since(from);
        }
        self.case.now = to;
        self.settle();
    }

    fn take(&mut self, step: Step) {
        let (here, turn) = (self.table().tree.here(), self.table().turn());
        let id = self.table().id.clone();
        let n_moves = self.table().moves().len();
        let mut is_move = false;
        let mut elapsed = Duration::ZERO;
        let mut is_own = true;
        match step {
            Step::Play(n) => {
                let Some(code) = self.code(n) else { return };
                if matches!(turn, Turn::Person(_)) {
                    elapsed = self.used;
                }
                is_move = true;
                let players = [Some(self.host.clone()), self.guest.clone()];
                for player in players.iter().flatten() {
                    if self.table().moves().len() == n_moves {
                        let (code, from) = (code.clone(), None);
                        self.send(player, TableCommand::Play { code, from });
                    }
                }
            }
            Step::Answer(n) => {
                let (Some(id), Some(code)) = (self.thinking(), self.code(n)) else {
                    return;
                };
                elapsed = self.table().seat_at(id).searched(self.case.now);
                is_move = true;
                let limit = self.table().fresh_clock(id.side).limit();
                is_own =
                    !self.table().is_persons(id) && self.table().seat_at(id).spec.limit == limit;
                self.says(Ok(EngineEvent::Moved(BestMove {
                    code,
                    ponder: None,
                    elapsed,
                    thought: Info::default(),
                })));
            }
            Step::Fail(fault) if self.thinking().is_some() => self.says(Err(fault)),
            Step::Fail(_) => {}
            Step::BeginFails(n) => {
                let mut faults = self.case.scripts.begin_faults.lock();
                faults.extend((0..n).map(|_| Fault::Start("no such file".to_owned())));
            }
            Step::Wait(ms) => self.wait(ms),
            Step::Undo => self.ask(TableCommand::Undo),
            Step::GoTo(n) => {
                let node = NodeId(n % self.table().tree.n_nodes());
                self.ask(TableCommand::GoTo { node });
            }
            Step::Go(limit) => {
                let limit = limit.map(|limit| limit.parse().expect("a limit"));
                self.ask(TableCommand::Go { limit, once: false });
            }
            Step::Pause => self.ask(TableCommand::Pause),
            Step::Auto(p1, p2) => {
                let sides = Side::BOTH.into_iter().zip([p1, p2]);
                let sides: SideSet = sides.filter(|(_, auto)| *auto).map(|(s, _)| s).collect();
                self.ask(TableCommand::SetAuto { sides });
            }
            Step::Limit(side, limit) => self.set_seat(side, Some(limit)),
            Step::Change(side) => self.set_seat(side, None),
            Step::Resign => self.ask(TableCommand::Resign),
            Step::Claim(draw) => self.ask(TableCommand::Claim { draw }),
            Step::Leave => self.leave(),
            Step::Return => self.come(),
            Step::New => self.ask(TableCommand::New {
                opening: None,
                lines: Vec::new(),
                auto: None,
            }),
            Step::Reopen => self.reopen(),
        }
        if self.waiting_end().is_some_and(|end| end <= self.case.now) {
            self.is_awaited = false;
        }
        let now_here = self.table().tree.here();
        if is_move && self.table().moves().len() > n_moves {
            let side = turn.side().expect("a player was to move");
            self.charged.remove(&now_here);
            if is_own {
                self.charged.insert(now_here, (side, elapsed));
            }
        }
        if now_here != here {
            self.used = Duration::ZERO;
        }
        if self.table().id != id {
            self.charged.clear();
            self.since = [0; 2];
            (self.absence, self.used) = Default::default();
        }
        self.host.events();
    }

    fn set_seat(&mut self, side: Side, limit: Option<&str>) {
        let seat = SeatId::from(side);
        let planned = self.table().planned(seat);
        let before = self.table().setup.plan.engines[planned].clone();
        let is_person = self.table().is_persons(seat);
        let words = match (is_person, limit) {
            (true, Some(_)) => "human Eve",
            (true, None) => "Pal",
            (false, Some(_)) => "Pal",
            (false, None) => "human Eve",
        };
        let mut player = spec(words, limit.unwrap_or("tc=60"));
        if limit.is_none() {
            player.limit = before.limit;
        }
        // A search without a limit is refused by no rule, and never ends.
        if words == "Pal" && player.limit == Limit::Unlimited {
            player.limit = "depth=3".parse().expect("a limit");
        }
        let new_limit = player.limit;
        let is_guests = self.table().seat_at(seat).info().sitter != Sitter::Host;
        let is_guest = is_guests && words == "human Eve";
        let command = TableCommand::SetSeat {
            seat,
            player: SeatPlayer {
                player: Box::new(player),
                guest: is_guest,
            },
        };
        let events = self.send(&self.host.clone(), command);
        if events[0].starts_with("refused") {
            return;
        }
        if is_guests {
            self.leave();
            self.is_awaited = is_guest;
            self.left = None;
            self.token = None;
            self.absence = Duration::ZERO;
        }
        let is_alone = self.table().partners(side).len() == 1;
        self.is_known &= limit.is_some() && is_alone && !self.is_hourglass;
        if before.limit != new_limit {
            self.since[side.index()] = self.table().tree.n_nodes();
            if self.table().side() == side {
                self.used = Duration::ZERO;
            }
        }
    }

    fn leave(&mut self) {
        let Some(guest) = self.guest.take() else {
            return;
        };
        self.send(&guest, TableCommand::Leave);
        self.left = Some(self.case.now);
        self.is_awaited = true;
    }

    fn come(&mut self) {
        let is_free = self.table().seat_info(Side::P2).sitter == Sitter::AwayGuest;
        let is_free =
            is_free || self.table().partners(Side::P2)[0].info().sitter == Sitter::AwayGuest;
        if self.guest.is_some() || !is_free {
            return;
        }
        let role = Role::Player(SideSet::NONE);
        let guest = self.case.join_with("guest", role, self.token.clone(), 100);
        self.case.poll();
        self.token = Some(guest.token());
        self.guest = Some(guest);
        let away = self.left.take().map(|left| self.case.now - left);
        self.absence += away.unwrap_or_default();
        self.is_awaited = false;
    }

    /// Closes the table and opens its ledger.
    fn reopen(&mut self) {
        if !self.table().records.is_begun() {
            return;
        }
        let (reconnect, restarts) = (
            self.table().setup.reconnect,
            self.table().setup.restarts_engines,
        );
        self.case.scripts.begin_faults.lock().clear();
        let has_guest = self.table().seat_at(Side::P2.into()).info().sitter != Sitter::Host;
        self.case.resume();
        self.case.table.setup.reconnect = reconnect;
        self.case.table.setup.restarts_engines = restarts;
        self.host = self.case.join("host", Role::Host);
        self.guest = None;
        self.token = None;
        self.left = None;
        self.absence = Duration::ZERO;
        self.is_awaited = has_guest;
        self.used = Duration::ZERO;
    }

    /// The clock of a side with only the moves that should count on it.
    fn expected(&self, side: Side, limit: Limit) -> Duration {
        let mut clock = Clock::new(limit, Duration::ZERO);
        let tree = &self.table().tree;
        for node in tree.path(tree.here()) {
            let Some((mover, elapsed)) = self.charged.get(&node) else {
                continue;
            };
            if node.0 < self.since[side.index()] {
                continue;
            }
            match *mover == side {
                true => clock.spend(*elapsed).expect("it was in time"),
                false => clock.gain(*elapsed),
            }
        }
        clock.left()
    }

    fn check(&mut self, step: &str) {
        let now = self.case.now;
        let turn = self.table().turn();
        let is_clocked = |limit: Limit| matches!(limit, Limit::Clock(..));
        for side in Side::BOTH {
            let table = self.table();
            let clock = &table.game.clocks[side.index()];
            let mut seats = table.seat_ids().filter(|id| id.side == side);
            let is_shown = seats.any(|id| !table.seat_at(id).is_auto || !table.is_persons(id));
            let id = table.seat_id(side);
            let is_searching = turn == Turn::Engine(side) && table.has_own_clock(id);
            if is_searching && table.seat_at(id).stage == SeatStage::Thinking {
                let limit = table.seat_at(id).engine_clock().limit();
                assert_eq!(
                    clock.limit(),
                    limit,
                    "the clock of {side}'s engine after {step}"
                );
            }
            if is_shown && !is_searching && self.is_known && is_clocked(clock.limit()) {
                let (left, limit) = (clock.left(), clock.limit());
                assert_eq!(
                    left,
                    self.expected(side, limit),
                    "the clock of {side} after {step}"
                );
            }
        }
        if let Turn::Person(_) = turn {
            assert_eq!(
                self.table().timer.spent(now),
                self.used,
                "the turn after {step}"
            );
        }
        let deadline = self.case.table.deadline(now);
        match turn {
            Turn::Engine(side) => {
                let stage = self.table().seat(side).stage;
                let is_pausing = self.table().pause_end().is_some();
                let is_at_work = matches!(stage, SeatStage::Preparing | SeatStage::Thinking);
                assert!(is_at_work || is_pausing, "{stage:?} after {step}");
            }
            Turn::Person(_) if self.table().timer.is_running() => {
                let clock = &self.table().game.clocks[self.table().side().index()];
                assert!(
                    deadline.is_some() || clock.allowance().is_none(),
                    "after {step}"
                );
            }
            Turn::Person(_) | Turn::Waiting(_) => assert!(self.is_waiting(), "after {step}"),
            Turn::Held(_) | Turn::Over => {}
            Turn::Starting => panic!("the engines have started"),
        }
    }

    /// Reads the ledger again.
    fn check_ledger(&self) {
        let live = self.table();
        if !live.records.is_begun() {
            return;
        }
        let (ledger, lines) = (self.case.ledger(), MemoryLedger::default());
        let path = Path::new("game.jsonl");
        let paused = PausedTable::of_bytes(ledger.as_bytes(), &lines, path, host());
        let scripts = Scripts::default();
        let PausedTable { setup, resumed } = paused.expect("a ledger");
        let read = Table::create(setup, Some(resumed), Some(scripts.source()));
        let mut read = read.expect("a game");
        read.start(self.case.now).expect("engines start");
        for _ in 0..3 {
            read.poll_engines().expect("engines start");
        }
        assert_eq!(read.tree, live.tree);
        let result = |table: &Table| table.over.as_ref().map(|over| over.result);
        assert_eq!(result(&read), result(live));
        assert_eq!(read.autos(), live.autos());
        for side in Side::BOTH {
            assert_eq!(read.player_name(side), live.player_name(side));
            let id = live.seat_id(live.side());
            let is_thinking = live.seat_at(id).stage == SeatStage::Thinking;
            if is_thinking && id.side == side && live.has_own_clock(id) {
                continue;
            }
            let clocks = [&read, live].map(|table| {
                let clock = &table.game.clocks[side.index()];
                (clock.limit(), clock.left())
            });
            assert_eq!(clocks[0], clocks[1], "the clock of {side}");
        }
    }
}

/// Number of random games; 5,000 with `LINESMAN_TEST_FULL=1`.
fn config() -> ProptestConfig {
    let is_full = std::env::var_os("LINESMAN_TEST_FULL").is_some_and(|value| value == "1");
    ProptestConfig::with_cases(if is_full { 5_000 } else { 200 })
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_game_keeps_its_clocks_and_always_waits_for_something(
        table in 0..TABLES.len(),
        limit in prop::sample::select(vec!["tc=60", "hourglass=60", "-"]),
        restarts in any::<bool>(),
        reconnect in prop::sample::select(vec![0, 20]),
        steps in prop::collection::vec(step(), 1..40),
    ) {
        let mut law = Law::new(table, limit, restarts, reconnect);
        law.take(Step::Return);
        for (index, step) in steps.into_iter().enumerate() {
            let name = format!("step {index}, {step:?}");
            law.take(step);
            law.check(&name);
        }
        law.check_ledger();
    }
}
