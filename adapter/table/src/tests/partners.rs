//! Partners who take turns on a side.

use crate::model::{Role, SeatPlayer, SideSet, TableEvent};
use kit::Side;

use super::case::{Case, Visitor, spec};
use crate::client_game::ClientGame;
use crate::model::TableCommand;
use crate::record_testing::rules;

const SIDES: [&[&str]; 2] = [&["human Ann", "human Cid"], &["human Bob", "human Dan"]];

/// Ann (the host) and Cid play p1, Bob and Dan p2; Eve watches.
fn four(limit: &str) -> Case {
    joined(Case::with_partners(SIDES, limit, &["p1.2", "p2", "p2.2"]))
}

/// The four people join this table.
fn joined(mut case: Case) -> Case {
    case.talk("host Ann joins");
    case.join("Bob", Role::Player(Side::P2.into()));
    case.talk(
        "guest Cid joins / guest Dan joins / spectator Eve joins / Ann hears .. / Bob hears ..",
    );
    case
}

/// The player to move in the last `turn` event that Eve has heard.
fn told_turn(case: &Case) -> Option<String> {
    let turn = |event| match event {
        TableEvent::Turn { player, .. } => Some(player),
        _ => None,
    };
    let told = case.people["Eve"].events.try_iter().filter_map(turn);
    told.last().flatten()
}

#[test]
fn partners_take_turns_to_the_end_of_the_game() {
    let mut case = four("-");
    let names = ["Ann", "Bob", "Cid", "Dan"];
    for (turn, code) in ["a1", "b1", "b1", "c3", "d3"].into_iter().enumerate() {
        let (name, side) = (names[turn % 4], ["p1", "p2"][turn % 2]);
        for other in names.iter().filter(|other| **other != name) {
            let wait = format!("{name} ({side}) is to move.");
            case.talk(&format!("{other}: play {code} => refused: {wait}"));
        }
        case.talk(&format!("{name}: play {code} => .. | done"));
    }
    assert_eq!(told_turn(&case).as_deref(), Some("Bob"));
    case.talk("Bob: play d1 => * | over: 0-1 {p2 wins: it took the last stone} | ..");
    let ledger = case.ledger();
    let record = ledger.lines().last().expect("a record");
    let players = r#""p1":"Ann+Cid","p2":"Bob+Dan""#;
    assert!(record.contains(players), "{record}");
    let by = record.split(r#""by":""#).skip(1).map(|rest| &rest[..3]);
    assert!(
        by.eq(["Ann", "Bob", "Cid", "Dan", "Ann", "Bob"]),
        "{record}"
    );
    let plan = ledger.lines().next().unwrap_or_default();
    assert!(plan.contains(r#""teams":[[0,1],[2,3]]"#), "{plan}");
}

#[test]
fn a_move_that_is_taken_back_gives_its_player_the_turn() {
    let mut case = four("-");
    case.talk(
        "Ann plays a1 / Bob plays b1 / Cid plays b1
        // Dan has not moved yet.
        Dan: undo => refused: There is no move to take back.
        Bob: undo => Bob proposes move 1 | done
        // the other side answers
        Dan: accept => refused: There is no proposal to answer.
        // either partner may
        Cid: accept => accepted | went to 1 | turn of p2 | done",
    );
    assert_eq!(told_turn(&case).as_deref(), Some("Bob"));
    case.talk("Dan: play c1 => refused: Bob (p2) is to move. / Bob plays c1");
    assert_eq!(told_turn(&case).as_deref(), Some("Cid"));
    // On the old branch, the order of turns is the same.
    case.talk("Ann: go-to 3 / Dan: accept");
    assert_eq!(told_turn(&case).as_deref(), Some("Dan"));
    assert_eq!(case.moves(), "a1 b1 b1");
}

#[test]
fn who_sits_on_both_sides_asks_both_partners() {
    let mut case = Case::with_partners(SIDES, "-", &["p1.2", "p2.2"]);
    case.talk("host Ann joins");
    case.join("Cid", Role::Player(Side::P1.into()));
    case.join("Dan", Role::Player(Side::P2.into()));
    case.talk(
        "Ann plays a1 / Ann: undo => Ann proposes move 0 | done
        // it is his own
        Ann: accept => refused: There is no proposal to answer.
        // Dan has not answered
        Cid: accept / moves a1
        Dan: accept / moves",
    );
}

#[test]
fn a_client_knows_whether_it_is_his_turn_between_two_events() {
    let mut case = four("-");
    let dan = case.people["Dan"].clone();
    let TableEvent::Snapshot(snapshot) = case.table.snapshot(dan.id) else {
        panic!("a snapshot");
    };
    let mut game = ClientGame::new(rules(), *snapshot).expect("a sound snapshot");
    case.talk("Dan hears .. / Ann plays a1 / Bob plays b1 / Cid plays b1");
    let may_move = dan.events.try_iter().map(|event| {
        game.update(&event).expect("a legal move");
        game.may_move()
    });
    // Three times `move-played`, `table-view` and `turn`.
    let may_move: Vec<bool> = may_move.collect();
    let turns = [[false; 3], [false; 3], [false, true, true]];
    assert_eq!(may_move, turns.concat());
}

#[test]
fn partners_may_not_talk_while_the_game_runs() {
    let mut case = four("-");
    case.talk("Eve: say hm => Eve: hm | done");
    for name in ["Ann", "Bob", "Cid", "Dan"] {
        let why = "Partners may not chat while the game runs.";
        case.talk(&format!("{name}: say hm => refused: {why}"));
    }
    case.talk(
        "Dan: resign => over: 1-0 {Dan resigns} | ..
        Cid: say hm => Cid: hm | done",
    );
}

#[test]
fn who_has_no_partner_may_talk() {
    let sides: [&[&str]; 2] = [&["human Ann", "Bot"], &["human Bob", "human Dan"]];
    let mut case = Case::with_partners(sides, "-", &["p2", "p2.2"]);
    case.talk(
        "host Ann joins / guest Bob joins
        // an engine hears nothing
        Ann: say hm => Ann: hm | done
        // Dan's seat waits for him
        Bob: say hm => *",
    );
}

#[test]
fn a_side_has_one_clock() {
    four("tc=60").talk(
        "wait 10000 / Ann plays a1 / wait 5000 / Bob plays b1 / wait 20000 / Cid plays b1
        Ann: clock => clocks 30 55 | done
        Cid: undo / Bob: accept / Ann: clock => clocks 50 55 | done
        Dan hears .. / wait 50001 / Dan hears over: 0-1 {Cid loses on time: 50.001 s} | ..",
    );
}

#[test]
fn a_resumed_game_has_all_partners() {
    let mut case = four("-");
    case.talk("Ann plays a1 / Bob plays b1 / Cid plays b1");
    case.talk(r#"ledger has {"seats":["p1.2","p2","p2.2"] / resume"#);
    let mut case = joined(case);
    case.talk("Bob: play c1 => refused: Dan (p2) is to move. / Dan plays c1");
    assert_eq!(told_turn(&case).as_deref(), Some("Ann"));
}

#[test]
fn a_guest_takes_a_free_seat_and_comes_back_to_it() {
    let mut case = Case::with_partners(SIDES, "-", &["p2", "p2.2"]);
    let [bob, dan, eve] =
        ["B", "D", "E"].map(|name| case.join(name, Role::Player(Side::P2.into())));
    let why = "refused: This seat is taken, or not kept for a guest. You can join to watch.";
    assert_eq!(eve.events(), [why]);
    let token = dan.token();
    case.ask(&dan, TableCommand::Leave);
    let names = |case: &Case| {
        let partners = case.table.seat_info(Side::P2).partners.into_iter();
        let names: Vec<_> = partners.map(|seat| (seat.name, seat.client)).collect();
        names
    };
    let [bob_is, dan_is] = ["Bob", "Dan"].map(str::to_owned);
    assert_eq!(
        names(&case),
        [(bob_is, Some(bob.id)), (dan_is.clone(), None)]
    );
    let dan = case.join_with("D", Role::Player(SideSet::NONE), Some(token), 99);
    assert_eq!(names(&case)[1], (dan_is, Some(dan.id)));
}

/// Ann and an engine play p1, Bob plays p2; both people use the host's console.
fn person_and_engine() -> (Case, Visitor) {
    let sides: [&[&str]; 2] = [&["human Ann", "Bot"], &["human Bob"]];
    let mut case = Case::with_partners(sides, "-", &[]);
    let host = case.join("host", Role::Host);
    case.talk("host plays a1 b1 / poll");
    (case, host)
}

#[test]
fn a_person_and_an_engine_are_partners() {
    let (mut case, _) = person_and_engine();
    case.talk(
        "Bot is told start | begin | position startpos moves a1 b1
        host: play b1 => refused: Bot (p1), an engine, is to move.
        Bot moves b1 / host plays c1
        // Ann is to move
        Bot is told nothing
        host plays c1 / host: undo / moves a1 b1 b1 c1",
    );
    let info = case.table.seat_info(Side::P1);
    assert_eq!((info.name.as_str(), info.partners.len()), ("Ann+Bot", 2));
    // `set-auto` gives engines all seats of a side or none.
    case.talk(
        r#"host: auto p1 / poll / helper is told begin | position startpos moves a1 b1 b1 c1
        ledger has {"auto":[true,false]}"#,
    );
}

#[test]
fn a_partner_s_fault_is_his_own() {
    person_and_engine()
        .0
        .talk("host hears .. / Bot is unreadable / host hears over: 0-1 {Bot * | ..");
}

#[test]
fn another_player_takes_a_partner_s_seat() {
    let (mut case, host) = person_and_engine();
    let set = |seat: &str| TableCommand::SetSeat {
        seat: seat.parse().expect("a seat"),
        player: SeatPlayer {
            player: Box::new(spec("human Cid", "-")),
            guest: false,
        },
    };
    let why = "refused: There is no seat p2.2.";
    assert_eq!(case.ask(&host, set("p2.2")), [why]);
    case.ask(&host, set("p1.2"));
    case.talk("host plays b1 / resume");
    assert_eq!(case.table.player_name(Side::P1), "Ann+Cid");
    case.talk(
        r#"host host joins / host: resign
        ledger has "by":"Cid"
        ledger has "p1":"Ann+Cid","p2":"Bob""#,
    );
}
