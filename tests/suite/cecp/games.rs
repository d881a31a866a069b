//! Two bridges play whole games against each other under a client as strict as XBoard, on a board without rules.

use super::Bridge;
use super::board::Board;

/// No game between engines that try to win is this long; XBoard has room for 1000 plies.
const MAX_PLIES: usize = 900;

/// Engines with a small budget, so that games are quick.
const ENGINE: &str = "builtin nodes=60";

/// A whole game as in XBoard's `-mode TwoMachines`. Returns the result and the moves.
fn play(game: &str, variant: &str) -> (String, Vec<String>) {
    let mut bridges = [Bridge::start(game, ENGINE), Bridge::start(game, ENGINE)];
    let setups = bridges.each_mut().map(|bridge| bridge.set_up(variant));
    assert_eq!(setups[0], setups[1]);
    let mut board = Board::of_setup(&setups[0]);
    for bridge in &mut bridges {
        bridge.send("computer");
    }
    let [white, black] = &mut bridges;
    black.send("force");
    black.send(&format!("setboard {}", board.fen()));
    white.send("time 30000\notim 30000\ngo");
    let mut moves = Vec::new();
    let result = loop {
        assert!(moves.len() < MAX_PLIES, "{game}: no end");
        let at = usize::from(!board.is_white_to_move());
        let reply = bridges[at].next_reply();
        let Some(mv) = reply.strip_prefix("move ") else {
            break reply;
        };
        board.apply(mv);
        moves.push(mv.to_owned());
        let other = &mut bridges[1 - at];
        other.send("time 29000\notim 29000");
        match mv {
            "@@@@" => other.send(&format!("setboard {}", board.fen())),
            mv => other.send(&format!("usermove {mv}")),
        }
        if moves.len() == 1 {
            other.send("go");
        }
        if let Some(result) = bridges[at].result_if_over() {
            break result;
        }
    };
    for bridge in &mut bridges {
        bridge.send(&format!("result {result}\nforce"));
        let answers = bridge.answers();
        let others: Vec<&String> = answers.iter().filter(|line| **line != result).collect();
        assert!(others.is_empty(), "{game}: {others:?} after {result}");
    }
    (result, moves)
}

impl Bridge {
    /// The next line that is not thinking output: a move or a result.
    fn next_reply(&self) -> String {
        let line = self.line_that_counts();
        let is_known = line.starts_with("move ") || is_result(&line);
        assert!(is_known, "{line:?} where a move was due");
        line
    }

    /// The result, if the last move ends the game: it is sent before anything else.
    fn result_if_over(&mut self) -> Option<String> {
        let answers = self.answers();
        assert!(answers.len() <= 1, "{answers:?}");
        let result = answers.into_iter().next();
        assert!(result.as_deref().is_none_or(is_result), "{result:?}");
        result
    }

    fn line_that_counts(&self) -> String {
        loop {
            let line = self.line();
            if !line.starts_with(|first: char| first.is_ascii_digit()) || is_result(&line) {
                return line;
            }
        }
    }
}

fn is_result(line: &str) -> bool {
    let (result, comment) = line.split_once(" {").unwrap_or((line, ""));
    ["1-0", "0-1", "1/2-1/2"].contains(&result) && comment.len() > 1 && comment.ends_with('}')
}

#[test]
fn entropy_is_played_to_its_end() {
    let (result, moves) = play("entropy", "entropy");
    assert!(moves.len() > 4, "{result} {moves:?}");
}

#[test]
fn gobblet_is_played_to_its_end_laid_flat() {
    for size in [3, 4] {
        let (_, moves) = play(&format!("gobblet:Size={size}"), "gobblet");
        assert!(moves[0].contains('@'), "the first move is a drop");
    }
}

#[test]
fn susan_is_played_to_its_end_on_each_size_that_fits() {
    for size in 3..=6 {
        let (result, _) = play(&format!("susan:Size={size}"), "susan");
        assert!(
            result.contains("surrounded") || result.contains("draw"),
            "{result}"
        );
    }
}

#[test]
fn projex_is_played_to_its_end_on_each_size_that_fits() {
    for size in 3..=7 {
        let (result, moves) = play(&format!("projex:Size={size}"), "projex");
        let has_swapped = moves[3] == "@@@@";
        let is_drop = |(ply, mv): (usize, &String)| match has_swapped && ply >= 3 {
            true => ply == 3 || mv.starts_with("T@"),
            false => mv.starts_with("S@"),
        };
        assert!(moves.iter().enumerate().all(is_drop), "{moves:?}");
        assert!(!result.starts_with("1/2"), "{result}");
    }
}

#[test]
fn a_pass_is_told_both_ways() {
    let placement = "s1S1S/S2s1/3S1/s1sss/1SsSS";
    let mut bridge = Bridge::start("entropy", ENGINE);
    bridge.set_up("entropy");
    bridge.send(&format!(
        "computer\nforce\nsetboard {placement} w - - 0 1\ngo"
    ));
    assert_eq!(bridge.next_reply(), "move @@@@");
    // XBoard sends a pass as the same board with the other side to move. The bridge then moves without `go`.
    bridge.send(&format!("force\nsetboard {placement} w - - 0 1\nplayother"));
    bridge.send(&format!("setboard {placement} b - - 0 1"));
    let reply = bridge.next_reply();
    assert!(
        reply.starts_with("move ") && reply != "move @@@@",
        "{reply}"
    );
    // The pass is a move of the game: `remove` takes back both.
    bridge.send("force\nremove\ngo");
    assert_eq!(bridge.next_reply(), "move @@@@");
}
