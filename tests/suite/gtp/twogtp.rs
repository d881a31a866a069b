//! A strict gogui-twogtp: two programs and a Go board without rules of the game.
//!
//! It follows `TwoGtp.autoPlay` and `GtpSynchronizer` of GoGui 1.5 and 1.6: the colours alternate, each answer of one
//! program is played in the other, the game ends at `resign` or at two passes in succession, and an error ends it too.

use super::controller::Controller;

/// Number of moves after which a game is stopped.
const LONG: usize = 600;

/// Plays a game. Returns the result that both programs agree on.
fn play(words: &[&str]) -> String {
    let mut programs = [Controller::new(words), Controller::new(words)];
    for program in &mut programs {
        let size = program.words("gogui-rules_board_size");
        program.ask(&format!("boardsize {}", size[0]));
        program.ask("clear_board");
        program.ask("komi 6.5");
    }
    let mut was_pass = false;
    for n_moves in 0..LONG {
        let at = n_moves % 2;
        let colour = ["b", "w"][at];
        let vertex = programs[at].ask(&format!("genmove {colour}"));
        if vertex == "resign" {
            let result = ["W+R", "B+R"][at];
            let claims = programs
                .each_mut()
                .map(|program| program.ask("final_score"));
            assert_eq!(claims, [result, result]);
            return result.to_owned();
        }
        programs[1 - at].ask(&format!("play {colour} {vertex}"));
        let boards = programs
            .each_mut()
            .map(|program| program.ask("gogui-rules_board"));
        assert_eq!(boards[0], boards[1], "after {n_moves} moves");
        let is_pass = vertex == "pass";
        if is_pass && was_pass {
            let [first, second] = programs
                .each_mut()
                .map(|program| program.ask("final_score"));
            assert_eq!(first, second);
            return first;
        }
        was_pass = is_pass;
    }
    panic!("no end after {LONG} moves");
}

fn plays(game: &str) {
    let result = play(&[game, "--engine", "builtin", "nodes=40"]);
    assert!(["0", "B+R", "W+R"].contains(&&*result), "{game}: {result}");
}

#[test]
fn twogtp_plays_susan() {
    plays("susan:Size=3");
    plays("susan:Size=4");
}

#[test]
fn twogtp_plays_projex() {
    plays("projex:Size=3");
    plays("projex:Size=5");
}

#[test]
fn twogtp_plays_gobblet() {
    plays("gobblet");
}

#[test]
fn twogtp_plays_entropy() {
    plays("entropy");
}

/// The pass between two half moves and those after the end are taken back one by one, like half moves.
#[test]
fn passes_that_fill_a_turn_are_taken_back() {
    let mut program = Controller::new(&["entropy", "--engine", "builtin", "nodes=40"]);
    program.ask("play b A1");
    assert_eq!(program.ask("genmove w"), "pass");
    let why = program
        .try_ask("play w pass")
        .expect_err("one pass is enough");
    assert_eq!(why, "black is to move");
    let vertex = program.words("gogui-rules_legal_moves")[0].clone();
    program.ask(&format!("play b {vertex}"));
    assert_eq!(program.ask("gogui-rules_side_to_move"), "white");
    for side in ["black", "black", "black"] {
        program.ask("undo");
        assert_eq!(program.ask("gogui-rules_side_to_move"), side);
    }
    assert!(program.try_ask("undo").is_err(), "three were made");
    let mut program = Controller::new(&["susan:Size=3"]);
    program.ask("linesman-position ox1/x3/5/4/o2 x 0");
    program.ask("play b C4");
    assert_eq!(program.ask("genmove w"), "resign");
    assert_eq!(program.ask("genmove b"), "pass");
    program.ask("play w pass");
    program.ask("undo");
    program.ask("undo");
    assert_eq!(program.ask("final_score"), "B+R");
    program.ask("undo");
    assert!(program.try_ask("final_score").is_err());
}
