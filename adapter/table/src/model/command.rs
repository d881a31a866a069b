//! The commands of a table: their arguments, who may use each and when, and what each kind of client calls it.
//!
//! A new command is a variant of [`TableCommand`], its row in [`CommandId::row`], its help in `commands.txt`, and the code
//! that carries it out. The console needs nothing more for a command without arguments, and the e-mail club a row in
//! [`CommandId::BY_MAIL`].

use std::path::PathBuf;
use std::sync::LazyLock;

use kit::Side;
use record::clock::Limit;
use record::opening::Opening;
use serde::{Deserialize, Serialize};
use strum::{EnumDiscriminants, IntoStaticStr, VariantArray};

use super::people::{ClientId, Role, SeatId, SeatPlayer, SideSet};
use super::tree::NodeId;
use crate::level::LevelChoice;

/// A client's command. The sender, and no other client, receives one answer, `TableEvent::Done` or
/// `TableEvent::Refused`, after the events that the command caused.
#[derive(Debug, Clone, Serialize, Deserialize, EnumDiscriminants)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "command", rename_all = "kebab-case")]
#[strum_discriminants(
    name(CommandId),
    doc = "A command without its arguments.",
    allow(missing_docs),
    derive(Hash, IntoStaticStr, VariantArray, Serialize, Deserialize),
    strum(serialize_all = "kebab-case"),
    serde(rename_all = "kebab-case"),
    cfg_attr(feature = "schema", derive(schemars::JsonSchema))
)]
pub enum TableCommand {
    /// Leaves. A guest's seat is kept.
    Leave,
    /// Removes a guest. The guest's token is no longer valid.
    Kick {
        /// The guest.
        client: ClientId,
    },
    /// Requests a fresh snapshot.
    Snapshot,
    /// Makes a move in the client's seat. The host may also move for an engine that is waiting.
    Play {
        /// The move in the game's notation.
        code: String,
        /// The node that the move is meant for; the command is refused if the current node is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<NodeId>,
    },
    /// Makes the thinking engine move immediately, or answer the open hint or score request.
    MoveNow,
    /// Goes back to the sender's last turn.
    Undo,
    /// Goes forward to the sender's next turn.
    Redo,
    /// Goes back by some moves; engines then wait for `go`.
    Back {
        /// Number of moves, at least 1.
        n: usize,
    },
    /// Goes forward by some moves that were taken back; engines then wait for `go`.
    Forward {
        /// Number of moves, at least 1.
        n: usize,
    },
    /// Goes to any node of the tree; engines then wait for `go`.
    GoTo {
        /// The node.
        node: NodeId,
    },
    /// Lets an engine make the next move; engines that were waiting continue.
    Go {
        /// The limit of this move, if an engine moves for a person; by default, the engine's configured limit.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<Limit>,
        /// `true` if engines wait again after this move.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        once: bool,
    },
    /// Adds moves to the tree; the current node does not change.
    AddLine {
        /// The node before the first move.
        from: NodeId,
        /// The moves.
        codes: Vec<String>,
    },
    /// Pauses engines after their next move, until `go`.
    Pause,
    /// Offers a draw, or accepts the opponent's offer.
    OfferDraw,
    /// Resigns the game.
    Resign,
    /// Ends the game on time: a side overstepped a limit that is kept outside the table, such as days per move by mail.
    Forfeit {
        /// The losing side.
        side: Side,
    },
    /// Ends the game of an opponent who has left: a win, or a draw.
    Claim {
        /// `true` for a draw.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        draw: bool,
    },
    /// Accepts the open proposal.
    Accept,
    /// Declines the open proposal, or withdraws the sender's proposal.
    Decline,
    /// Sends a chat message to all clients.
    Say {
        /// The message; longer than 1000 characters, it is cut.
        text: String,
    },
    /// Asks the built-in engine for the best move.
    Hint,
    /// Asks the built-in engine for a score.
    Eval,
    /// Starts an analysis by the built-in engine, until `stop-analysis`.
    Analyse {
        /// The node; if `None`, the analysis follows the current node.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        node: Option<NodeId>,
        /// Number of best lines, 1 to 8; by default 1.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        lines: Option<u32>,
        /// Time limit of the analysis.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<f64>,
    },
    /// Starts a review by the built-in engine of the current line, from the first move to the last.
    Review {
        /// Search time for each position.
        seconds: f64,
    },
    /// Stops the analysis or the review.
    StopAnalysis,
    /// Requests the clocks.
    Clock,
    /// Sets the sides that engines play.
    SetAuto {
        /// The sides.
        sides: SideSet,
    },
    /// Gives a seat to another player, or changes the player's clock.
    SetSeat {
        /// The seat.
        #[serde(rename = "side")]
        seat: SeatId,
        /// Its new player.
        #[serde(flatten)]
        player: SeatPlayer,
    },
    /// Sets the playing strength of the engines.
    SetLevel {
        /// From 0 to 20, or `adaptive`.
        level: LevelChoice,
    },
    /// Sets an option of the engine that moves for people. For clients in this program.
    #[serde(skip)]
    SetOption {
        /// The option.
        name: String,
        /// Its new value.
        value: String,
    },
    /// Forgets the person's results in this game, which an adaptive level follows.
    ForgetResults,
    /// Sets the pause before each move where engines play both sides.
    SetPace {
        /// From 0 to 3600.
        seconds: f64,
    },
    /// Saves the game with its branches to a new file.
    Save {
        /// The path of the file.
        path: PathBuf,
    },
    /// Loads the game of a file.
    Load {
        /// A ledger, a PGN file or a line with a position.
        path: PathBuf,
    },
    /// Starts another game.
    New {
        /// The starting position; by default, that of the current game.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        opening: Option<Opening>,
        /// Moves of the game after it, and variations of them, each from the starting position on.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        lines: Vec<Vec<String>>,
        /// The sides that engines play in it; by default, those that they play now.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        auto: Option<SideSet>,
    },
    /// Starts another game from the same position, in which the players have exchanged their sides.
    Rematch,
    /// Closes the table; the game is kept in its ledger.
    Quit,
}

/// The people who may use a command.
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

/// The time at which a command may be used.
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

/// The properties of a command that are the same for all its uses.
#[derive(Debug)]
pub struct Command {
    /// Its users.
    pub users: Users,
    /// The part of a game in which they may use it.
    pub when: When,
    /// The word typed at the console.
    typed: &'static str,
    /// The label of its button on the page.
    pub label: &'static str,
}

impl TableCommand {
    /// The command without its arguments.
    pub fn id(&self) -> CommandId {
        self.into()
    }

    /// A command whose arguments may all be left out.
    pub fn without_arguments(id: CommandId) -> Option<TableCommand> {
        let word: &str = id.into();
        serde_json::from_value(serde_json::json!({ "command": word })).ok()
    }
}

impl CommandId {
    /// The command's row.
    pub fn row(self) -> Command {
        use CommandId as C;
        use Users::{All, Host, Players};
        use When::{Always, Playing, Started};
        let (users, when, typed, label) = match self {
            C::Leave => (All, Always, "leave", "Leave"),
            C::Kick => (Host, Started, "kick", "Remove"),
            C::Snapshot => (All, Always, "board", "Reload"),
            C::Play => (Players, Started, "a move", "a move"),
            C::MoveNow => (Players, Started, "stop", "Move now"),
            C::Undo => (Players, Started, "undo", "Take back"),
            C::Redo => (Players, Started, "redo", "Forward"),
            C::Back => (Players, Started, "back", "Back"),
            C::Forward => (Players, Started, "forward", "Forward"),
            C::GoTo => (Players, Started, "back", "Back"),
            C::Go => (Host, Playing, "go", "Let the engine move"),
            C::AddLine => (Host, Started, "a line", "Keep as a branch"),
            C::Pause => (Host, Started, "Ctrl-C", "Pause"),
            C::OfferDraw => (Players, Playing, "draw", "Offer draw"),
            C::Resign => (Players, Playing, "resign", "Resign"),
            C::Forfeit => (Host, Playing, "forfeit", "Forfeit"),
            C::Claim => (Players, Playing, "claim", "Claim the win"),
            C::Accept => (Players, Started, "yes", "Accept"),
            C::Decline => (Players, Started, "no", "Decline"),
            C::Say => (All, Always, "say", "Say"),
            C::Hint => (Players, Playing, "hint", "Hint"),
            C::Eval => (Players, Playing, "eval", "Score"),
            C::Analyse => (Players, Started, "analyse", "Analyse"),
            C::Review => (Players, Started, "review", "Find mistakes"),
            C::StopAnalysis => (Players, Started, "stop", "Stop"),
            C::Clock => (All, Always, "clock", "Clock"),
            C::SetAuto => (Host, Started, "auto", "Who plays"),
            C::SetSeat => (Host, Started, "auto", "Who plays"),
            C::SetLevel => (Host, Started, "level", "Level"),
            C::SetOption => (Host, Started, "an option", "an option"),
            C::ForgetResults => (Host, Started, "level", "Level"),
            C::SetPace => (Host, Always, "pace", "Slower"),
            C::Save => (Host, Started, "save", "Records"),
            C::Load => (Host, Started, "load", "Open"),
            C::New => (Host, Started, "new", "New game"),
            C::Rematch => (Players, Started, "rematch", "Rematch"),
            C::Quit => (Host, Always, "quit", "Close"),
        };
        Command {
            users,
            when,
            typed,
            label,
        }
    }

    /// Its name in a kind of client.
    pub fn name(self, voice: Voice) -> &'static str {
        match (voice, self) {
            (Voice::Json, _) => self.into(),
            (Voice::Page, _) => self.row().label,
            (Voice::Mail, CommandId::New) => "challenge",
            (Voice::Mail, _) => self.by_mail().map_or(self.row().typed, |(_, word, _)| word),
            (Voice::Console, _) => self.row().typed,
        }
    }

    /// The commands that a message to the e-mail club may contain, each with its word. One that cannot be taken back is
    /// `true`: a remark above a move must not cause it.
    pub const BY_MAIL: [(CommandId, &str, bool); 5] = [
        (CommandId::Undo, "undo", false),
        (CommandId::OfferDraw, "draw", true),
        (CommandId::Resign, "resign", true),
        (CommandId::Accept, "accept", true),
        (CommandId::Decline, "decline", false),
    ];

    /// The command's row in [`BY_MAIL`](CommandId::BY_MAIL).
    pub fn by_mail(self) -> Option<(CommandId, &'static str, bool)> {
        CommandId::BY_MAIL.into_iter().find(|(id, ..)| *id == self)
    }

    /// The command that a person types so at the console.
    pub fn typed(word: &str) -> Option<CommandId> {
        let mut all = CommandId::VARIANTS.iter().copied();
        all.find(|id| id.row().typed == word)
    }
}

/// The help of a command that people type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Help {
    /// The command with its arguments, as in `back [N]`.
    pub usage: &'static str,
    /// Its effect, in one short line.
    pub about: &'static str,
    /// The full explanation, in several lines.
    pub full: &'static str,
}

impl Help {
    /// The help of the typed commands, in the order in which they are listed.
    pub fn of_commands() -> &'static [Help] {
        static ALL: LazyLock<Vec<Help>> =
            LazyLock::new(|| Help::read(include_str!("commands.txt")).collect());
        &ALL
    }

    /// Reads entries of at least three lines, with a blank line between two of them.
    pub fn read(text: &'static str) -> impl Iterator<Item = Help> {
        text.trim_end().split("\n\n").filter_map(|entry| {
            let (usage, rest) = entry.split_once('\n')?;
            let (about, full) = rest.split_once('\n')?;
            Some(Help { usage, about, full })
        })
    }

    /// The command without its arguments.
    pub fn name(&self) -> &'static str {
        self.usage.split(' ').next().unwrap_or(self.usage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_help_is_typed() {
        for help in Help::of_commands() {
            assert!(CommandId::typed(help.name()).is_some(), "{}", help.usage);
        }
    }
}
