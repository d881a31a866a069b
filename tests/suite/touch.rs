//! Touch-move at the console, in every game in which pieces move.

use crate::support::{Done, Folder};

/// Two people type these lines through a pipe.
fn play(folder: &Folder, game: &str, lines: &[&str]) -> Done {
    let script = lines.join("\\n");
    let words =
        format!("printf '{script}\\n' | LINESMAN play {game} --p1 human --p2 human --ledger l");
    folder.shell(&words).done()
}

/// The output, and the refusals, which a pipe receives on standard error, as one text.
fn said(done: &Done) -> String {
    assert_eq!(done.status, Some(0), "{}", done.stderr);
    done.stdout.join("\n") + "\n" + &done.stderr
}

#[test]
fn a_touched_piece_must_move() {
    let folder = Folder::new("touch");
    let lines = "touch|touch a1|touch on|touch 3|touch 2|2@a1|3@b2|touch b2|3@c3|touch on|2@a1|touch c3|go|auto p2|3@a3|undo|3@c1";
    let lines: Vec<&str> = lines.split('|').collect();
    let said = said(&play(&folder, "gobblet", &lines));
    for text in [
        "touch-move is off\n",
        "touch: touch-move is off: expected touch on before the first move",
        "touch-move is on: a touched piece must move; if it cannot, the game is lost",
        "human (red) touches 3, which must move",
        "3 is touched and must move: expected 3@a1 3@b1 ",
        // The piece is red's.
        "touch: \"b2\": expected the place of one of your pieces",
        "touch-move: the game has started: expected before its first move",
        "human #2 (yellow) touches c3, which must move",
        "c3 is touched and must move: expected c3-a1 c3-b1 ",
        "3. 2@a1 was taken back; move 3 is next",
    ] {
        assert!(said.contains(text), "{text}: {said}");
    }
    assert_eq!(
        said.matches("is touched and must move").count(),
        5,
        "{said}"
    );
    let journal = folder.read("l");
    for line in [
        r#"{"touch-move":true}"#,
        r#"{"touched":"reserve p1 3"}"#,
        r#""code":"3@c1""#,
    ] {
        assert!(journal.contains(line), "{journal}");
    }
}

#[test]
fn a_piece_that_cannot_move_loses_the_game() {
    let folder = Folder::new("touch-stuck");
    // The smallest piece, on b1, cannot cover any other one.
    let setup = "setup r3,y3,r2/y3,r3,y2/y1,r1,y2 r";
    let said = said(&play(&folder, "gobblet", &["touch on", setup, "touch b1"]));
    let end = "Game over: yellow wins, 0-1 {red touched b1, which cannot move}";
    assert!(said.contains(end), "{said}");
    assert!(
        folder
            .read("l")
            .contains("\"termination\":\"rules infraction\"")
    );
}

#[test]
fn a_touched_piece_is_remembered() {
    let folder = Folder::new("touch-again");
    // The ledger is created at the first move.
    said(&play(
        &folder,
        "entropy",
        &["touch on", "b1-b2", "touch b5"],
    ));
    let done = folder
        .shell("printf 'c5-c4\\nb5-b4\\n' | LINESMAN play --continue l")
        .done();
    let said = said(&done);
    assert!(said.contains("touch-move is on"), "{said}");
    assert!(
        said.contains("b5 is touched and must move: expected b5-"),
        "{said}"
    );
    assert!(folder.read("l").contains(r#""code":"b5-b4""#));
}

#[test]
fn touch_move_is_offered_where_pieces_move() {
    for (game, is_offered) in [
        ("susan", true),
        ("entropy", true),
        ("gobblet:Size=4", true),
        ("projex", false),
        ("graph-hockey", false),
    ] {
        let folder = Folder::new("touch-offered");
        let said = said(&play(&folder, game, &["touch on"]));
        assert_eq!(said.contains("touch-move is on"), is_offered, "{said}");
        let refusal = format!("touch-move: no piece of {game} ever moves");
        assert_eq!(said.contains(&refusal), !is_offered, "{said}");
    }
}
