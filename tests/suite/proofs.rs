//! `linesman-lab prove`: the value of each move.

use crate::support::{Folder, has};

/// The results given on the games' pages.
#[test]
fn the_smallest_boards_are_solved() {
    let folder = Folder::new("prove");
    let done = folder
        .linesman("lab prove projex:Size=3,Swap=false")
        .exits(0);
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("x (p1) to move wins; of 12 moves 6 won, 6 lost")
    );
    for mv in ["B2", "C2", "D2", "B3", "C3", "B4"] {
        has(&done.stdout, format!("{mv}: wins within "));
    }
    has(&done.stdout, "A3: loses (");
    let done = folder.linesman("lab prove projex:Size=3").done();
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("x (p1) to move loses, o (p2) wins; of 12 moves 12 lost")
    );
}

#[test]
fn moves_lead_to_the_position_and_json_has_a_line_a_move() {
    let folder = Folder::new("prove-json");
    let done = folder
        .linesman("lab prove projex:Size=3,Swap=false B2 A3 C2 --json")
        .exits(0);
    let lines: Vec<serde_json::Value> = done
        .stdout
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let (last, moves) = lines.split_last().expect("lines");
    assert_eq!(moves.len(), 9);
    assert!(moves.iter().all(|line| line["nodes"].is_u64()), "{moves:?}");
    assert_eq!(last["moves"], 9);
}

#[test]
fn what_cannot_be_proved_is_said() {
    let folder = Folder::new("prove-errors");
    let done = folder.linesman("lab prove susan:Size=3 --plies 1").done();
    assert_eq!(
        done.stdout.last().map(String::as_str),
        Some("neither side wins within 1 plies; of 19 moves 19 without a win")
    );
    let done = folder.linesman("lab prove susan --st 0.001").done();
    has(&done.stdout, "a1: not proved (");
}
