//! Dialogues at a table as text, `data/*.txt`: a case begins with `== ` and its name, and `table` with the players, the
//! limit of each and the seat of a guest. The rest is the dialogue, for [`Case::talk`].

use std::panic::catch_unwind;

use crate::model::SideSet;
use kit::Side;

use super::case::Case;

const FILES: [&str; 7] = [
    include_str!("data/analysis.txt"),
    include_str!("data/clients.txt"),
    include_str!("data/consent.txt"),
    include_str!("data/engines.txt"),
    include_str!("data/games.txt"),
    include_str!("data/play.txt"),
    include_str!("data/seats.txt"),
];

/// `two people, tc=10` are the host Ann and the guest Bob, who have joined; `human against Bot, no clock, guest p1` is a
/// table without a client.
fn table(words: &str) -> Case {
    let mut words = words.split(", ");
    let players = words.next().unwrap_or_default();
    let limit = words.next().expect("a limit").replace("no clock", "-");
    let Some((p1, p2)) = players.split_once(" against ") else {
        assert_eq!(players, "two people");
        return Case::two_people_with(&limit).0;
    };
    let guests = match words.next() {
        None => SideSet::NONE,
        Some("guest p1") => Side::P1.into(),
        Some("guest p2") => Side::P2.into(),
        Some(other) => panic!("{other}"),
    };
    Case::with([p1, p2], &limit, guests)
}

#[test]
fn dialogues() {
    for case in FILES.iter().flat_map(|text| text.split("== ").skip(1)) {
        let (name, dialogue) = case.split_once("\ntable ").expect(case);
        let (words, dialogue) = dialogue.split_once('\n').expect("a dialogue");
        let talk = || table(words).talk(dialogue.trim_end());
        assert!(catch_unwind(talk).is_ok(), "{name}");
    }
}
