//! The reasons for which a table refuses a request, and their sentences.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::{Deserialize, Serialize, Serializer};

use super::command::{CommandId, Voice};
use super::people::SeatId;
use record::game_spec::GameSpec;

/// A reason to refuse a request. The game is unchanged.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "refusal", rename_all = "kebab-case")]
#[allow(missing_docs)] // Its sentence shows what a field is.
pub enum Refusal {
    /// A guest asks more often than allowed.
    #[error("Too many requests. Wait a moment.")]
    TooManyRequests,
    /// The command is the host's.
    #[error("{}", self.sentence(Voice::Json))]
    OnlyHost { command: CommandId },
    /// A spectator uses a command of players.
    #[error("{}", self.sentence(Voice::Json))]
    OnlyPlayers { command: CommandId },
    /// The client has no seat.
    #[error("You do not play in this game.")]
    NotPlaying,
    /// The engines are being started.
    #[error("The engines are starting. Wait a moment.")]
    Starting,
    /// The game is over.
    #[error("{}", self.sentence(Voice::Json))]
    GameOver,
    /// A person is to move who is not the sender: `player`, as in `Ann (red)`.
    #[error("{player} is to move.")]
    OthersTurn { player: String },
    /// An engine is to move.
    #[error("{player}, an engine, is to move.")]
    EnginesTurn { player: String },
    /// The move is for a node that is no longer the current one.
    #[error("The position has changed. Look at it and move again.")]
    PositionChanged,
    /// The rules reject a move or a position, in the words of the game.
    #[error("{reason}")]
    Rules { reason: String },

    /// Partners get no help while they play.
    #[error("This game is played without hints and analysis.")]
    NoHelpForPartners,
    /// Between two people help must be allowed before the first move.
    #[error("Hints and analysis are off: both players must agree to them before the first move.")]
    HelpIsOff,
    /// The other person is asked to allow help.
    #[error(
        "Hints and analysis are off between two people. {player} is asked to allow them for both."
    )]
    HelpIsAsked { player: String },
    /// Another person's proposal is open, as in `Bob (o) offers a draw`.
    #[error("{}", self.sentence(Voice::Json))]
    AnswerFirst { proposal: String },
    /// The sender's draw offer is open.
    #[error("Your draw offer is still open. Wait for the answer.")]
    OfferIsOpen,
    /// An engine declines a draw.
    #[error("{player} declines the draw.")]
    DrawDeclined { player: String },
    /// No proposal awaits the sender's answer.
    #[error("There is no proposal to answer.")]
    NothingProposed,
    /// A rematch is for a finished game.
    #[error("This game is not over. Finish it first.")]
    GameGoesOn,
    /// Partners cannot exchange their sides.
    #[error("Partners cannot exchange their sides.")]
    PartnersPlay,
    /// Partners may not talk while they play.
    #[error("Partners may not chat while the game runs.")]
    PartnersTalk,

    /// No opponent who has left is to move.
    #[error("A game can be claimed only while an opponent who has left is to move.")]
    NothingToClaim,
    /// The opponent is still connected.
    #[error("{player} has not left.")]
    HasNotLeft { player: String },
    /// The opponent left too short a time ago.
    #[error("{player} left {away} s ago. The game can be claimed after {wait} s.")]
    LeftJustNow {
        /// The opponent.
        player: String,
        /// Seconds since then.
        away: u64,
        /// Seconds after which the game can be claimed.
        wait: u64,
    },

    /// No move to take back.
    #[error("There is no move to take back.")]
    NothingToUndo,
    /// No move to play again.
    #[error("There is no move to play again.")]
    NothingToRedo,
    /// No move in this direction.
    #[error("There is no move in that direction.")]
    NoFurtherMove,
    /// The tree has no such node.
    #[error("There is no position {node}: the last one is {last}.")]
    NoNode {
        /// The node.
        node: usize,
        /// The last node.
        last: usize,
    },
    /// A number is out of its range.
    #[error("{what} {least} to {most}{}.", what.unit())]
    OutOfRange {
        /// The things that the number counts.
        what: Amount,
        /// The smallest one allowed.
        least: f64,
        /// The largest one allowed.
        most: f64,
    },

    /// No engine is thinking.
    #[error("No engine is thinking.")]
    NothingToStop,
    /// The engine's search already has a limit.
    #[error("This engine already has a limit.")]
    HasLimit,
    /// A search would never end.
    #[error("Give the search a limit.")]
    NoLimit,
    /// The sender's last question is not answered yet, or too many are open.
    #[error("Another question is being answered. Wait for its answer.")]
    QuestionIsOpen,
    /// No analysis is running.
    #[error("No analysis is running.")]
    NoAnalysis,
    /// The node to analyse is the end of a game.
    #[error("The game is over there: there is nothing to analyse.")]
    OverThere,
    /// The game to review has no moves.
    #[error("There are no moves to review.")]
    NothingToReview,
    /// The analysing engine failed, or an engine rejects an option, in its words.
    #[error("{reason}")]
    Engine { reason: String },

    /// There is no such seat.
    #[error("There is no seat {seat}.")]
    NoSeat { seat: SeatId },
    /// The seat's guest is connected.
    #[error("{side} is the seat of {guest}, who is connected. Remove this guest first.")]
    SeatIsUsed {
        /// The side.
        side: String,
        /// The guest.
        guest: String,
    },
    /// The seat is not free for the joining client.
    #[error("This seat is taken, or not kept for a guest. You can join to watch.")]
    SeatIsTaken,
    /// No seat is kept for the token.
    #[error("This seat is no longer kept for you. Ask the host for a new link.")]
    UnknownToken,
    /// A seat for a guest cannot have an engine.
    #[error("A guest's seat is for a person, not for an engine.")]
    EngineForGuest,
    /// There is no such guest.
    #[error("There is no such guest.")]
    NoGuest,
    /// The host cannot be removed.
    #[error("The host cannot be removed.")]
    HostStays,

    /// A file cannot be used.
    #[error("{path}: {reason}")]
    File {
        /// The path.
        path: PathBuf,
        /// The error.
        reason: String,
    },
    /// A file contains another game.
    #[error("{path} contains a game of {found}, and this table plays {wanted}.")]
    OtherGame {
        /// The path.
        path: PathBuf,
        /// The game in it.
        found: GameSpec,
        /// The table's game.
        wanted: GameSpec,
    },
    /// The name of a file to save has an unknown ending.
    #[error("{path}: the name must end in .pgn, or in .jsonl for a ledger with all branches")]
    FileName { path: PathBuf },
    /// There is no folder for the results that an adaptive level follows.
    #[error("The level cannot follow your results: there is no folder for them.")]
    NoRatings,
    /// A line is not a request.
    #[error("{what}: send a request as a JSON object, as in {{\"command\":\"undo\"}}.")]
    Malformed { what: String },
    /// The question is about a position that was left.
    #[error("The question was about a position that was left. Ask again.")]
    PositionLeft,
    /// A name has too many characters.
    #[error("The name is too long. Choose one of at most {most} characters.")]
    NameTooLong { most: usize },
    /// The system fails: the text says how.
    #[error("{reason}")]
    Failed { reason: String },
}

/// The things that a number in a request counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Amount {
    /// The pause before a move.
    #[strum(to_string = "The pause must be")]
    Pause,
    /// The level of engines.
    #[strum(to_string = "The level must be")]
    Level,
    /// The lines of an analysis.
    #[strum(to_string = "An analysis shows")]
    Lines,
    /// The time of an analysis, or of each position of a review.
    #[strum(to_string = "The time must be")]
    Time,
    /// The moves of a line.
    #[strum(to_string = "A line has")]
    Moves,
}

impl Amount {
    /// Checks that a number is in its range.
    pub(crate) fn check(self, number: f64, range: RangeInclusive<f64>) -> Result<(), Refusal> {
        match range.contains(&number) {
            true => Ok(()),
            false => Err(Refusal::OutOfRange {
                what: self,
                least: *range.start(),
                most: *range.end(),
            }),
        }
    }

    fn unit(self) -> &'static str {
        match self {
            Amount::Pause | Amount::Time => " seconds",
            Amount::Level => "",
            Amount::Lines => " lines",
            Amount::Moves => " moves",
        }
    }
}

impl Refusal {
    /// The reason for people at this kind of client. As text, a refusal is in the words of the JSON.
    pub fn sentence(&self, voice: Voice) -> String {
        let name = |command: CommandId| command.name(voice);
        match self {
            Refusal::OnlyHost { command } => format!("Only the host can use {}.", name(*command)),
            Refusal::OnlyPlayers { command } => {
                format!("You are watching. Only players can use {}.", name(*command))
            }
            Refusal::OthersTurn { player } if voice == Voice::Mail => {
                format!("{player} is to move. Wait, or use queue to make your move in advance.")
            }
            Refusal::GameOver => {
                let [new, undo] = [CommandId::New, CommandId::Undo].map(name);
                format!(
                    "The game is over. Use {new} to start another, or {undo} to take a move back."
                )
            }
            Refusal::AnswerFirst { proposal } => {
                let [accept, decline] = [CommandId::Accept, CommandId::Decline].map(name);
                format!("{proposal}. Answer first: {accept} or {decline}.")
            }
            other => other.to_string(),
        }
    }
}

/// Serializes a refusal with its sentence, `why`, for programs that show it.
pub(super) fn spoken<S: Serializer>(refusal: &Refusal, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    struct Spoken<'a> {
        #[serde(flatten)]
        refusal: &'a Refusal,
        why: String,
    }
    let why = refusal.to_string();
    Spoken { refusal, why }.serialize(serializer)
}
