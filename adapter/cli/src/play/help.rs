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
    let words = "A word, or : and its first letters. ? WORD explains one:\n";
    if game.snapshot().role == Role::Spectator {
        return format!("You watch. {words}");
    }
    let example = game.rules().entry().about.example.replace('`', "");
    let example = fill(&format!("A move is typed as its code: {example}."), WIDTH);
    format!("{example}\n{words}")
}

/// A warning for games with moves that are spelled like a word.
fn closing_line(game: &ClientGame) -> String {
    let draw = word::name(Word::Draw);
    if game.board().split_codes(draw).len() == 1 {
        return String::new();
    }
    format!("The word {draw} wins over the moves that are spelt like it: type those apart.\n")
}

/// `true` if the list offers a word to this person. Other words are rejected with a reason.
fn is_offered(word: Word, game: &ClientGame, style: &BoardStyle) -> bool {
    use Word::{
        Analyse, Auto, Back, Board, Clock, Draw, Eval, Flip, Forward, Go, Help, Hint, Keys, Level,
        Load, Mail, Mark, Moves, New, No, Pace, Peek, Quit, Redo, Resign, Review, Rules, Save, Say,
        Setup, Stop, Sure, Touch, Undo, Yes,
    };
    let snapshot = game.snapshot();
    let is_player = snapshot.role != Role::Spectator;
    let has_guests = snapshot
        .seats
        .iter()
        .any(|seat| seat.sitter != Sitter::Host);
    match word {
        Keys => is_player,
        Moves | Flip | Board | Mail | Clock | Rules | Help | Quit => true,
        Mark => style.has_marks(game.board()),
        Peek => game.board().styles().contains(&"peek"),
        Say => has_guests,
        Yes | No => is_player && has_guests,
        Undo | Redo | Back | Forward | Hint | Eval | Analyse | Review | Stop | Draw | Sure
        | Touch | Resign => is_player,
        Go | Auto | Level | Pace | Save | Load | New | Setup => snapshot.role == Role::Host,
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
            "Lists the legal moves. With a square, those that begin or end on it, as in: moves b2. With a piece's \
             size, those of that piece."
        }
        Word::Undo => {
            "Takes back your last move, and what an engine has answered since; where you play both sides, one move. \
             After the end of a game it does the same. Another person who plays is asked first. Nothing is lost: redo \
             plays it again."
        }
        Word::Redo => "Plays again what undo took back, up to your next turn.",
        Word::Back => {
            "Goes N moves back, or one, to look at the position. Engines wait there; go has them go on. A move from \
             there begins a branch, and the old moves are kept: type the first of them to enter them again."
        }
        Word::Forward => "Goes N moves forward, or one, in the branch that was played last.",
        Word::Go => {
            "The engine makes the move that is due, whoever's turn it is. Engines that wait after back, forward or \
             Ctrl-C go on."
        }
        Word::Hint => {
            "Shows the move that the built-in engine would play at full strength, its score and the moves that it \
             expects. Everyone at the table is told that you asked."
        }
        Word::Eval => {
            "Shows the built-in engine's score of the position, from the view of the player to move, in hundredths; \
             +M5 is a win in five plies, an exact draw is one by a table of perfect play. Everyone at the table is told that you asked."
        }
        Word::Analyse => {
            "Searches the position so long, 3 seconds if none are given, and shows the three best lines with their \
             scores. < and > mark a score that is a bound; draw is exact, by a table of perfect play. stop ends it \
             early."
        }
        Word::Review => {
            "Searches each position of the game so long, 0.5 seconds if none are given, and shows the score after \
             each move and the three moves that cost most. stop ends it early."
        }
        Word::Auto => {
            "Has the engine play a side from now on, and no other: its name on the board, p1 or p2; or both, or off. \
             Alone, it tells who plays."
        }
        Word::Level => {
            "Sets how well the engines play, from 0 to 20, which is full strength. Alone, it tells the level."
        }
        Word::Pace => {
            "Has engines pause so many seconds before each move where they play both sides, as after auto both. 0 ends \
             the pauses. Alone, it tells how long they are."
        }
        Word::Flip => "Turns the board round, so that you see it from the other side.",
        Word::Board => {
            "Shows the board again. With the name of a style, it is shown so from now on; plain is the usual one. A \
             name that there is not lists the styles. board all shows the whole of a board that is larger than the \
             screen, board fit what fits."
        }
        Word::Mark => {
            "Leaves out the marks of these moves on the board, or sets them again, as in: mark GH. Without letters it \
             sets all. The next move sets all. mark all sets all marks, mark none leaves all out."
        }
        Word::Keys => {
            "At a terminal: one key a move. In Graph Hockey a letter takes its mark away or sets it, and Enter plays the \
             one that is left; elsewhere arrows and Enter choose on the board. Backspace goes one step back, Escape ends \
             it."
        }
        Word::Peek => {
            "Shows the pieces that others cover, or hides them. The rules of the game forbid to look."
        }
        Word::Save => {
            "Writes the game with all its branches into a new file. load reads it, and so does linesman play \
             --continue FILE."
        }
        Word::Load => {
            "Goes on with the game of a file: a ledger, a PGN file, or a line with a position. The present game stays \
             in its ledger."
        }
        Word::New => {
            "Begins another game from the same beginning. A game that is not over is left; its moves stay in the \
             ledger. Another person who plays is asked first. With the name of a game and its options, as in: new \
             susan:Size=4, the same players begin that game, in a ledger of its own."
        }
        Word::Setup => {
            "Begins a game from a position: a position string, startpos moves and move codes, or a diagram that is \
             pasted on the lines below and closed by an empty line."
        }
        Word::Mail => {
            "Shows the game as an e-mail to send to the other player. linesman play --mail FILE reads the answer."
        }
        Word::Clock => "Shows the time that is left to both players.",
        Word::Touch => {
            "touch on: a piece that is touched must move, and one that cannot move loses the game; before the first move. \
             Then a square touches your piece there. Alone, it tells whether this holds."
        }
        Word::Draw => {
            "Offers a draw, or agrees to one that the other has offered. A move declines. An engine agrees after ten \
             moves if it does not think that it stands better."
        }
        Word::Yes => "Agrees to what the other person proposes.",
        Word::No => "Declines what the other person proposes, or withdraws what you have proposed.",
        Word::Say => "Sends a text to everyone at the table.",
        Word::Stop => {
            "Has a thinking engine move at once. A hint or a score comes at once, and an analysis or a review ends \
             with what was found."
        }
        Word::Sure => {
            "sure off: a move that loses at once, though another does not, is asked for twice. sure on: it is played \
             at once. Alone, it tells which holds. Where two people play at one screen, it is on until you turn it \
             off, for the question would tell the other."
        }
        Word::Resign => "Gives up the game. At a terminal it is asked for twice.",
        Word::Quit => {
            "Leaves. The game is saved, and a line shows how to go on with it. q alone does the same where it is no \
             move."
        }
        Word::Rules => "Shows the rules of the game in short, with a picture, on one screen.",
        Word::Help => "Lists the words that you can use here. With a word, it explains that one.",
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
