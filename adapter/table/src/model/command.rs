//! The commands of a table: who may use each and when, and what each kind of client calls it.
//!
//! A new command is a row here, its arguments in `TableCommand`, and the code that carries it out.

use serde::{Deserialize, Serialize};

use super::people::Role;

/// A command without its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)] // `TableCommand` explains each.
pub enum CommandId {
    Join,
    Leave,
    Kick,
    Snapshot,
    Play,
    MoveNow,
    Undo,
    Redo,
    Back,
    Forward,
    GoTo,
    Go,
    AddLine,
    Pause,
    OfferDraw,
    Resign,
    Forfeit,
    Claim,
    Accept,
    Decline,
    Say,
    Hint,
    Eval,
    Analyse,
    Review,
    StopAnalysis,
    Clock,
    SetAuto,
    SetSeat,
    SetLevel,
    SetOption,
    ForgetResults,
    SetPace,
    Save,
    Load,
    New,
    Rematch,
    Quit,
}

/// Who may use a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Users {
    /// Everyone.
    All,
    /// The host and those who play.
    Players,
    /// The host alone.
    Host,
}

impl Users {
    /// `true` if a client with this role is one of them.
    pub fn include(self, role: Role) -> bool {
        match role {
            Role::Host => true,
            Role::Player(_) => self != Users::Host,
            Role::Spectator => self == Users::All,
        }
    }
}

/// When a command may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// At any time, even while the engines start.
    Always,
    /// Once the engines have started.
    Started,
    /// Until the game is over.
    Playing,
}

/// The kind of client that a text is for. It names the commands in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Voice {
    /// A program: the words of the JSON.
    Json,
    /// The console: what people type.
    Console,
    /// The page: the labels of its buttons.
    Page,
    /// The e-mail club: the commands of its messages.
    Mail,
}

/// One command.
#[derive(Debug)]
pub struct Command {
    /// The command.
    pub id: CommandId,
    /// Its users.
    pub users: Users,
    /// The part of a game in which they may use it.
    pub when: When,
    /// Its word in JSON.
    word: &'static str,
    /// What is typed at the console.
    typed: &'static str,
    /// The label of its button on the page.
    pub label: &'static str,
}

impl Command {
    /// What a kind of client calls it.
    pub fn name(&self, voice: Voice) -> &'static str {
        match (voice, self.id) {
            (Voice::Json, _) => self.word,
            (Voice::Console, _) => self.typed,
            (Voice::Page, _) => self.label,
            (Voice::Mail, CommandId::Accept) => "accept",
            (Voice::Mail, CommandId::Decline) => "decline",
            (Voice::Mail, CommandId::New) => "challenge",
            (Voice::Mail, _) => self.typed,
        }
    }
}

impl CommandId {
    /// The command's row.
    pub fn row(self) -> &'static Command {
        &COMMANDS[self as usize]
    }

    /// The command's word in JSON.
    pub fn word(self) -> &'static str {
        self.row().word
    }

    /// The command that a person types so at the console.
    pub fn typed(word: &str) -> Option<CommandId> {
        let row = COMMANDS.iter().find(|row| row.typed == word);
        row.map(|row| row.id)
    }
}

/// All commands, in the order of [`CommandId`].
pub const COMMANDS: [Command; 38] = {
    use CommandId as C;
    use Users::{All, Host, Players};
    use When::{Always, Playing, Started};
    [
        row(C::Join, All, Always, ["join", "join", "Join"]),
        row(C::Leave, All, Always, ["leave", "leave", "Leave"]),
        row(C::Kick, Host, Started, ["kick", "kick", "Remove"]),
        row(C::Snapshot, All, Always, ["snapshot", "board", "Reload"]),
        row(C::Play, Players, Started, ["play", "a move", "a move"]),
        row(
            C::MoveNow,
            Players,
            Started,
            ["move-now", "stop", "Move now"],
        ),
        row(C::Undo, Players, Started, ["undo", "undo", "Take back"]),
        row(C::Redo, Players, Started, ["redo", "redo", "Forward"]),
        row(C::Back, Players, Started, ["back", "back", "Back"]),
        row(
            C::Forward,
            Players,
            Started,
            ["forward", "forward", "Forward"],
        ),
        row(C::GoTo, Players, Started, ["go-to", "back", "Back"]),
        row(C::Go, Host, Playing, ["go", "go", "Let the engine move"]),
        row(
            C::AddLine,
            Host,
            Started,
            ["add-line", "a line", "Keep as a branch"],
        ),
        row(C::Pause, Host, Started, ["pause", "Ctrl-C", "Pause"]),
        row(
            C::OfferDraw,
            Players,
            Playing,
            ["offer-draw", "draw", "Offer draw"],
        ),
        row(C::Resign, Players, Playing, ["resign", "resign", "Resign"]),
        row(C::Forfeit, Host, Playing, ["forfeit", "forfeit", "Forfeit"]),
        row(
            C::Claim,
            Players,
            Playing,
            ["claim", "claim", "Claim the win"],
        ),
        row(C::Accept, Players, Started, ["accept", "yes", "Accept"]),
        row(C::Decline, Players, Started, ["decline", "no", "Decline"]),
        row(C::Say, All, Always, ["say", "say", "Say"]),
        row(C::Hint, Players, Playing, ["hint", "hint", "Hint"]),
        row(C::Eval, Players, Playing, ["eval", "eval", "Score"]),
        row(
            C::Analyse,
            Players,
            Started,
            ["analyse", "analyse", "Analyse"],
        ),
        row(
            C::Review,
            Players,
            Started,
            ["review", "review", "Find mistakes"],
        ),
        row(
            C::StopAnalysis,
            Players,
            Started,
            ["stop-analysis", "stop", "Stop"],
        ),
        row(C::Clock, All, Always, ["clock", "clock", "Clock"]),
        row(C::SetAuto, Host, Started, ["set-auto", "auto", "Who plays"]),
        row(C::SetSeat, Host, Started, ["set-seat", "auto", "Who plays"]),
        row(C::SetLevel, Host, Started, ["set-level", "level", "Level"]),
        row(
            C::SetOption,
            Host,
            Started,
            ["set-option", "an option", "an option"],
        ),
        row(
            C::ForgetResults,
            Host,
            Started,
            ["forget-results", "level", "Level"],
        ),
        row(C::SetPace, Host, Always, ["set-pace", "pace", "Slower"]),
        row(C::Save, Host, Started, ["save", "save", "Records"]),
        row(C::Load, Host, Started, ["load", "load", "Open"]),
        row(C::New, Host, Started, ["new", "new", "New game"]),
        row(
            C::Rematch,
            Players,
            Started,
            ["rematch", "rematch", "Rematch"],
        ),
        row(C::Quit, Host, Always, ["quit", "quit", "Close"]),
    ]
};

const fn row(
    id: CommandId,
    users: Users,
    when: When,
    [word, typed, label]: [&'static str; 3],
) -> Command {
    Command {
        id,
        users,
        when,
        word,
        typed,
        label,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_the_order_of_the_commands() {
        for (index, row) in COMMANDS.iter().enumerate() {
            assert_eq!(row.id as usize, index, "{}", row.word);
            let word = serde_json::to_value(row.id).expect("a word");
            assert_eq!(word, row.word);
        }
        assert_eq!(COMMANDS.len() - 1, CommandId::Quit as usize);
    }
}
