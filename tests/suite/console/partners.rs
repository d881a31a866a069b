//! Partners: four people at sockets, two per side, and a person with an engine.

use super::guest::{Guest, Invitation};
use super::pty::{Terminal, talk};
use crate::support::{Folder, has};

const FOUR: &str = "play susan:Size=3 --listen 127.0.0.1:0 --ledger l --pgn p --p1 'human name=Ann' --p1 'remote name=Cid' \
                    --p2 'remote name=Bob' --p2 'remote name=Dan'";

/// The host's terminal and three guests: Bob, Cid, Dan.
fn four(folder: &Folder, words: &str) -> (Terminal, [Guest; 3]) {
    let mut terminal = Terminal::new(folder, words);
    terminal.sees("waiting for 3 other people:");
    let invitation = Invitation::seen(&mut terminal);
    let guests = [("p2", "Bob (o)"), ("p1", "Cid (x)"), ("", "Dan (o)")].map(|(rest, name)| {
        let guest = invitation.join(rest);
        terminal.sees(&format!("{name} joined"));
        guest
    });
    (terminal, guests)
}

#[test]
fn four_people_play_two_against_two() {
    let folder = Folder::new("console-four");
    let (mut terminal, [mut bob, mut cid, mut dan]) = four(&folder, FOUR);
    talk!(
        [terminal, bob, cid, dan],
        "cid => you are Cid and take turns with Ann; partners may not chat while the game runs
        dan => you are Dan and take turns with Bob / terminal => 1. Ann (x)> / terminal: a1
        bob => 1. x (Ann): a1 | 2. Bob (o)>
        // Dan's move waits for Dan's turn.
        dan: c3 => c3 waits for your turn / dan: say take a2 => Partners may not chat while the game runs.
        bob: e3 / cid => 2. o (Bob): e3 | 3. Cid (x)>
        terminal: undo / bob => Ann (x) asks to take back 2 moves / bob: no / terminal => declined
        cid: b1 / terminal => 4. o (Dan): c3 | 5. Ann (x)> / terminal: e1
        bob => 6. Bob (o)> / bob: a2 / cid => 7. Cid (x)> / cid: d1 / dan => 8. Dan (o)>
        // This move surrounds a1.
        dan: b2"
    );
    for guest in [&mut bob, &mut cid, &mut dan] {
        guest.sees("Game over: o wins: x is surrounded on a1, 0-1");
    }
    terminal.sees("Game over: o wins: x is surrounded on a1, 0-1");
    talk!(
        [dan, cid],
        "dan: say well played / cid => Dan (o): well played"
    );
    terminal.quits();

    let (plan, lines) = folder.ledger("l");
    assert_eq!(plan["plan"]["teams"], serde_json::json!([[0, 1], [2, 3]]));
    let record = lines.iter().find(|line| line.get("result").is_some());
    let record = record.expect("a finished game");
    assert_eq!(
        (&record["p1"], &record["p2"]),
        (&"Ann+Cid".into(), &"Bob+Dan".into())
    );
    let plies = record["plies"].as_array().expect("plies");
    let by: Vec<&str> = plies.iter().filter_map(|ply| ply["by"].as_str()).collect();
    assert_eq!(by, ["Ann", "Bob", "Cid", "Dan", "Ann", "Bob", "Cid", "Dan"]);
    let pgn = folder.read("p");
    has(&pgn, "[White \"Ann+Cid\"]");
    has(&pgn, "s Dan}");
}

#[test]
fn a_game_of_partners_goes_on() {
    let folder = Folder::new("console-four-again");
    let (mut terminal, [mut bob, mut cid, _dan]) = four(&folder, FOUR);
    talk!(
        [terminal, bob, cid],
        "terminal: a1 / bob => 2. Bob (o)> / bob: e3 / cid => 3. Cid (x)>"
    );
    terminal.quits();
    let words = "play --continue l --listen 127.0.0.1:0";
    let (mut terminal, [_bob, mut cid, mut dan]) = four(&folder, words);
    talk!(
        [terminal, cid, dan],
        "cid => 3. Cid (x)> / cid: b1 / terminal => 3. x (Cid): b1 / dan => 4. Dan (o)>"
    );
    terminal.quits();
    let shown = folder
        .linesman("play --continue l --p1 human --p2 human")
        .done();
    shown.shows(1, "susan:Size=3: human (x) vs human (o)");
}

#[test]
fn a_person_and_an_engine_share_a_side() {
    let words =
        "play susan --p1 'human name=Ann' --p1 'builtin name=Bot nodes=50' --p2 'human name=Bob'";
    Terminal::after(
        words,
        "=> Ann+Bot (x) vs Bob (o) | 1. Ann (x)> / a1 => 2. o> / e5 => 3. x (Bot): | 4. o>
        i5 => 5. Ann (x)>
        auto => x is played by Ann (a person) and Bot (an engine), o is played by a person",
    )
    .quits();
}
