//! `setup`: starts a game from a position that is typed or pasted, as a string or as a drawn board with text around it.

use kit::Rejection;
use kit::parse_diagram::clean;
use protocol::text::excerpt;
use record::opening::Opening;
use record::table::Role;
use table::TableCommand;
use table::figure::{Candidate, Figure, FigureReader, Reading, Unused};
use table::typing::{TypingError, read_moves};

use super::Client;
use super::paste::{MAX_BYTES, Paste, Pasted, Question};
use crate::play::text;
use crate::play::word::{self, Typed};

/// Maximum number of words of an answer.
const MAX_ANSWER: usize = 3;

/// Maximum number of unused moves in a message.
const MAX_UNUSED: usize = 12;

/// End of the message for a failed `setup`.
const AS_IT_IS: &str = "the game is unchanged";

impl Client<'_> {
    /// Starts from a position string, or asks for a position.
    pub(super) fn setup(&mut self, rest: &str, asked: Option<&str>) {
        if self.role() != Role::Host {
            return self.say("setup: only the host may");
        }
        if self.is_under_way() && !self.is_confirmed("setup", asked) {
            return self
                .say("The game is not over: type setup again to abandon it for a position.");
        }
        let mut paste = self.new_paste();
        if !rest.is_empty() {
            let opening = Opening::parse(rest);
            // A text pasted after the word.
            if self.game.accepts(&opening) || !paste.push(rest) || !paste.reader.has_rows() {
                return self.begin(opening);
            }
        } else if let Some(text) = self.talk.held.take() {
            return self.read_text(&text);
        }
        self.say("Type or paste a position: a string, or the rows of a board. Ctrl-C leaves.");
        self.paste = Some(paste);
    }

    fn new_paste(&self) -> Paste {
        let rules = self.game.rules();
        Paste {
            reader: FigureReader::new(rules.entry(), rules.options()),
            n_bytes: 0,
            question: Question::Rows,
        }
    }

    /// `true` if the reader of a text finds this in it.
    pub(super) fn holds(&self, text: &str, found: fn(&FigureReader) -> bool) -> bool {
        let mut paste = self.new_paste();
        text.lines().all(|line| paste.push(line)) && found(&paste.reader)
    }

    /// `true` if the next lines are rows of a position.
    pub(super) fn reads_rows(&self) -> bool {
        let paste = self.paste.as_ref();
        paste.is_some_and(|paste| paste.question == Question::Rows)
    }

    /// The prompt of the current question.
    pub(super) fn paste_prompt(&self) -> Option<String> {
        let prompt = match &self.paste.as_ref()?.question {
            Question::Rows => "setup> ".to_owned(),
            Question::Which(figures) => format!("1 to {}> ", figures.len()),
            Question::Turn(_, figure) => format!("{}> ", names(figure)),
        };
        Some(prompt)
    }

    /// Reads a whole text with all boards in it.
    pub(super) fn read_text(&mut self, text: &str) {
        let mut paste = self.paste.take().unwrap_or_else(|| self.new_paste());
        if !text.lines().all(|line| paste.push(line)) {
            return self.show_too_long();
        }
        if paste.reader.has_games() {
            self.show_unused(&paste.reader.read().unused);
            self.offer(paste);
        } else {
            self.show_incomplete(&paste);
        }
    }

    /// Handles one line of a position, or the answer to a question about it. A position string is complete at once, a
    /// board with its last row.
    pub(super) fn on_setup_line(&mut self, line: &str) {
        let Some(mut paste) = self.paste.take() else {
            return;
        };
        match &paste.question {
            Question::Rows => {
                let opening = Opening::parse(line);
                let is_blank = line.trim().is_empty();
                if !is_blank && !paste.reader.has_rows() && self.game.accepts(&opening) {
                    return self.begin(opening);
                }
                if is_word(line) {
                    self.show_incomplete(&paste);
                    return self.obey(std::time::Instant::now(), line);
                }
                if is_blank && paste.n_bytes == 0 && self.screen.input_mode().is_live {
                    self.say("nothing pasted yet; Ctrl-C leaves setup");
                }
                if !paste.push(line) {
                    return self.show_too_long();
                }
                if paste.reader.is_complete() {
                    self.offer(paste);
                } else {
                    self.paste = Some(paste);
                }
            }
            Question::Which(figures) => match chosen(figures, line.trim()) {
                Some((index, figure)) => self.choose_figure(paste, index, figure),
                None => {
                    let expected = format!("a number from 1 to {}", figures.len());
                    self.extend_setup(paste, line, &expected);
                }
            },
            Question::Turn(index, figure) => {
                let named = find(figure, line.trim()).cloned();
                match (named, *index) {
                    (Some(candidate), index) => self.begin_at(paste.reader, index, &candidate),
                    (None, _) => {
                        let expected = names(figure);
                        self.extend_setup(paste, line, &expected);
                    }
                }
            }
        }
    }

    /// Handles a line that does not answer the question. It may be text below the figure that answers it instead.
    fn extend_setup(&mut self, mut paste: Paste, line: &str, expected: &str) {
        let belongs = paste.reader.push(line);
        if !belongs || !paste.reader.is_complete() {
            let text = clean(line);
            // A sentence is not an answer, but text below the figure.
            if text.split_whitespace().count() <= MAX_ANSWER {
                let text = excerpt(text.trim());
                self.say(&format!(
                    "{text:?}: expected {expected}; Ctrl-C leaves setup"
                ));
            }
            self.paste = Some(paste);
            return;
        }
        let old = std::mem::replace(&mut paste.question, Question::Rows);
        let figures = self.games(&paste.reader.read());
        match &old {
            Question::Which(known) if *known == figures => {
                paste.question = old;
                self.paste = Some(paste);
            }
            Question::Turn(index, known) if figures.get(*index) == Some(known) => {
                paste.question = old;
                self.paste = Some(paste);
            }
            Question::Turn(index, _) if *index < figures.len() => {
                let figure = figures.into_iter().nth(*index).expect("there are more");
                self.choose_figure(paste, *index, figure);
            }
            _ => self.offer_figures(paste, figures),
        }
    }

    /// The valid games that were read. Shows the errors of the others.
    fn games(&mut self, reading: &Reading) -> Vec<Figure> {
        for why in reading.games.iter().filter_map(|game| game.as_ref().err()) {
            self.say(&format!("setup: {why}"));
        }
        reading.games.iter().flatten().cloned().collect()
    }

    /// Lists what looks like a move and was not used.
    fn show_unused(&mut self, unused: &[Unused]) {
        if unused.is_empty() {
            return;
        }
        let listed = unused.iter().take(MAX_UNUSED).map(Unused::to_string);
        let more = if unused.len() > MAX_UNUSED {
            ", ..."
        } else {
            ""
        };
        let listed = listed.collect::<Vec<_>>().join(", ");
        self.say(&format!(
            "not used, although it looks like a move: {listed}{more}"
        ));
    }

    /// The moves of a text that continue the game, if there are words around them.
    pub(super) fn moves_in(&mut self, text: &str) -> Option<String> {
        let is_prose = |line: &str| {
            matches!(self.read(line), Ok(Typed::Other(_)))
                && matches!(
                    read_moves(self.game.board(), line),
                    Err(TypingError::NoMove(_))
                )
        };
        if !text
            .lines()
            .any(|line| !line.trim().is_empty() && is_prose(line.trim()))
        {
            return None;
        }
        let snapshot = self.game.snapshot();
        let start = self.game.rules().open(&snapshot.opening).ok()?;
        let played: Vec<String> = snapshot.tree.line().map(|ply| ply.code.clone()).collect();
        let mut paste = self.new_paste();
        paste.reader.push_text(text);
        let Reading { games, unused } = paste.reader.read_from(start.as_ref(), &played);
        let [Ok(game)] = games.as_slice() else {
            return None;
        };
        let new = game.candidates[0].moves.get(played.len()..)?.join(" ");
        let variations = game.candidates[0].variations.iter();
        for line in variations {
            self.say(&format!("a variation, not played: {}", line.join(" ")));
        }
        self.show_unused(&unused);
        (!new.is_empty()).then_some(new)
    }

    /// Starts from the figure that was read. If there are several, it asks which one; for a script, it shows which one
    /// it takes.
    fn offer(&mut self, paste: Paste) {
        let figures = self.games(&paste.reader.read());
        self.offer_figures(paste, figures);
    }

    fn offer_figures(&mut self, mut paste: Paste, figures: Vec<Figure>) {
        let Some(first) = figures.first().cloned() else {
            return self.say(&format!("setup: {AS_IT_IS}"));
        };
        if figures.len() == 1 {
            return self.choose_figure(paste, 0, first);
        }
        let mut text = format!("{} figures:", figures.len());
        for (number, figure) in (1..).zip(&figures) {
            let caption = figure.caption.as_deref().unwrap_or_default();
            let candidate = &figure.candidates[0];
            let moves = with_moves(candidate);
            text.push_str(&format!("\n{number}  {}{moves}  {caption}", candidate.fen));
        }
        if self.screen.input_mode().is_live {
            self.say(&format!("{text}\nWhich one? Ctrl-C leaves."));
            paste.question = Question::Which(figures);
            self.paste = Some(paste);
        } else {
            self.say(&format!(
                "{text}\n1 is chosen; another number on the next line chooses that one"
            ));
            self.choose_figure(paste, 0, first);
        }
    }

    /// Starts from a figure. If the side to move is not given, it asks for it; for a script, it shows which side it
    /// assumes.
    fn choose_figure(&mut self, mut paste: Paste, index: usize, figure: Figure) {
        let candidate = figure.candidates[0].clone();
        if figure.candidates.len() > 1 {
            let names = names(&figure);
            if self.screen.input_mode().is_live {
                self.say(&format!("The figure does not say who is to move: {names}?"));
                paste.question = Question::Turn(index, figure);
                self.paste = Some(paste);
                return;
            }
            self.say(&format!(
                "the figure does not say who is to move: {} is chosen; {names} on the next line changes it",
                candidate.name
            ));
        }
        self.begin_at(paste.reader, index, &candidate);
    }

    fn begin_at(&mut self, reader: FigureReader, index: usize, candidate: &Candidate) {
        let Candidate { name, fen, .. } = candidate;
        let moves = with_moves(candidate);
        self.say(&format!("read: {fen} ({name} to move){moves}"));
        self.talk.pasted = Some(Pasted {
            reader,
            index,
            fen: fen.clone(),
        });
        let fen = Some(fen.clone()).filter(|fen| *fen != self.game.rules().start().fen());
        let lines = [&candidate.moves].into_iter().chain(&candidate.variations);
        let lines = lines.filter(|line| !line.is_empty()).cloned().collect();
        let opening = Opening {
            fen,
            moves: Vec::new(),
        };
        self.begin_with(opening, lines);
    }

    /// Handles a line below the figure from which the game has just started; `false` if it does not belong to the
    /// figure. It may name the side to move or, in a script, the figure.
    pub(super) fn on_line_below(&mut self, line: &str) -> bool {
        let Some(mut pasted) = self.talk.pasted.take() else {
            return false;
        };
        let old: Vec<Figure> = pasted.reader.read().games.into_iter().flatten().collect();
        let word = line.trim();
        let is_script = !self.screen.input_mode().is_live;
        if let Some((index, figure)) = chosen(&old, word).filter(|_| is_script) {
            let paste = Paste {
                reader: pasted.reader,
                ..self.new_paste()
            };
            self.choose_figure(paste, index, figure);
            return true;
        }
        if let Some(figure) = old.get(pasted.index)
            && let Some(candidate) = find(figure, word).filter(|_| is_script)
        {
            let candidate = candidate.clone();
            self.begin_at(pasted.reader, pasted.index, &candidate);
            return true;
        }
        if !pasted.reader.push(line) || !pasted.reader.is_complete() {
            return false;
        }
        match pasted.reader.read().games.into_iter().nth(pasted.index) {
            Some(Err(why)) => self.say(&format!("setup: {why}")),
            Some(Ok(Figure { candidates, .. })) => match candidates.as_slice() {
                [told] if told.fen != pasted.fen => {
                    self.begin_at(pasted.reader, pasted.index, told);
                }
                _ => self.talk.pasted = Some(pasted),
            },
            None => {}
        }
        true
    }

    /// Ends `setup` at the end of the input or when the person leaves it; `false` if it was not active.
    pub(super) fn leave_paste(&mut self) -> bool {
        match self.paste.take() {
            Some(paste) if paste.reader.has_rows() && paste.question == Question::Rows => {
                self.show_incomplete(&paste);
            }
            Some(_) => self.say(&format!("setup cancelled; {AS_IT_IS}")),
            None => return false,
        }
        true
    }

    fn show_incomplete(&mut self, paste: &Paste) {
        let Rejection(why) = paste.reader.explain();
        self.say(&format!("setup: {why}; {AS_IT_IS}"));
    }

    fn show_too_long(&mut self) {
        self.say(&format!(
            "setup: more than {MAX_BYTES} bytes pasted; {AS_IT_IS}"
        ));
    }

    fn begin(&mut self, opening: Opening) {
        self.begin_with(opening, Vec::new());
    }

    fn begin_with(&mut self, opening: Opening, lines: Vec<Vec<String>>) {
        let opening = Some(opening);
        self.ask(TableCommand::New { opening, lines }, "setup: ");
    }
}

/// The moves after a position, as they follow its string in a message.
fn with_moves(candidate: &Candidate) -> String {
    let (moves, variations) = (&candidate.moves, candidate.variations.len());
    let more = match variations {
        0 => String::new(),
        _ => format!(" and {}", text::count(variations, "variation")),
    };
    match moves.as_slice() {
        [] => more,
        moves => format!(
            ", {}: {}{more}",
            text::count(moves.len(), "move"),
            moves.join(" ")
        ),
    }
}

/// `true` if a line is a word of the console and not part of a text: it starts with a small letter at the first column.
fn is_word(line: &str) -> bool {
    let starts_small = line.starts_with(|sign: char| sign.is_ascii_lowercase() || sign == ':');
    starts_small && matches!(word::read(line), Ok(Typed::Word(_, "")))
}

/// The figure that a number from 1 names, and its index.
fn chosen(figures: &[Figure], number: &str) -> Option<(usize, Figure)> {
    let index = number.parse::<usize>().ok()?.checked_sub(1)?;
    Some((index, figures.get(index)?.clone()))
}

/// The names of the sides in a figure: `O or S`.
fn names(figure: &Figure) -> String {
    let names: Vec<&str> = figure
        .candidates
        .iter()
        .map(|candidate| candidate.name.as_str())
        .collect();
    names.join(" or ")
}

/// The position of a figure with this side to move, which is given by its name on the board or as p1 or p2.
fn find<'a>(figure: &'a Figure, word: &str) -> Option<&'a Candidate> {
    let is_it = |candidate: &&Candidate| {
        candidate.name.eq_ignore_ascii_case(word)
            || candidate.side.to_string().eq_ignore_ascii_case(word)
    };
    let several = figure.candidates.len() > 1;
    figure.candidates.iter().find(is_it).filter(|_| several)
}
