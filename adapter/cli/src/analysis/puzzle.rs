//! `linesman puzzle`: the positions of a suite as puzzles: at a terminal at a [table](crate::play), or one line each
//! through a pipe.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use check::solve::Solver;
use check::suite;
use check::suite::Puzzle;
use kit::DynHistory;
use kit::fen::counted;
use protocol::text::excerpt;
use protocol::{Line, LineReader};
use record::engine_spec::EngineSpec;
use record::pgn::wrap;
use record::registry::Registry;
use table::typing::{TypingError, read_moves};

use crate::analysis::puzzle_set::{PuzzleSet, built_in, worth};
use crate::analysis::solver::{limited_engine, start};
use crate::args::{PlayArgs, PuzzleArgs};
use crate::game_name::{parse_game, rules};
use crate::output::{print_raw as write, say};
use crate::play;
use crate::play::style::BoardStyle;
use crate::play::wrap::WIDTH;
use crate::usage::{Failure, refuse};

/// Maximum number of moves shown of a line.
const MAX_LINE: usize = 15;

const HELP: &str = "Type the best move. After a wrong one the board shows it with the reply; undo takes both back, and another\n\
                    move is another try. hint helps, first with the value, then with the beginning of the move. moves\n\
                    lists the legal moves, board shows the board, answer the solution; next skips the puzzle, quit ends.";

/// Poses the puzzles one by one until the last one or until the user quits.
pub(crate) fn run(args: &PuzzleArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let puzzles = puzzles(args, registry)?;
    if io::stdin().is_terminal() && !args.plain {
        let game = puzzles[0].rules.spec().to_string();
        let mut play = PlayArgs::of(&game);
        play.table.st = args.limit.st.clone();
        play.ascii = args.ascii;
        play.puzzles = Some(PuzzleSet::new(puzzles, args.from.unwrap_or(1)));
        return play::run(&play, registry);
    }
    let mut quiz = Quiz {
        args,
        input: LineReader::new(io::stdin()),
        is_script: !io::stdin().is_terminal(),
        engine: None,
        n_asked: 0,
        n_solved: 0,
        n_at_once: 0,
    };
    let first = args.from.unwrap_or(1);
    for (number, puzzle) in (1..).zip(&puzzles).skip(first - 1) {
        say(&format!(
            "\nPuzzle {number} of {}: {}",
            puzzles.len(),
            puzzle.name()
        ))?;
        if !quiz.ask(puzzle)? {
            break;
        }
    }
    say(&format!(
        "solved {} of {}, {} at the first try",
        quiz.n_solved, quiz.n_asked, quiz.n_at_once
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// The puzzles of the game: positions with known best moves.
fn puzzles(args: &PuzzleArgs, registry: Registry) -> Result<Vec<Puzzle>, Failure> {
    let game = parse_game(&args.game, registry)?;
    let asked = rules(registry, &game)?;
    let mut puzzles = match &args.file {
        Some(file) => suite::load(file, registry)?,
        None => built_in(asked.entry().name, registry)?,
    };
    let shape = asked.start().shape();
    let is_wanted = |puzzle: &Puzzle| {
        let board = puzzle.rules.open(&puzzle.opening);
        let has_shape = || board.is_ok_and(|board| board.shape() == shape);
        puzzle.rules.entry().name == asked.entry().name && (game.options.is_empty() || has_shape())
    };
    puzzles.retain(|puzzle| is_wanted(puzzle) && !puzzle.best.is_empty());
    let n_puzzles = puzzles.len();
    if n_puzzles == 0 {
        return refuse!(
            "GAME: no puzzle of {game}: name another game, other options or a suite of its positions"
        );
    }
    if args.from.is_some_and(|first| first > n_puzzles) {
        let all = counted(n_puzzles, "puzzle");
        return refuse!("--from: {all} of {game}: expected at most {n_puzzles}");
    }
    Ok(puzzles)
}

/// A session of puzzles.
struct Quiz<'a> {
    args: &'a PuzzleArgs,
    input: LineReader<io::Stdin>,
    /// `true` for input from a pipe, whose lines are echoed.
    is_script: bool,
    /// The engine that computes lines, started when needed, and the options of its game.
    engine: Option<(String, Solver)>,
    n_asked: usize,
    n_solved: usize,
    /// Number of puzzles solved at the first try, without help.
    n_at_once: usize,
}

impl Quiz<'_> {
    /// Poses a puzzle until it is solved, answered or skipped; `false` if the user quits.
    fn ask(&mut self, puzzle: &Puzzle) -> Result<bool, Failure> {
        let opened = puzzle.rules.open(&puzzle.opening);
        let board = opened.expect("the positions of a suite are legal");
        self.show(board.as_ref())?;
        let side = board.side_names()[board.side().index()].clone();
        let (mut n_tries, mut n_hints) = (0, 0);
        // The board after a wrong move and its reply.
        let mut tried: Option<Box<dyn DynHistory>> = None;
        loop {
            let Some(line) = self.read(&format!("{side} to move> "))? else {
                return Ok(false);
            };
            match line.trim().to_ascii_lowercase().as_str() {
                "quit" | ":q" => return Ok(false),
                "next" => return Ok(true),
                "?" | "help" | "" => say(HELP)?,
                "board" => self.show(tried.as_deref().unwrap_or(board.as_ref()))?,
                "undo" if tried.take().is_none() => say("undo: no move was tried")?,
                "undo" => self.show(board.as_ref())?,
                "moves" => say(&wrap(&board.moves(), WIDTH))?,
                "hint" => {
                    n_hints += 1;
                    say(&hint(puzzle, n_hints))?;
                }
                "answer" => {
                    self.n_asked += usize::from(n_tries == 0);
                    self.tell(puzzle, &puzzle.best[0])?;
                    return Ok(true);
                }
                _ => match read_moves(board.as_ref(), &line) {
                    Ok(codes) if codes.len() == 1 => {
                        self.n_asked += usize::from(n_tries == 0);
                        n_tries += 1;
                        if puzzle.best.contains(&codes[0]) {
                            self.n_solved += 1;
                            self.n_at_once += usize::from((n_tries, n_hints) == (1, 0));
                            write("right: ")?;
                            self.tell(puzzle, &codes[0])?;
                            return Ok(true);
                        }
                        tried = Some(self.refute(puzzle, &codes[0])?);
                    }
                    Ok(_) => say(&format!("{}: expected one move", excerpt(&line)))?,
                    Err(TypingError::NoMove(why)) => say(&format!("{why}; ? lists the commands"))?,
                    Err(error @ TypingError::Illegal { .. }) => say(&error.to_string())?,
                },
            }
        }
    }

    /// Shows the engine's line after a wrong move. Returns the board after the move and the reply.
    fn refute(&mut self, puzzle: &Puzzle, code: &str) -> Result<Box<dyn DynHistory>, Failure> {
        let line = self.line(puzzle, code)?;
        say(&format!(
            "wrong: {}; another try, hint, or answer",
            line.join(" ")
        ))?;
        let mut board = puzzle.rules.open(&puzzle.opening);
        let board = board.as_mut().expect("the positions of a suite are legal");
        for code in line.iter().take(2) {
            board.play(code).expect("the engine names legal moves");
        }
        Ok(board.fork())
    }

    fn show(&self, board: &dyn DynHistory) -> Result<(), Failure> {
        let style = BoardStyle {
            is_ascii: self.args.ascii,
            ..BoardStyle::default()
        };
        write(&format!("\n{}\n\n", style.draw(board)))
    }

    /// The next line; `None` at the end of the input.
    fn read(&mut self, prompt: &str) -> Result<Option<String>, Failure> {
        write(prompt)?;
        let line = match self.input.read() {
            Ok(Some(line)) => line.to_line(),
            Ok(None) | Err(_) => {
                write("\n")?;
                return Ok(None);
            }
        };
        let text = match line {
            Line::Text(text) => text,
            // This is not a move, and gets the error of one.
            Line::TooLong(_) => char::REPLACEMENT_CHARACTER.to_string(),
        };
        if self.is_script {
            say(&excerpt(&text))?;
        }
        Ok(Some(text))
    }

    /// Shows the answer with a line of the engine after one of the best moves.
    fn tell(&mut self, puzzle: &Puzzle, best: &str) -> Result<(), Failure> {
        say(&format!("{} {}", puzzle.best.join(" or "), worth(puzzle)))?;
        let line = self.line(puzzle, best)?;
        say(&format!("line: {}", line.join(" ")))
    }

    /// A move, followed by the engine's line after it.
    fn line(&mut self, puzzle: &Puzzle, code: &str) -> Result<Vec<String>, Failure> {
        let mut opening = puzzle.opening.clone();
        opening.moves.push(code.to_owned());
        let mut board = puzzle.rules.open(&opening).expect("its moves are legal");
        let mut line = vec![code.to_owned()];
        if board.outcome().is_none() {
            let side = board.side();
            let solver = self.solver(puzzle)?;
            let searched = solver
                .new_game()
                .and_then(|()| solver.search(&format!("position {opening}"), side));
            let found = searched.map_err(|fault| {
                Failure::Trouble(format!("the built-in engine: {}: {fault}", puzzle.name()))
            })?;
            let pv = found.thought.pv.iter();
            let played = pv.map_while(|code| board.play(code).ok());
            line.extend(played.take(MAX_LINE - 1));
        }
        Ok(line)
    }

    fn solver(&mut self, puzzle: &Puzzle) -> Result<&mut Solver, Failure> {
        let name = format!("{:?}", puzzle.rules.options());
        if self.engine.as_ref().is_none_or(|(known, _)| *known != name) {
            let spec: EngineSpec = limited_engine(None, &self.args.limit)?;
            let solver = start(&spec, &puzzle.rules, &self.args.timeouts)?;
            self.engine = Some((name, solver));
        }
        let solver = self.engine.as_mut().map(|(_, solver)| solver);
        Ok(solver.expect("it was started"))
    }
}

/// A hint: first the value, then the beginning of the move.
fn hint(puzzle: &Puzzle, number: usize) -> String {
    let code = &puzzle.best[0];
    let is_end = |sign: char| !sign.is_alphanumeric();
    let beginning = code
        .split(is_end)
        .next()
        .filter(|part| part.len() < code.len());
    let beginning = match beginning {
        Some(part) => part.to_owned(),
        None => code.chars().take(code.chars().count() / 2).collect(),
    };
    match (number, beginning.as_str()) {
        (1, _) | (_, "") => format!("hint: the best move {}", worth(puzzle)),
        (_, beginning) => format!("hint: its code begins with {beginning}"),
    }
}
