//! Shutdown of a table's thread.

use crate::model::{Role, SideSet};

use super::case::Case;
use crate::error::TableError;
use crate::model::TableCommand;
use crate::session::JoinWish;
use crate::session::TableHandle;

#[test]
fn quit_ends_the_table_and_its_engines() {
    let case = Case::against_engine();
    let (handle, inbox) = TableHandle::pair().expect("a pipe");
    let ann = handle
        .join(JoinWish::new("Ann", Role::Host))
        .expect("it is open");
    ann.send(TableCommand::Quit).expect("it is open");
    case.table.run(&inbox).expect("nothing fails");
    let events: Vec<_> = ann.events.iter().collect();
    let closed = format!("{:?}", events.last());
    assert!(closed.contains("Ann closed the table"), "{closed}");
    let script = case.scripts.of("Bot");
    assert_eq!(script.lock().told[1..], ["quit", "end"]);
}

#[test]
fn a_stop_ends_the_table_whatever_waits() {
    let case = Case::with(["human", "human"], "-", SideSet::NONE);
    let (handle, inbox) = TableHandle::pair().expect("a pipe");
    handle.stop();
    handle.stop();
    case.table.run(&inbox).expect("nothing fails");
    // The channel still exists while the engines quit.
    let late = || handle.join(JoinWish::new("Ann", Role::Host));
    let error = late().expect_err("the table is closed");
    assert_eq!(error.to_string(), "the table was closed");
    drop(inbox);
    assert_eq!(late().expect_err("the table is closed"), error);
}

#[test]
fn a_table_that_nobody_can_reach_ends() {
    let case = Case::against_engine();
    let (handle, inbox) = TableHandle::pair().expect("a pipe");
    let ann = handle
        .join(JoinWish::new("Ann", Role::Host))
        .expect("it is open");
    drop((ann, handle));
    case.table.run(&inbox).expect("nothing fails");
    let script = case.scripts.of("Bot");
    assert_eq!(script.lock().told[1..], ["quit", "end"]);
}

#[test]
fn a_panic_loses_no_record_and_clients_are_told() {
    let mut case = Case::against_engine();
    let ann = case.join("Ann", Role::Host);
    case.play(&ann, "d4");
    case.scripts.of("Bot").lock().panics = true;
    let before = case.ledger();
    let (_handle, inbox) = TableHandle::pair().expect("a pipe");
    let Case { table, folder, .. } = case;
    let error = table.run(&inbox).expect_err("the engine panics");
    assert!(
        matches!(&error, TableError::Panicked(why) if why.contains("script")),
        "{error}"
    );
    let told = ann.events();
    let last = told.last().expect("she is told");
    assert!(
        last.starts_with("closed: internal error") && last.ends_with("true"),
        "{told:?}"
    );
    let after = std::fs::read_to_string(folder.path().join("game.jsonl"));
    assert_eq!(after.expect("it is there"), before);
    assert!(before.contains(r#""code":"d4""#));
}
