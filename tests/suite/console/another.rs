//! `new GAME`: another game or another board size, with the same players.

use super::pty::Terminal;

#[test]
fn a_game_that_is_not_over_is_left_after_a_question() {
    let mut terminal = Terminal::after(
        "play susan --p2 human --ledger l",
        "=> 1. x> / e5 => 2. o>
        new susan:Size=4 => The game is not over: type new susan:Size=4 again to abandon it. | 2. o>
        new susan:Size=4 => susan:Size=4: human (x) vs human (o) | 1. x>",
    );
    // Completion of moves and the confirmation of Ctrl-C work as at the first table.
    terminal.presses("a\t");
    terminal.talk(
        "^c => Leave? | 1. x> / b2 => 2. o>
        quit => to resume: linesman play susan --continue susan-",
    );
    terminal.leaves();
}
