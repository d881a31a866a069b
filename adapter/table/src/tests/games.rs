//! Going back, branches, files, and reopened ledgers.

use crate::model::{NodeId, Role, SideSet, Snapshot, TableEvent};
use kit::Side;
use record::ledger::{LedgerWriter, MemoryLedger, SyncPolicy};
use record::opening::Opening;

use super::case::{Case, Visitor};
use crate::journal::{Journal, SavedTable, new_ledger, read_table};
use crate::model::TableCommand;
use crate::record_testing::WatchedFile;
use crate::records::TableLedger;

fn alone() -> (Case, Visitor) {
    let mut case = Case::with(["human", "human"], "-", SideSet::NONE);
    let ann = case.join("Ann", Role::Host);
    ann.events();
    (case, ann)
}

fn snapshot(case: &mut Case, visitor: &Visitor) -> Snapshot {
    visitor.events();
    case.send(visitor, TableCommand::Snapshot);
    let is_it = |event| match event {
        TableEvent::Snapshot(snapshot) => Some(*snapshot),
        _ => None,
    };
    let mut events = visitor.events.try_iter();
    events.find_map(is_it).expect("a snapshot")
}

#[test]
fn a_branch_is_kept_and_entered_again() {
    alone().0.talk(
        "Ann plays a1 b1 c1 / Ann: back 2 / Ann plays b2 / moves a1 b2
        Ann: go-to 3 / moves a1 b1 c1
        Ann: go-to 9 => refused: There is no position 9: the last one is 4.
        Ann: forward 1 => refused: There is no move in that direction.",
    );
}

#[test]
fn a_table_is_opened_again_where_it_was_left() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.talk("Ann plays d4 / Bot moves c1 / Ann plays c2 / poll");
    let before = snapshot(&mut case, &ann);
    case.talk("Ann drops / resume");
    let ann = case.join("Ann", Role::Host);
    let after = snapshot(&mut case, &ann);
    assert_eq!(after.id, before.id);
    assert_eq!(after.tree, before.tree);
    assert_eq!(after.seats, before.seats);
    case.talk("Bot moves b1 / moves d4 c1 c2 b1");
}

#[test]
fn a_finished_game_stays_finished() {
    let (mut case, _) = alone();
    case.talk("Ann: resign / resume");
    let ann = case.join("Ann", Role::Host);
    let snapshot = snapshot(&mut case, &ann);
    let ending = snapshot.ending.expect("it is over");
    assert_eq!(ending.reason, "p1 resigns");
    assert_eq!(snapshot.number, 1);
    assert_eq!(case.ledger().matches("\"result\"").count(), 1);
}

#[test]
fn an_ending_that_is_reached_again_is_kept() {
    let (mut case, ann) = alone();
    for _ in 0..2 {
        case.play(&ann, "a1");
        case.ask(&ann, TableCommand::Resign);
        assert!(case.table.over.is_some());
        case.ask(&ann, TableCommand::Undo);
    }
    case.talk("Ann plays a1 / Ann: resign / resume");
    let over = case.table.over.as_ref().expect("it is over");
    assert_eq!(over.reason, "p2 resigns");
    assert_eq!(case.ledger().matches("\"result\"").count(), 1);
}

#[test]
fn a_saved_game_is_loaded() {
    let (mut case, _) = alone();
    let folder = case.folder.path().display().to_string();
    case.talk(&format!(
        "Ann plays a1 b1 / Ann: save {folder}/saved.jsonl => saved | done
        Ann: save {folder}/saved.jsonl => refused: *saved.jsonl* | ..
        Ann: new / moves
        Ann: load {folder}/saved.jsonl => a new game | snapshot | turn of p1 | done
        moves a1 b1
        Ann: load {folder}/none => refused: *none* | ..
        moves a1 b1"
    ));
}

#[test]
fn a_game_begins_from_a_position() {
    let (mut case, ann) = alone();
    let at = |text: &str| TableCommand::New {
        opening: Some(Opening::parse(text)),
        lines: Vec::new(),
        auto: None,
    };
    let refused = case.ask(&ann, at("7/8/x p1"));
    assert!(refused[0].starts_with("refused: "), "{refused:?}");
    case.ask(&ann, at("0/1 p2"));
    case.talk("Ann: play b1 => * | * | over: 0-1* | ..");
}

#[test]
fn a_game_begins_with_moves_that_can_be_taken_back() {
    let (mut case, ann) = alone();
    let new = |lines: &[&str]| TableCommand::New {
        opening: Some(Opening::parse("1/2/3 p1")),
        lines: lines
            .iter()
            .map(|line| line.split(' ').map(str::to_owned).collect())
            .collect(),
        auto: None,
    };
    let refused = case.ask(&ann, new(&["a1 b9"]));
    assert!(refused[0].starts_with("refused: "), "{refused:?}");
    case.ask(&ann, new(&["a1 b1", "a1 c3", "b2"]));
    assert_eq!(case.moves(), "a1 b1");
    let snapshot = snapshot(&mut case, &ann);
    assert_eq!(snapshot.tree.n_nodes(), 5);
    case.talk("Ann: undo / moves a1");
}

#[test]
fn an_engine_that_a_new_game_replaces_does_not_move_in_it() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    let opening = Some(Opening::parse("1/2/3 p2"));
    let lines = Vec::new();
    let auto = Some(SideSet::from(Side::P2));
    case.ask(
        &ann,
        TableCommand::New {
            opening,
            lines,
            auto,
        },
    );
    let told = case.told("Bot");
    assert!(!told.iter().any(|word| word.starts_with("go")), "{told:?}");
    case.talk("Ann plays b1 / helper moves a1");
}

#[test]
fn a_game_that_is_over_when_it_is_loaded_is_not_recorded() {
    let (mut case, ann) = alone();
    let opening = Some(Opening::parse("0/0 p1"));
    let lines = Vec::new();
    let auto = None;
    let new = TableCommand::New {
        opening,
        lines,
        auto,
    };
    let told = case.ask(&ann, new);
    assert!(told[2].starts_with("over: 0-1"), "{told:?}");
    assert!(!case.folder.path().join("game.jsonl").exists());
}

#[test]
fn a_ledger_of_an_older_linesman_is_read() {
    let (mut case, ann) = alone();
    case.play(&ann, "a1");
    let path = case.folder.path().join("game.jsonl");
    let mut old: String = case
        .ledger()
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    old.push_str(concat!(
        r#"{"journal":{"move":{"from":0,"code":"d4","by":"person","record":{"time":1.5}}}}"#,
        "\n",
        r#"{"journal":{"move":{"from":1,"code":"c1","by":"engine"}}}"#,
        "\n",
        r#"{"journal":{"at":1}}"#,
        "\n",
        r#"{"journal":{"auto":[false,true]}}"#,
        "\n",
        r#"{"journal":{"mo"#,
    ));
    std::fs::write(path, old).expect("a temporary folder");
    case.talk("resume / moves d4");
    assert!(case.table.seat(kit::Side::P2).is_auto);
    let ann = case.join("Ann", Role::Host);
    let snapshot = snapshot(&mut case, &ann);
    assert_eq!(snapshot.tree.n_nodes(), 3);
}

/// A table after the moves a1 and b1 and one `undo`, and the lines of its ledger without line breaks.
fn written() -> (Case, Vec<String>) {
    let (mut case, ann) = alone();
    case.play(&ann, "a1");
    case.play(&ann, "b1");
    case.ask(&ann, TableCommand::Undo);
    let ledger = std::fs::read_to_string(ledger_of(&case)).expect("the ledger");
    let lines: Vec<String> = ledger.lines().map(str::to_owned).collect();
    assert!(lines[lines.len() - 1].starts_with(r#"{"journal":{"at":1},"crc32":""#));
    (case, lines)
}

fn ledger_of(case: &Case) -> std::path::PathBuf {
    case.folder.path().join("game.jsonl")
}

/// Reads a ledger with this text; an error is returned as text.
fn reading(case: &Case, text: &str) -> Result<SavedTable, String> {
    std::fs::write(ledger_of(case), text).expect("the folder is there");
    read_table(&ledger_of(case)).map_err(|error| error.to_string())
}

#[test]
fn a_changed_line_of_the_journal_is_named() {
    let (case, lines) = written();
    for (number, from, to) in [
        (lines.len() - 2, "\"from\":1", "\"from\":0"),
        (lines.len() - 2, "b1", "b2"),
        (lines.len() - 1, "\"at\":1", "\"at\":0"),
    ] {
        let mut changed = lines.clone();
        assert!(changed[number].contains(from), "{}", changed[number]);
        changed[number] = changed[number].replace(from, to);
        let error = reading(&case, &(changed.join("\n") + "\n")).expect_err("it was changed");
        let named = format!("line {}: changed: its crc32 is ", number + 1);
        assert!(error.starts_with(&named), "{error}");
    }
}

#[test]
fn a_move_that_is_written_twice_is_named() {
    let (case, mut lines) = written();
    let at = lines.len() - 2;
    lines.insert(at + 1, lines[at].clone());
    let error = reading(&case, &(lines.join("\n") + "\n")).expect_err("it is there twice");
    let expected = format!("line {}: the move b1 again after node 1", at + 2);
    assert_eq!(error, expected);
}

#[test]
fn a_torn_line_of_the_journal_is_left_out() {
    let (case, lines) = written();
    let whole = lines.join("\n");
    let torn = &whole[..whole.len() - 3];
    let journal = reading(&case, torn).expect("whole lines").journal;
    let tree = journal.expect("a game").tree;
    assert_eq!((tree.here(), tree.n_nodes()), (NodeId(2), 3));
}

#[test]
fn a_journal_of_an_older_linesman_has_no_checksums() {
    let (case, lines) = written();
    let old = |line: &String| match line.split_once(",\"crc32\"") {
        Some((line, _)) => format!("{line}}}\n"),
        None => format!("{line}\n"),
    };
    let text: String = lines.iter().map(old).collect();
    assert!(!text.contains("crc32"));
    let journal = reading(&case, &text).expect("an older ledger").journal;
    assert_eq!(journal.expect("a game").tree.here(), NodeId(1));
}

#[test]
fn a_move_is_forced_to_the_disk_before_it_is_told() {
    let (mut case, ann) = alone();
    let file = WatchedFile::default();
    let plan = case.table.setup.plan.clone();
    let own = Box::new(file.clone());
    let ledger = LedgerWriter::new(&plan.ledger, own, SyncPolicy::EachGame);
    let ledger = TableLedger::Open(ledger);
    case.table.records.ledger = Some(ledger);
    file.calls();
    case.play(&ann, "a1");
    assert_eq!(file.calls(), ["append {\"journal\"", "sync"]);
    case.send(&ann, TableCommand::Resign);
    assert_eq!(file.calls(), ["append {\"game\"", "sync"]);
    ann.events();
    file.break_sync();
    let undone = case.try_send(&ann, TableCommand::Undo);
    assert!(undone.is_err(), "the table cannot go on without its ledger");
    assert!(
        !ann.events()
            .iter()
            .any(|event| event.starts_with("went to"))
    );
}

#[test]
fn a_line_is_added_beside_the_game_and_kept() {
    let (mut case, ann) = alone();
    case.talk("Ann plays a1 b1");
    let add = |from: usize, codes: &[&str]| TableCommand::AddLine {
        from: NodeId(from),
        codes: codes.iter().map(|code| (*code).to_owned()).collect(),
    };
    let expected = ["[3, 4] after 1", "done"];
    assert_eq!(case.ask(&ann, add(1, &["c1", "c2"])), expected);
    assert_eq!(case.moves(), "a1 b1");
    for (command, why) in [
        (
            add(9, &["c1"]),
            "There is no position 9: the last one is 4.",
        ),
        (add(0, &[]), "A line has 1 to 256 moves."),
    ] {
        assert_eq!(case.ask(&ann, command), [format!("refused: {why}")]);
    }
    let illegal = case.ask(&ann, add(0, &["a1", "z9"]));
    assert!(illegal[0].starts_with("refused: z9"), "{illegal:?}");
    case.ask(&ann, TableCommand::Resign);
    case.ask(&ann, add(2, &["d1"]));
    let mut case = case.resumed();
    let ann = case.join("Ann", Role::Host);
    let snapshot = snapshot(&mut case, &ann);
    assert_eq!(snapshot.tree.n_nodes(), 6);
    assert_eq!(snapshot.tree.here(), NodeId(2));
    assert!(snapshot.ending.is_some(), "the game is over as before");
    let codes = |node| snapshot.tree.ply(node).map(|ply| ply.code.clone());
    assert_eq!(codes(NodeId(4)).as_deref(), Some("c2"));
}

#[test]
fn a_side_forfeits_at_the_hosts_word_alone() {
    let (mut case, _, bob) = Case::two_people();
    let forfeit = || TableCommand::Forfeit { side: Side::P2 };
    let refused = case.ask(&bob, forfeit());
    assert_eq!(refused, ["refused: Only the host can use forfeit."]);
    case.talk(
        r#"Ann: forfeit p2 => .. | over: 1-0 {p2 loses on time} | ..
        ledger has "time forfeit"
        Ann: forfeit p2 => refused: * | .."#,
    );
}

/// The contents of a ledger without moves.
fn begun() -> Vec<u8> {
    let table = Case::with(["human Ann", "human Bob"], "-", SideSet::NONE).table;
    let game = Journal::new("1a2b".to_owned(), Opening::default());
    new_ledger(&table.setup.plan, &table.setup.helper, &game).expect("a plan")
}

#[test]
fn a_ledger_need_not_be_a_file() {
    let mut ledger = begun();
    for (n_moves, code) in ["a1", "b1"].into_iter().enumerate() {
        let lines = MemoryLedger::default();
        let mut case = Case::of_bytes(&ledger, &lines);
        assert_eq!(case.table.tree.line().count(), n_moves);
        let ann = case.join("Ann", Role::Host);
        case.play(&ann, code);
        let added = lines.take();
        assert_eq!(added.iter().filter(|byte| **byte == b'\n').count(), 1);
        ledger.extend(added);
    }
}

#[test]
fn touch_move_of_older_ledgers_is_ignored() {
    let mut ledger = begun();
    ledger.extend(b"{\"journal\":{\"touch-move\":true}}\n{\"journal\":{\"touched\":\"a1\"}}\n");
    let mut case = Case::of_bytes(&ledger, &MemoryLedger::default());
    case.talk("host Ann joins / Ann plays a1 / moves a1");
}
