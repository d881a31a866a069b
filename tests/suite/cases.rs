//! Cases of the command line as text: `tests/data/cases/*.txt`, each a folder of its own in which commands are run.
//!
//! A case begins with `== ` and its name. Lines that are indented by four blanks, and blank lines between them, belong to
//! the step above. In all texts `LINESMAN`, `SCRIPTED`, `NIM`, `DUEL`, `SIXTH` and `UCT` are the paths of programs,
//! `UNSOUND` is that of an engine of SUSAN before a fault, `SPEC` is the folder of the pages, `FOLDER` that of the case,
//! and `\e` the escape character.
//!
//! | Step | |
//! | --- | --- |
//! | `let NAME TEXT` | what NAME stands for in the rest of the case; before the first case, in all of them |
//! | `file NAME` and lines, `data NAME [COPY]` | writes a file, or copies one of `tests/data` |
//! | `$ COMMAND` and lines | runs a command of bash, which must exit with 0 unless `exit N` follows |
//! | `fails N WORDS => WHY` | `linesman WORDS` exits with N; its one line of errors has these texts, split by ` \| ` |
//! | `out TEXT`, `no out TEXT`, `last TEXT` | a line of the output with this text, none, and its last line |
//! | `lines N START`, `silent` | exactly N lines of the output begin with this; there is no output |
//! | `err TEXT`, `error TEXT`, `quiet` | a part of the errors, a part of the only line of errors, no errors |
//! | `has FILE: TEXT`, `lacks FILE: TEXT`, `times N FILE: TEXT` | what a file contains |
//! | `is FILE` and lines, `same FILE FILE`, `missing FILE` | a whole file, equal files, no file |
//! | `json FILE N POINTER = VALUE`, `every FILE POINTER = VALUE` | in line N of a ledger, or in each game |
//! | `games FILE N` | the number of games in a ledger |

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::{Done, Folder, MUTANT, SCRIPTED, in_parallel, program};

/// A case: its name, and its steps with the number of the line and the lines that belong to it.
struct Case<'a> {
    name: &'a str,
    steps: Vec<(usize, &'a str, String)>,
}

fn read(text: &str) -> Vec<Case<'_>> {
    let mut cases: Vec<Case> = Vec::new();
    let mut before = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let is_part = |line: &&str| line.is_empty() || line.starts_with("    ");
    for (n, &line) in lines.iter().enumerate() {
        if let Some(name) = line.strip_prefix("== ") {
            let steps = before.clone();
            cases.push(Case { name, steps });
        } else if !line.starts_with('#') && !is_part(&line) {
            let below = lines[n + 1..].iter().copied().take_while(is_part);
            let below: Vec<&str> = below
                .map(|line| line.get(4..).unwrap_or_default())
                .collect();
            let text = below.join("\n");
            let text = text.trim_end_matches('\n').to_owned();
            let steps = cases.last_mut().map_or(&mut before, |case| &mut case.steps);
            steps.push((n + 1, line, text));
        }
    }
    cases
}

/// The folder of a case, and the last command.
struct Stage {
    /// The present line, for errors.
    place: String,
    folder: Folder,
    /// Words, and what they stand for.
    words: Vec<(String, String)>,
    done: Option<Done>,
    /// `false` until the exit status has been looked at.
    is_judged: bool,
}

impl Stage {
    fn new(file: &str) -> Stage {
        let folder = Folder::new(file);
        let here = folder.path(".").display().to_string();
        let root = env!("CARGO_MANIFEST_DIR");
        let linesman = program("linesman").display().to_string();
        let words = [
            ("LINESMAN", &*linesman),
            ("SCRIPTED", SCRIPTED),
            ("UNSOUND", &format!("{MUTANT} arg=susan")),
            ("NIM", env!("CARGO_BIN_EXE_nim-engine")),
            ("DUEL", env!("CARGO_BIN_EXE_duel-engine")),
            ("SIXTH", env!("CARGO_BIN_EXE_linesman-nim")),
            ("VERSION", env!("CARGO_PKG_VERSION")),
            ("UCT", env!("CARGO_BIN_EXE_uct-engine")),
            ("SPEC", &format!("{root}/../spec")),
            ("FOLDER", here.trim_end_matches("/.")),
            ("\\e", "\u{1b}"),
        ];
        Stage {
            place: String::new(),
            folder,
            words: words
                .map(|(word, text)| (word.to_owned(), text.to_owned()))
                .into(),
            done: None,
            is_judged: true,
        }
    }

    fn full(&self, text: &str) -> String {
        let replace = |text: String, (word, other): &(String, String)| text.replace(word, other);
        self.words.iter().rev().fold(text.to_owned(), replace)
    }

    fn done(&self) -> &Done {
        self.done.as_ref().expect("a command before")
    }

    fn run(&mut self, line: &str) {
        self.done = Some(self.folder.shell(&self.full(line)).done());
        self.is_judged = false;
    }

    /// Checks the exit status of the last command, once.
    fn judge(&mut self, status: i32) {
        if let Some(done) = self.done.as_ref().filter(|_| !self.is_judged) {
            assert_eq!(done.status, Some(status), "{}: {done:#?}", self.place);
        }
        self.is_judged = true;
    }

    #[track_caller]
    fn check(&self, is_right: bool, shown: &dyn std::fmt::Debug) {
        assert!(is_right, "{}: {shown:#?}", self.place);
    }

    /// The line of errors, or the usage, which has all these texts.
    fn check_error(&self, texts: &str) {
        let said = &self.done().stderr;
        let has_all = texts
            .split(" | ")
            .all(|text| said.contains(&*self.full(text)));
        let is_short = said.lines().count() == 1 || said.contains("try '--help'");
        self.check(has_all && is_short, self.done());
    }

    /// The folder, in which a file must be. The output of the last command says why if it is not.
    fn with(&self, file: &str) -> &Folder {
        self.check(self.folder.has(file), &self.done);
        &self.folder
    }

    /// The content of `FILE: TEXT`, and the text.
    fn text_in(&self, rest: &str) -> (String, String) {
        let (file, text) = rest.split_once(": ").expect(rest);
        (self.with(file).read(file), self.full(text))
    }

    fn step(&mut self, line: &str, block: &str) {
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "let" => {
                let (word, text) = rest.split_once(' ').expect(line);
                self.words.push((word.to_owned(), text.to_owned()));
            }
            "$" => self.run(&format!("{rest}\n{block}")),
            "exit" => self.judge(rest.parse().expect(line)),
            "fails" => {
                let (status, rest) = rest.split_once(' ').expect(line);
                let (words, why) = rest.split_once(" => ").expect(line);
                self.run(&format!("LINESMAN {words}"));
                self.judge(status.parse().expect(line));
                self.check_error(why);
            }
            "file" => {
                let path = self.folder.path(rest);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                let end = if block.is_empty() { "" } else { "\n" };
                fs::write(path, self.full(block) + end).expect("a file");
            }
            "data" => {
                let (name, copy) = rest.split_once(' ').unwrap_or((rest, rest));
                self.folder.copy_data_as(name, copy);
            }
            "out" => {
                let text = self.full(rest);
                let is_said = self.done().stdout.iter().any(|line| line.contains(&text));
                self.check(is_said, self.done());
            }
            "no" => {
                let text = self.full(rest.strip_prefix("out ").expect(line));
                let is_said = self.done().stdout.iter().any(|line| line.contains(&text));
                self.check(!is_said, self.done());
            }
            "last" => {
                let is_last = self.done().stdout.last() == Some(&self.full(rest));
                self.check(is_last, self.done());
            }
            "lines" => {
                let (n, start) = rest.split_once(' ').expect(line);
                let found = self.done().lines(&self.full(start)).len();
                self.check(found.to_string() == n, self.done());
            }
            "err" => self.check(self.done().stderr.contains(&self.full(rest)), self.done()),
            "error" => self.check_error(rest),
            "silent" => self.check(self.done().stdout.is_empty(), self.done()),
            "quiet" => self.check(self.done().stderr.is_empty(), self.done()),
            "has" | "lacks" => {
                let (found, text) = self.text_in(rest);
                self.check(found.contains(&text) == (verb == "has"), &found);
            }
            "times" => {
                let (n, rest) = rest.split_once(' ').expect(line);
                let (found, text) = self.text_in(rest);
                self.check(found.matches(&text).count().to_string() == n, &found);
            }
            "is" => {
                let found = self.with(rest).read(rest);
                self.check(found.trim_end_matches('\n') == self.full(block), &found);
            }
            "same" => {
                let (one, other) = rest.split_once(' ').expect(line);
                let content = |file| self.with(file).read(file);
                self.check(content(one) == content(other), &rest);
            }
            "missing" => self.check(!self.folder.path(rest).exists(), &rest),
            "json" | "every" => {
                let (place, value) = rest.split_once(" = ").expect(line);
                let value = self.full(value);
                let expected = serde_json::from_str(&value).unwrap_or(Value::String(value));
                let (file, place) = place.split_once(' ').expect(line);
                let (plan, mut lines) = self.with(file).ledger(file);
                let pointer = match place.split_once(' ') {
                    Some((n, pointer)) => {
                        lines.insert(0, plan);
                        lines = vec![lines.swap_remove(n.parse().expect(line))];
                        pointer
                    }
                    None => {
                        lines.retain(|line| line.get("result").is_some());
                        place
                    }
                };
                self.check(!lines.is_empty(), &rest);
                for line in lines {
                    let found = line.pointer(pointer).unwrap_or(&Value::Null);
                    self.check(*found == expected, found);
                }
            }
            "games" => {
                let (file, n) = rest.split_once(' ').expect(line);
                let (_, mut lines) = self.with(file).ledger(file);
                lines.retain(|line| line.get("result").is_some());
                self.check(lines.len().to_string() == n, &lines);
            }
            _ => panic!("{}: no such step", self.place),
        }
    }
}

fn play(file: &str, case: &Case) {
    let mut stage = Stage::new(file);
    for (number, line, block) in &case.steps {
        if line.starts_with("$ ") || line.starts_with("fails ") {
            stage.judge(0);
        }
        stage.place = format!("{file}.txt, line {number}, {}: {line}", case.name);
        stage.step(line, block);
    }
    stage.judge(0);
}

/// Plays all cases of a file.
fn plays(file: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/cases");
    let text = fs::read_to_string(folder.join(format!("{file}.txt"))).expect(file);
    let cases = read(&text);
    assert!(!cases.is_empty(), "{file}: cases to play");
    in_parallel(&cases, |case| play(file, case));
}

/// One test for each file.
macro_rules! files {
    ($($file:ident),+) => {
        $(
            #[test]
            fn $file() {
                plays(stringify!($file));
            }
        )+

        /// No file is left out.
        #[test]
        fn all_files_are_played() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/cases");
            let files = fs::read_dir(folder).expect("a folder").flatten();
            let mut names: Vec<_> = files.map(|file| file.file_name()).collect();
            names.sort();
            let played = [$(concat!(stringify!($file), ".txt")),+];
            assert_eq!(names, played);
        }
    };
}

files!(
    any,
    check,
    console,
    endings,
    engines_file,
    gtp,
    lab,
    matches,
    numbers,
    openings,
    outputs,
    plans,
    programs,
    records,
    relay,
    rules,
    strangers,
    suites
);
