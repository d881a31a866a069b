//! The texts of `?`: the list of available words, and the full explanation of one word.

use protocol::text::excerpt;
use record::table::{Role, Sitter};
use table::ClientGame;

use super::style::BoardStyle;
use super::text::{WIDTH, fill};
use super::word::{self, Entry, Word};

/// Column of the explanations of words.
const COLUMN: usize = 32;

/// The words available to this person at this table, one per line; words with the same explanation share a line.
pub(crate) fn list(game: &ClientGame, style: &BoardStyle) -> String {
    let mut text = opening_lines(game);
    let words: Vec<&Entry> = word::entries()
        .filter(|entry| is_offered(entry.word, game, style))
        .collect();
    for row in words.chunk_by(|one, next| one.about == next.about) {
        let typed: Vec<String> = row.iter().map(|entry| entry.typed()).collect();
        let typed = format!("  {}", typed.join(", "));
        text.push_str(&format!("{typed:<COLUMN$}{}\n", row[0].about));
    }
    text.push_str(&closing_line(game));
    text
}

fn opening_lines(game: &ClientGame) -> String {
    let words = "A command, or : and its first letters. ? COMMAND explains one:\n";
    if game.snapshot().role == Role::Spectator {
        return format!("You are watching. {words}");
    }
    let example = game.rules().entry().about().example.replace('`', "");
    let example = fill(&format!("A move is typed as its code: {example}."), WIDTH);
    format!("{example}\n{words}")
}

/// A warning for games with moves that are spelled like a word.
fn closing_line(game: &ClientGame) -> String {
    let draw = word::name(Word::Draw);
    if game.board().split_codes(draw).len() == 1 {
        return String::new();
    }
    format!("The command {draw} overrides moves that are spelled like it: type those apart.\n")
}

/// `true` if the list offers a word to this person. Other words are rejected with a reason.
fn is_offered(word: Word, game: &ClientGame, style: &BoardStyle) -> bool {
    use Word::{
        Analyse, Auto, Back, Board, Claim, Clock, Draw, Eval, Flip, Forward, Go, Help, Hint, Keys,
        Kick, Level, Load, Mail, Mark, Moves, New, No, Pace, Peek, Played, Puzzle, Quit, Redo,
        Resign, Review, Rules, Save, Say, Setup, Stop, Sure, Tables, Touch, Undo, Yes,
    };
    let snapshot = game.snapshot();
    let is_player = snapshot.role != Role::Spectator;
    let has_guests = snapshot
        .seats
        .iter()
        .any(|seat| seat.sitter != Sitter::Host);
    match word {
        Keys => is_player,
        Moves | Played | Flip | Board | Mail | Clock | Rules | Help | Quit => true,
        Mark => style.has_marks(game.board()),
        Peek => game.board().styles().contains(&"peek"),
        Say | Tables => has_guests,
        Kick => has_guests && snapshot.role == Role::Host,
        Claim | Yes | No => is_player && has_guests,
        Undo | Redo | Back | Forward | Hint | Eval | Analyse | Review | Stop | Draw | Sure
        | Touch | Resign => is_player,
        Go | Auto | Level | Pace | Save | Load | New | Setup | Puzzle => {
            snapshot.role == Role::Host
        }
    }
}

/// The full explanation of one word. `text` is the word or an abbreviation.
///
/// # Errors
/// No word starts with `text`, or several do.
pub(crate) fn one(text: &str) -> Result<String, String> {
    let text = text.trim_start_matches(':');
    let found = word::find(text).map_err(|why| format!("? {}: {why}", excerpt(text)))?;
    let full = fill(full(found), WIDTH - 2).replace('\n', "\n  ");
    Ok(format!("{}\n  {full}", word::usage(found)))
}

fn full(word: Word) -> &'static str {
    match word {
        Word::Moves => {
            "Lists the legal moves. With a square, those that start or end on it, as in: moves b2. With the size of a \
             piece, those of this piece."
        }
        Word::Played => "Lists the moves of the game so far, with their numbers.",
        Word::Undo => {
            "Takes back your last move and an engine's reply to it; if you play both sides, one move. This also works \
             after the end of a game. Another person who plays must agree. Nothing is lost: redo plays the moves \
             again."
        }
        Word::Redo => "Plays the moves again that undo took back, up to your next turn.",
        Word::Back => {
            "Goes N moves back (default 1) to look at the position. Engines wait there until you type go. A move from \
             there starts a branch, and the old moves are kept: type the first of them to enter their branch again."
        }
        Word::Forward => "Goes N moves forward (default 1), in the branch that was played last.",
        Word::Go => {
            "An engine makes the next move, for either side. Engines that wait after back, forward or Ctrl-C resume."
        }
        Word::Hint => {
            "Shows the move that the built-in engine would play at full strength, its score and the moves that it \
             expects. Everyone at the table is notified."
        }
        Word::Eval => {
            "Shows the built-in engine's score of the position, from the view of the player to move, in hundredths; \
             +M5 is a win in five plies, an exact draw comes from a table of perfect play. Everyone at the table is \
             notified."
        }
        Word::Analyse => {
            "Searches the position for this time (default 3 seconds), and shows the three best lines with their \
             scores. < and > mark a score that is a bound; draw is exact, from a table of perfect play. stop ends the \
             search early."
        }
        Word::Review => {
            "Searches each position of the game for this time (default 0.5 seconds), and shows the score after each \
             move and the three worst moves. stop ends the review early."
        }
        Word::Auto => {
            "Makes the engine play only this side from now on: a side is its name on the board, p1 or p2. both: both \
             sides; off: none. Without an argument, shows who plays."
        }
        Word::Level => {
            "Sets the strength of the engines, from 0 to 20 (full strength). adaptive: the level follows your results in \
             this game, so that games become even; forget: forgets these results. Without an argument, shows the level."
        }
        Word::Pace => {
            "Sets a pause in seconds before each move if engines play both sides, as after auto both; 0: no pause. \
             Without an argument, shows the pause."
        }
        Word::Flip => "Turns the board round, to show it from the other side.",
        Word::Board => {
            "Shows the board again. With the name of a style, uses this style from now on; plain is the default. An \
             unknown name lists the styles. board all shows the whole board even if it is larger than the screen, \
             board fit the part that fits."
        }
        Word::Mark => {
            "Removes the marks of these moves from the board, or restores them, as in: mark GH. Without letters it \
             restores all, as the next move does. mark all restores all marks, mark none removes all."
        }
        Word::Keys => {
            "The screen of a terminal: the board, the moves, the clocks, and one key per move. In Graph Hockey a letter \
             removes or restores its mark, and Enter plays the only marked move, or the one whose mark was removed if \
             all others are set; FORM (Ctrl-L) for player 1 and LINE (Ctrl-J) for player 2 play the move inverted last. \
             In other games arrows and Enter choose on the board, Backspace goes one step back, and letters type a move \
             or a command. < and > step through the moves, = starts or stops an analysis next to the board, : begins a \
             command such as :undo or :hint, :? lists them, Tab completes. Escape changes to a prompt for lines, keys \
             back."
        }
        Word::Peek => {
            "Shows or hides covered pieces. The rules of the game forbid looking at them."
        }
        Word::Save => {
            "Writes the game with all its branches to a new file. load and linesman play --continue FILE read it."
        }
        Word::Load => {
            "Continues the game of a file: a ledger, a PGN file, or a line with a position. The current game stays in \
             its ledger."
        }
        Word::New => {
            "Starts another game from the same start position. An unfinished game is abandoned; its moves stay in the \
             ledger. Another person who plays must agree. With the name of a game and its options, as in: new \
             susan:Size=4, the same players start that game, in a new ledger."
        }
        Word::Setup => {
            "Starts a game from a position: a position string, startpos moves and move codes, or a text with boards and \
             moves that is pasted on the next lines. A board is complete with its last row."
        }
        Word::Puzzle => {
            "Poses the next puzzle of this game, or number N: find the best move. The engine replies; after a wrong move, undo \
             and try again. hint shows the engine's move, puzzle answer the solution."
        }
        Word::Mail => {
            "Shows the game as an e-mail to send to the other player. linesman play --mail FILE reads the reply."
        }
        Word::Clock => "Shows the time left of both players.",
        Word::Touch => {
            "touch on, before the first move: a touched piece must move, and the player loses if it cannot. touch \
             SQUARE touches your piece there. Without an argument, shows the setting."
        }
        Word::Draw => {
            "Offers a draw, or accepts the opponent's offer. A move declines. An engine accepts after ten moves if its \
             last score is not above zero."
        }
        Word::Yes => "Accepts the other person's proposal.",
        Word::No => "Declines the other person's proposal, or withdraws yours.",
        Word::Say => "Sends a text to everyone at the table.",
        Word::Stop => {
            "Makes a thinking engine move at once. A hint or a score comes at once, and an analysis or a review ends \
             with the results so far. The host's stop also ends those of guests."
        }
        Word::Claim => {
            "Wins the game if the opponent is to move, but has lost the connection and not come back for a minute in \
             addition to the time of --reconnect. claim draw ends it as a draw."
        }
        Word::Sure => {
            "sure off: a move that loses at once although another does not must be confirmed. sure on: it is played at \
             once. Without an argument, shows the setting. If two people play at one screen, the default is on, since \
             the opponent would read the question."
        }
        Word::Kick => {
            "Removes a guest, named as in the chat, or by the side, as in: kick p2. The seat is free for another guest. The \
             guest's token and the password are no longer valid; the new password is shown."
        }
        Word::Tables => {
            "Lists the tables at this address, with their players, if guests can open tables (--tables). To change to \
             another one, quit and join again."
        }
        Word::Resign => "Gives up the game. At a terminal it must be confirmed.",
        Word::Quit => {
            "Leaves. The game is saved, and a line shows how to resume it. q alone does the same if it is not a move."
        }
        Word::Rules => "Shows the short rules of the game with a picture, on one screen.",
        Word::Help => "Lists the commands that you can use here, or explains one.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_explained_in_78_columns() {
        for entry in word::entries() {
            let text = one(entry.name).expect("it is a word");
            assert!(text.starts_with(entry.name), "{text}");
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
        }
    }

    #[test]
    fn a_beginning_explains_a_word_too() {
        assert_eq!(one("und"), one("undo"));
        assert_eq!(one(":undo"), one("undo"));
        let error = one("b").expect_err("there are two");
        assert!(error.contains("back, board"), "{error}");
        let error = one("xyzzy").expect_err("no such word");
        assert!(error.starts_with("? xyzzy: "), "{error}");
    }
}
