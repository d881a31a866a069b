//! `linesman puzzle`: the positions of a suite as puzzles, solved at the terminal or through a pipe.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use check::solve::Solver;
use check::suite;
use check::suite::Puzzle;
use kit::DynHistory;
use kit::Value;
use protocol::text::excerpt;
use protocol::{Line, LineReader};
use record::engine_spec::EngineSpec;
use record::pgn::wrap;
use record::registry::Registry;
use table::typing::{TypingError, read_moves};

use crate::analysis::solver::{limited_engine, start};
use crate::args::PuzzleArgs;
use crate::game_name::{parse_game, rules};
use crate::output::{self, printable};
use crate::play::style::BoardStyle;
use crate::play::text::WIDTH;
use crate::usage::Failure;

/// The built-in suites, by game.
const SUITES: &[(&str, &str)] = &[
    (
        "graph-hockey",
        include_str!("../../suites/graph-hockey.epd"),
    ),
    ("gobblet", include_str!("../../suites/gobblet.epd")),
    ("susan", include_str!("../../suites/susan.epd")),
    ("projex", include_str!("../../suites/projex.epd")),
    ("entropy", include_str!("../../suites/entropy.epd")),
];

/// Maximum number of moves shown of a line.
const MAX_LINE: usize = 15;

const HELP: &str = "Type the best move. moves lists the legal moves, board shows the board again, answer shows the\n\
                    solution, next skips the puzzle, quit ends.";

/// Poses the puzzles one by one until the last one or until the user quits.
pub(crate) fn run(args: &PuzzleArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let puzzles = puzzles(args, registry)?;
    let mut quiz = Quiz {
        args,
        input: LineReader::new(io::stdin()),
        is_script: !io::stdin().is_terminal(),
        engine: None,
        n_asked: 0,
        n_solved: 0,
    };
    let first = args.from.unwrap_or(1);
    for (number, puzzle) in (1..).zip(&puzzles).skip(first - 1) {
        put(&format!(
            "\nPuzzle {number} of {}: {}",
            puzzles.len(),
            puzzle.name()
        ))?;
        if !quiz.ask(puzzle)? {
            break;
        }
    }
    put(&format!("solved {} of {}", quiz.n_solved, quiz.n_asked))?;
    Ok(ExitCode::SUCCESS)
}

/// The built-in suite of a game; empty if it has none.
pub(crate) fn built_in(game: &str, registry: Registry) -> Result<Vec<Puzzle>, Failure> {
    let own = SUITES.iter().find(|(name, _)| *name == game);
    let text = own.map_or("", |(_, text)| text);
    suite::parse(text, registry)
        .map_err(|(line, why)| Failure::Trouble(format!("the suite of {game}, line {line}: {why}")))
}

/// The puzzles of the game: positions with known best moves.
fn puzzles(args: &PuzzleArgs, registry: Registry) -> Result<Vec<Puzzle>, Failure> {
    let game = parse_game(&args.game, registry)?;
    let asked = rules(registry, &game)?;
    let mut puzzles = match &args.file {
        Some(file) => {
            suite::load(file, registry).map_err(|error| Failure::Usage(error.to_string()))?
        }
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
        return Err(Failure::Usage(format!(
            "GAME: no puzzle of {game}: expected another game, other options or a suite with positions of it"
        )));
    }
    if args.from.is_some_and(|first| first > n_puzzles) {
        return Err(Failure::Usage(format!(
            "--from: there are {n_puzzles} puzzles: expected at most {n_puzzles}"
        )));
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
}

impl Quiz<'_> {
    /// Poses a puzzle until it is answered or skipped; `false` if the user quits.
    fn ask(&mut self, puzzle: &Puzzle) -> Result<bool, Failure> {
        let opened = puzzle.rules.open(&puzzle.opening);
        let board = opened.expect("the positions of a suite are legal");
        self.show(board.as_ref())?;
        let side = board.side_names()[board.side().index()].clone();
        loop {
            let Some(line) = self.read(&format!("{side} to move> "))? else {
                return Ok(false);
            };
            match line.trim().to_ascii_lowercase().as_str() {
                "quit" | ":q" => return Ok(false),
                "next" => return Ok(true),
                "?" | "help" | "" => put(HELP)?,
                "board" => self.show(board.as_ref())?,
                "moves" => put(&wrap(&board.moves(), WIDTH))?,
                "answer" => {
                    self.n_asked += 1;
                    self.tell(puzzle, None)?;
                    return Ok(true);
                }
                _ => match read_moves(board.as_ref(), &line) {
                    Ok(codes) if codes.len() == 1 => {
                        self.judge(puzzle, &codes[0])?;
                        return Ok(true);
                    }
                    Ok(_) => put(&format!("{}: expected one move", excerpt(&line)))?,
                    Err(TypingError::NoMove(why)) => put(&format!("{why}; ? lists the commands"))?,
                    Err(error @ TypingError::Illegal { .. }) => put(&error.to_string())?,
                },
            }
        }
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
            put(&excerpt(&text))?;
        }
        Ok(Some(text))
    }

    fn judge(&mut self, puzzle: &Puzzle, code: &String) -> Result<(), Failure> {
        let is_right = puzzle.best.contains(code);
        self.n_asked += 1;
        self.n_solved += usize::from(is_right);
        write(if is_right { "right: " } else { "wrong: " })?;
        self.tell(puzzle, Some(code))
    }

    /// Shows the answer with a line of the engine, and the engine's reply to a wrong move.
    fn tell(&mut self, puzzle: &Puzzle, played: Option<&String>) -> Result<(), Failure> {
        let is_best = played.is_some_and(|code| puzzle.best.contains(code));
        let best = played.filter(|_| is_best).unwrap_or(&puzzle.best[0]);
        put(&format!("{} {}", puzzle.best.join(" or "), worth(puzzle)))?;
        let line = self.line(puzzle, best)?;
        put(&format!("line: {line}"))?;
        if let Some(code) = played.filter(|_| !is_best) {
            let line = self.line(puzzle, code)?;
            put(&format!("after yours: {line}"))?;
        }
        Ok(())
    }

    /// A move, followed by the engine's line after it.
    fn line(&mut self, puzzle: &Puzzle, code: &str) -> Result<String, Failure> {
        let mut opening = puzzle.opening.clone();
        opening.moves.push(code.to_owned());
        let board = puzzle.rules.open(&opening);
        let mut board = board.expect("its moves are legal");
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
        Ok(line.join(" "))
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

/// The effect of the best move, in words.
fn worth(puzzle: &Puzzle) -> String {
    let told = match puzzle.value {
        Some(Value::Win(1)) => "wins at once".to_owned(),
        Some(Value::Win(plies)) => format!("wins in {plies} plies"),
        Some(Value::Loss(plies)) => format!("delays the loss longest: {plies} plies"),
        Some(Value::Draw) => "keeps the draw".to_owned(),
        None => "is best".to_owned(),
    };
    match &puzzle.comment {
        Some(comment) => format!("{told} ({})", printable(comment)),
        None => told,
    }
}

fn put(text: &str) -> Result<(), Failure> {
    output::print(text, false)
}

fn write(text: &str) -> Result<(), Failure> {
    output::print_raw(text)
}
