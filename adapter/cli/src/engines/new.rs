//! `linesman new-engine`: a folder with a small engine to begin with, from the templates.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;
use itertools::Itertools;
use kit::GameEntry;
use record::game_spec::ANY;
use record::registry::Registry;

use crate::args::{Language, NewEngineArgs};
use crate::engines::words::quote;
use crate::game_name::{parse_entry, parse_game_or_any};
use crate::output::finish;
use crate::platform::make_executable;
use crate::program::linesman;
use crate::usage::{Done, OrFail, trouble};

/// The text of a template.
macro_rules! template {
    ($($path:literal),+) => {
        include_str!(concat!("../../templates/", $($path),+))
    };
}

/// A language: its files apart from the game's, the game's file, the command that builds the engine, and the engine.
struct Template {
    files: &'static [(&'static str, &'static str)],
    game: &'static str,
    /// The rules of Sticks.
    sticks: &'static str,
    /// A game by the rules of a program.
    of_program: &'static str,
    build: &'static str,
    engine: &'static str,
}

/// `language!(FOLDER: GAME, EXTENSION, [FILE, ...], BUILD => ENGINE)`: the template in this folder, and the one for games
/// by the rules of a program, whose file has this extension.
macro_rules! language {
    ($folder:literal: $game:literal, $extension:literal, [$($file:literal),+], $build:literal => $engine:literal) => {
        Template {
            files: &[$(($file, template!($folder, "/", $file))),+],
            game: $game,
            sticks: template!($folder, "/", $game),
            of_program: template!("new-engine/game.", $extension),
            build: $build,
            engine: $engine,
        }
    };
}

const fn template(language: Language) -> Template {
    use Language::{C, Cpp, Go, Javascript, Python, Rust};
    match language {
        Python => language!("python": "game.py", "py", ["engine.py"], "" => "./engine.py"),
        Javascript => language!("javascript": "game.js", "js", ["engine.js"], "" => "./engine.js"),
        C => {
            language!("c": "game.c", "c", ["engine.c", "engine.h", "Makefile"], "make" => "./engine")
        }
        Cpp => {
            language!("cpp": "game.cpp", "cpp", ["engine.cpp", "engine.hpp", "Makefile"], "make" => "./engine")
        }
        Go => {
            language!("go": "game.go", "go", ["engine.go", "go.mod"], "go build -o engine ." => "./engine")
        }
        Rust => {
            language!("rust-std": "src/game.rs", "rs", ["src/main.rs", "Makefile"], "make" => "./engine")
        }
    }
}

/// Writes the folder.
pub(crate) fn run(args: &NewEngineArgs, registry: Registry) -> Done<ExitCode> {
    let game = parse_game_or_any(&args.game, registry)?;
    let template = template(args.lang);
    let executable = linesman()?.display().to_string();
    let entry = match game.name.as_str() {
        ANY => None,
        _ => Some(parse_entry(&args.game, registry)?),
    };
    let text = entry.map_or(template.sticks.to_owned(), |entry| {
        of_program(template.of_program, entry, &executable, args.lang)
    });
    let language = args.lang.to_possible_value();
    let language = language.as_ref().map_or("engine", |value| value.get_name());
    let folder = args.folder.clone();
    let folder = folder.unwrap_or_else(|| PathBuf::from(format!("{}-{language}", game.name)));
    fs::create_dir_all(&folder).or_trouble(folder.display())?;
    if fs::read_dir(&folder).is_ok_and(|mut files| files.next().is_some()) {
        let why = "the folder is not empty: name a new one";
        return Err(trouble(folder.display(), why));
    }
    let write = |name: &str, text: &str| write(&folder.join(name), text);
    for (name, text) in template.files {
        write(name, text)?;
    }
    write(template.game, &text)?;
    let own = [
        template!("new-engine/any.md"),
        template!("new-engine/ladder.md"),
    ];
    let readme = template!("new-engine/README.md").to_owned() + own[usize::from(entry.is_some())];
    let words = entry.map_or(&[][..], |entry| entry.args).iter();
    let words = words.map(|word| format!(" {}", quote(word.clone())));
    let marks = [
        ("GAMEFILE", template.game.to_owned()),
        ("ENGINEFILE", template.files[0].0.to_owned()),
        ("ENGINE", template.engine.to_owned()),
        ("TITLE", game.name.clone()),
        ("GAME", game.name.clone() + &words.collect::<String>()),
        ("BUILD", template.build.to_owned()),
        ("FOLDER", quote(folder.display().to_string())),
        ("LINESMAN", quote(executable.clone())),
    ];
    let replace = |text: String, (mark, value): &(&str, String)| text.replace(mark, value);
    let fill = |text: &str| marks.iter().fold(text.to_owned(), replace);
    write("test.sh", &fill(template!("new-engine/test.sh")))?;
    write("README.md", &fill(&readme))?;
    let (shown, game) = (folder.display(), game.name);
    finish(
        &format!("{shown}: a small engine of {game}. Next: {shown}/README.md"),
        false,
    )
}

/// Writes a new file; one that begins with `#!` is made executable.
fn write(path: &Path, text: &str) -> Done {
    let parent = path.parent().unwrap_or(path);
    let mut written = fs::create_dir_all(parent).and_then(|()| fs::write(path, text));
    if text.starts_with("#!") {
        written = written.and_then(|()| make_executable(path));
    }
    written.or_trouble(path.display())
}

/// The game's file with the command of the rules and the options of the board.
fn of_program(text: &str, entry: &GameEntry, executable: &str, language: Language) -> String {
    let own = [executable, "engine", entry.name].into_iter();
    let mut words = own.chain(entry.args.iter().map(String::as_str)).map(quoted);
    let options = entry.source.options();
    let options = options.iter().map(|option| format!("option {option}"));
    let options = match language {
        // One text with a line for each.
        Language::C => format!("\"{}\"", options.map(|line| format!("{line}\\n")).join("")),
        _ => options.map(|line| quoted(&line)).join(", "),
    };
    let text = text.replace("\"RULE\"", &words.join(", "));
    text.replace("\"OPTION\"", &options)
}

/// A string literal in each language of the templates.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
