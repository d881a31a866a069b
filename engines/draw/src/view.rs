//! The request to draw a board: its style and its space.

/// The style of a drawn board and the space for it.
#[derive(Debug, Clone, Copy, Default)]
pub struct View<'a> {
    /// Empty, or one of the game's styles.
    pub style: &'a str,
    /// Uses ASCII only.
    pub is_ascii: bool,
    /// Seen from player 2's side of the table: turned by 180 degrees, with the names of rows and files. No effect in
    /// games whose move codes are directions on the page.
    pub is_flipped: bool,
    /// With ANSI colours. They change no character and no layout.
    pub is_coloured: bool,
    /// In a diagram: clockwise turn in steps. A step is the smallest rotation that maps cells to cells, 60 degrees for
    /// hexagons and 90 for squares. No effect in games whose move codes are directions.
    pub turns: u8,
    /// Codes of moves that get no mark, in games that mark their legal moves; read in either letter case.
    pub ruled_out: &'a [String],
    /// The result in words, if the game ended other than by its rules, such as on time: it replaces the side to move.
    pub ending: Option<&'a str>,
    /// As text: the available space; `None` for a board of the usual size without a limit.
    pub room: Option<Room<'a>>,
}

/// The space for a board as text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Room<'a> {
    /// Characters in a line.
    pub columns: usize,
    /// Lines.
    pub lines: usize,
    /// Id of a spot that must be visible; empty for none.
    pub shows: &'a str,
}

impl Room<'_> {
    /// Space for the larger form of any board.
    pub const UNLIMITED: Room<'static> = Room {
        columns: usize::MAX,
        lines: usize::MAX,
        shows: "",
    };
}

impl<'a> View<'a> {
    /// The plain board in one of the game's styles; an empty style is the default one.
    pub fn styled(style: &'a str) -> View<'a> {
        View {
            style,
            ..View::default()
        }
    }
}
