//! Sessions whose answers find the queue full, because the client reads too slowly.

use std::thread;

use crate::model::{RequestId, Role, SideSet, TableEvent};

use super::case::Case;
use crate::client_game::TableSession;
use crate::model::TableCommand;
use crate::record_testing::GAMES;
use crate::session::{JoinWish, SessionError, TableHandle};

/// A session of the host with room for four events, which another client has filled.
fn lagging(act: impl FnOnce(&mut TableSession)) {
    let case = Case::with(["human", "human"], "-", SideSet::NONE);
    let (handle, inbox) = TableHandle::pair().expect("a pipe");
    thread::scope(|scope| {
        let table = case.table;
        scope.spawn(move || table.run(&inbox).expect("nothing fails"));
        let join = |name: &str, capacity: usize| {
            let wish = JoinWish {
                n_events: capacity,
                ..JoinWish::new(name, Role::Host)
            };
            TableSession::join(&handle, GAMES, wish).expect("it is open")
        };
        let mut ann = join("Ann", 4);
        let mut bob = join("Bob", 99);
        for n in 0..10 {
            let text = n.to_string();
            bob.request(TableCommand::Say { text }).expect("a message");
        }
        act(&mut ann);
        handle.stop();
    });
}

#[test]
fn a_refusal_that_finds_no_room_is_no_success() {
    lagging(|ann| {
        let code = "z9".to_owned();
        let answer = ann.request(TableCommand::Play { code, from: None });
        assert!(
            matches!(answer, Err(SessionError::Refused(_))),
            "{answer:?}"
        );
        assert_eq!(ann.game.n_moves(), 0);
    });
}

#[test]
fn an_answer_that_finds_no_room_comes_later() {
    lagging(|ann| {
        let code = "a1".to_owned();
        let answer = ann.request(TableCommand::Play { code, from: None });
        assert!(answer.is_ok(), "{answer:?}");
        assert_eq!(ann.game.n_moves(), 1);
    });
}

#[test]
fn many_answers_come_in_order() {
    lagging(|ann| {
        let asked = [(); 9].map(|()| ann.client.send(TableCommand::Clock).expect("it is open"));
        let clocks = ann.request(TableCommand::Clock).expect("the clocks");
        let is_clocks = |event: &TableEvent| matches!(event, TableEvent::Clocks { .. });
        assert_eq!(clocks.iter().filter(|event| is_clocks(event)).count(), 10);
        let is_done = |id: &RequestId| clocks.contains(&TableEvent::Done { request: *id });
        assert!(asked.iter().all(is_done));
        let code = "z9".to_owned();
        let answer = ann.request(TableCommand::Play { code, from: None });
        assert!(
            matches!(answer, Err(SessionError::Refused(_))),
            "{answer:?}"
        );
    });
}
