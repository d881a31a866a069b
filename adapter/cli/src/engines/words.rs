//! Parsing of the words that describe an engine, `KEY=VALUE` or bare, into a checked [`EngineSpec`].

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use protocol::text::{excerpt, is_unsafe};
use record::clock::{Limit, LimitWord, SearchLimit};
use record::engine_spec::{EngineSpec, ProcessLimits, Program, Proto, Restart, SetOption};
use record::plan::MAX_WAIT_MS;
use referee::engine::MAX_NAME;

use crate::paths::absolute;
use crate::records::new_files::refuse_ledger;
use crate::usage::{Failure, OrFail, all_sound, refuse};

const EXPECTED: &str = "builtin, conf=, cmd=, arg=, dir=, name=, proto=, tc=, hourglass=, st=, depth=, nodes=, timemargin=, ponder, \
                        option.NAME=, restart=, memory=, startup-ms=, ping-ms=, search-timeout-ms= or stderr=";

/// The limit of an engine without one: a tenth of a second per move.
const DEFAULT_LIMIT: &str = "st=0.1";

/// In place of the words of a program: the program of the first engine (`--rules engine`).
pub(crate) const OF_FIRST_ENGINE: &str = "engine";

/// The words of one engine, each checked separately.
#[derive(Debug, Clone, Default)]
pub struct Words {
    is_builtin: bool,
    /// The name of an engine in the engines file, which supplies missing words.
    conf: Option<String>,
    cmd: Option<String>,
    args: Vec<String>,
    dir: Option<PathBuf>,
    name: Option<String>,
    proto: Option<Proto>,
    time: Option<Limit>,
    search: Option<SearchLimit>,
    margin_ms: Option<u64>,
    ponder: bool,
    options: Vec<(String, Option<String>)>,
    restart: Option<Restart>,
    process: ProcessLimits,
    stderr: Option<PathBuf>,
}

impl Words {
    /// The built-in engine with its defaults.
    pub(crate) fn builtin() -> Words {
        Words {
            is_builtin: true,
            ..Words::default()
        }
    }

    /// The clock of a person that these words describe.
    pub(crate) fn clock(&self) -> Limit {
        let limit = Limit::of_words(self.time, None);
        limit.ok().flatten().unwrap_or(Limit::Unlimited)
    }

    /// Selects the built-in engine if the words name no program.
    pub fn or_builtin(mut self) -> Words {
        self.is_builtin |= self.cmd.is_none();
        self
    }

    /// Reads the words after a flag without looking up the engine of `conf=`. An error names the flag and each wrong word.
    pub(crate) fn read_plain(flag: &str, words: &[String]) -> Result<Words, Failure> {
        let mut read = Words::default();
        all_sound(words.iter().map(|word| read.take(word).or_usage(flag)))?;
        if read.is_builtin && read.cmd.is_some() {
            return refuse!("{flag}: builtin and cmd= are two engines: leave out one");
        }
        Ok(read)
    }

    /// Adds a word; an error names it.
    pub(crate) fn take(&mut self, word: &str) -> Result<(), String> {
        match word.split_once('=') {
            None if word == "builtin" => self.is_builtin = true,
            None if word == "ponder" => self.ponder = true,
            None => self.add_button(word)?,
            Some((key, value)) => self.set_pair(word, key, value)?,
        }
        Ok(())
    }

    /// `true` if the words include a limit.
    pub(crate) fn has_limit(&self) -> bool {
        self.time.is_some() || self.search.is_some()
    }

    /// Checks that the limits among the words can be combined.
    pub(crate) fn check_limit(&self) -> Result<(), String> {
        Limit::of_words(self.time, self.search)
            .map(drop)
            .map_err(str::to_owned)
    }

    /// Adds a button option; any other bare word is unknown.
    fn add_button(&mut self, word: &str) -> Result<(), String> {
        let name = word.strip_prefix("option.").filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| unknown(word))?;
        self.options.push((name.to_owned(), None));
        Ok(())
    }

    fn set_pair(&mut self, word: &str, key: &str, value: &str) -> Result<(), String> {
        if let Some(name) = key.strip_prefix("option.").filter(|name| !name.is_empty()) {
            self.options.push((name.to_owned(), Some(value.to_owned())));
            return Ok(());
        }
        if let Some(limit) = LimitWord::parse(key, value) {
            let twice = |these: &str| format!("second limit {word}: give one of {these}");
            return match limit? {
                LimitWord::Time(time) => set(&mut self.time, time, &twice("tc, hourglass and st")),
                LimitWord::Search(search) => {
                    set(&mut self.search, search, &twice("depth and nodes"))
                }
            };
        }
        let known = [
            ("conf", self.conf.is_some()),
            ("cmd", self.cmd.is_some()),
            ("dir", self.dir.is_some()),
            ("name", self.name.is_some()),
            ("proto", self.proto.is_some()),
            ("timemargin", self.margin_ms.is_some()),
            ("restart", self.restart.is_some()),
            ("stderr", self.stderr.is_some()),
        ];
        if let Some((word, limit)) = self
            .process
            .by_word()
            .into_iter()
            .find(|(word, _)| *word == key)
        {
            let limits = if word == "memory" {
                1..=u64::from(u32::MAX)
            } else {
                1..=MAX_WAIT_MS
            };
            let number = value.parse().ok().filter(|number| limits.contains(number));
            let (least, most) = (limits.start(), limits.end());
            let why = || format!("{word}={value}: {word} is a whole number from {least} to {most}");
            return set(
                limit,
                number.ok_or_else(why)?,
                &format!("{word}= is given twice"),
            );
        }
        if known.contains(&(key, true)) {
            return Err(format!("{key}= is given twice: leave out one"));
        }
        match key {
            "conf" => self.conf = Some(non_empty(key, value, "the name of an engine")?),
            "cmd" if value == "builtin" => {
                let why = "expected builtin alone, or cmd=./builtin for a program of this name";
                return Err(format!("{word}: {why}"));
            }
            "cmd" => self.cmd = Some(non_empty(key, value, "a path")?),
            "arg" => self.args.push(value.to_owned()),
            "dir" => self.dir = Some(path(key, value)?),
            "name" => self.name = Some(parse_name(value)?),
            "proto" => self.proto = Some(parse_choice(key, value, "ugi, uci, uai, cecp or gtp")?),
            "timemargin" => self.margin_ms = Some(parse_margin(value)?),
            "restart" => self.restart = Some(parse_choice(key, value, "auto, on or off")?),
            "stderr" => self.stderr = Some(path(key, value)?),
            _ => return Err(unknown(word)),
        }
        Ok(())
    }

    /// The engine that these words describe; `each` supplies missing words.
    pub fn spec(self, flag: &str, each: &Words) -> Result<EngineSpec, Failure> {
        let own = self.over(each);
        let program = match (own.is_builtin, own.cmd) {
            (true, _) => Program::Builtin,
            (false, Some(cmd)) => Program::Command {
                path: find_program(&cmd, own.dir.as_deref()),
                args: own.args,
                dir: own.dir,
            },
            (false, None) => {
                return refuse!("{flag}: no engine is named: add builtin or cmd=PATH");
            }
        };
        if let Program::Command { dir: Some(dir), .. } = &program
            && !dir.is_dir()
        {
            let dir = dir.display();
            return refuse!("{flag}: dir={dir}: there is no such folder");
        }
        let limit = Limit::of_words(own.time, own.search).or_usage(flag)?;
        let limit = limit.unwrap_or_else(|| DEFAULT_LIMIT.parse().expect("the default is a limit"));
        if let Some(file) = &own.stderr {
            refuse_ledger("stderr=", file)?;
        }
        Ok(EngineSpec {
            name: own.name,
            program,
            proto: own.proto.unwrap_or_default(),
            limit,
            margin_ms: own.margin_ms.unwrap_or(limit.default_margin_ms()),
            ponder: own.ponder,
            options: own.options,
            restart: own.restart.unwrap_or_default(),
            process: own.process,
            stderr: own.stderr,
        })
    }

    /// The value of `timemargin=`.
    pub(crate) fn margin_ms(&self) -> Option<u64> {
        self.margin_ms
    }

    /// The name of the engine that `conf=` refers to.
    pub(crate) fn conf(&self) -> Option<&str> {
        self.conf.as_deref()
    }

    /// These words; `each` gives what they leave out.
    pub(crate) fn over(self, each: &Words) -> Words {
        let each = each.clone();
        let (is_builtin, cmd) = match self.is_builtin || self.cmd.is_some() {
            true => (self.is_builtin, self.cmd),
            false => (each.is_builtin, each.cmd),
        };
        let (time, search) = match (self.time, self.search) {
            (None, None) => (each.time, each.search),
            own => own,
        };
        Words {
            is_builtin,
            conf: None,
            cmd,
            args: Some(self.args)
                .filter(|args| !args.is_empty())
                .unwrap_or(each.args),
            dir: self.dir.or(each.dir),
            name: self.name.or(each.name),
            proto: self.proto.or(each.proto),
            time,
            search,
            margin_ms: self.margin_ms.or(each.margin_ms),
            ponder: self.ponder || each.ponder,
            options: merge_options(each.options, self.options),
            restart: self.restart.or(each.restart),
            process: self.process.or(each.process),
            stderr: self.stderr.or(each.stderr),
        }
    }
}

fn merge_options(each: Vec<SetOption>, own: Vec<SetOption>) -> Vec<SetOption> {
    let is_own = |name: &str| {
        own.iter()
            .any(|(known, _)| known.eq_ignore_ascii_case(name))
    };
    let mut merged: Vec<SetOption> = each.into_iter().filter(|(name, _)| !is_own(name)).collect();
    merged.extend(own);
    merged
}

fn set<T>(place: &mut Option<T>, value: T, twice: &str) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(twice.to_owned()),
    }
}

/// All keys and bare words.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    let words = EXPECTED.split(", ").flat_map(|word| word.split(" or "));
    words.map(|word| word.trim_end_matches('='))
}

fn unknown(word: &str) -> String {
    format!("unknown word {word:?}: expected {EXPECTED}")
}

fn non_empty(key: &str, value: &str, expected: &str) -> Result<String, String> {
    match value {
        "" => Err(format!("nothing after {key}=: add {expected}")),
        value => Ok(value.to_owned()),
    }
}

/// The absolute path of a file or folder.
fn path(key: &str, value: &str) -> Result<PathBuf, String> {
    non_empty(key, value, "a path").map(|path| absolute(path.as_ref()))
}

pub(crate) fn parse_name(value: &str) -> Result<String, String> {
    let fits = (1..=MAX_NAME).contains(&value.chars().count());
    let is_blank = value.trim().is_empty();
    if !fits || is_blank || value.contains(|c: char| c == '"' || is_unsafe(c)) {
        return Err(format!(
            "name=\"{}\": expected 1 to {MAX_NAME} characters without a quotation mark, not only blanks",
            excerpt(value)
        ));
    }
    Ok(value.to_owned())
}

fn parse_choice<T: FromStr>(key: &str, value: &str, expected: &str) -> Result<T, String> {
    let parsed = value.parse();
    parsed.map_err(|_| format!("{key}={value}: expected {expected}"))
}

fn parse_margin(value: &str) -> Result<u64, String> {
    let margin = value.parse().ok().filter(|margin| *margin <= 86_400_000);
    margin.ok_or_else(|| format!("timemargin={value}: expected milliseconds from 0 to 86400000"))
}

/// The path of a program: one with a slash is relative to the engine's working folder, or else to the current folder; a
/// bare name that is not a file in the current folder is left to the search in `PATH`.
fn find_program(cmd: &str, dir: Option<&Path>) -> PathBuf {
    let path = Path::new(cmd);
    let is_bare = path.components().count() == 1 && !cmd.contains('/');
    match dir {
        _ if is_bare && !path.is_file() => path.to_owned(),
        Some(dir) if !is_bare => absolute(&dir.join(path)),
        _ => absolute(path),
    }
}

/// Quotes a word for a shell, if necessary.
pub fn quote(word: String) -> String {
    let is_plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '.' | '=' | '-' | '_' | '/' | '+' | ',' | ':')
    };
    if !word.is_empty() && word.chars().all(is_plain) {
        return word;
    }
    shlex::try_quote(&word).map(Cow::into_owned).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Words, String> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        Words::read_plain("--engine", &words).map_err(|failure| match failure {
            Failure::Usage(text) => text,
            Failure::Several(texts) => texts.join("\n"),
            other => panic!("{other:?}"),
        })
    }

    #[test]
    fn own_words_win() {
        let each = "st=1 option.Hash=4 option.Seed=7 name=Z timemargin=5 memory=9 ping-ms=3";
        let each = read(each).unwrap();
        let own = read("builtin depth=3 option.hash=8 restart=on memory=8").unwrap();
        let spec = own.spec("--engine", &each).unwrap();
        assert_eq!(spec.limit.to_string(), "depth=3");
        assert_eq!(spec.margin_ms, 5);
        assert_eq!(spec.restart, Restart::On);
        assert_eq!(
            (spec.process.memory, spec.process.ping_ms),
            (Some(8), Some(3))
        );
        let option = |name: &str, value: &str| (name.to_owned(), Some(value.to_owned()));
        assert_eq!(spec.options, [option("Seed", "7"), option("hash", "8")]);
    }

    #[test]
    fn a_name_is_short_and_not_blank() {
        for name in ["", "  ", &"x".repeat(MAX_NAME + 1), "a\tb"] {
            let text = parse_name(name).expect_err(name);
            assert!(text.chars().count() < 200, "{text}");
        }
        assert_eq!(parse_name("a b").as_deref(), Ok("a b"));
    }

    #[test]
    fn bad_words_are_named() {
        for (line, named) in [
            ("foo=1", "foo=1"),
            ("susan", "susan"),
            ("cmd=", "cmd="),
            ("builtin cmd=x", "cmd="),
            ("cmd=builtin", "cmd=builtin"),
            ("st=1 tc=2", "tc=2"),
            ("tc=1 hourglass=2", "hourglass=2"),
            ("nodes=1 tc=2 depth=2", "depth=2"),
            ("proto=xboard", "proto=xboard"),
            ("name=a\"b", "name="),
            ("restart=maybe", "restart=maybe"),
            ("timemargin=-1", "timemargin=-1"),
            ("memory=0", "memory=0"),
            ("startup-ms=9999999999999", "startup-ms=9999999999999"),
            ("ping-ms=1 ping-ms=2", "ping-ms="),
            ("option.=1", "option.=1"),
            ("name=a name=b", "name="),
        ] {
            let text = read(line).expect_err(line);
            assert!(
                text.starts_with("--engine: ") && text.contains(named) && text.len() > 25,
                "{text}"
            );
        }
    }

    #[test]
    fn all_bad_words_are_named() {
        let text = read("cmd=a st=x foo name=b restart=maybe").expect_err("three mistakes");
        let named = ["st=x", "\"foo\"", "restart=maybe"];
        assert_eq!(text.lines().count(), named.len(), "{text}");
        for (line, word) in text.lines().zip(named) {
            assert!(line.contains(word), "{line}");
        }
    }

    #[test]
    fn limits_stand_together_where_they_can() {
        let limit = |own: &str, each: &str| {
            let each = read(each).expect("sound words");
            let own = read(&format!("builtin {own}")).expect("sound words");
            own.spec("--engine", &each)
                .map(|spec| spec.limit.to_string())
        };
        for (own, each, both) in [
            ("nodes=5 tc=1+1", "st=1", "tc=1+1 nodes=5"),
            ("tc=inf depth=5", "st=1", "depth=5"),
            // Its own limit replaces the whole limit for all engines.
            ("nodes=5", "tc=10", "nodes=5"),
            ("name=a", "tc=10 nodes=5", "tc=10 nodes=5"),
            ("name=a", "name=b", "st=0.1"),
        ] {
            assert_eq!(limit(own, each).expect("a limit"), both, "{own}, {each}");
        }
        for (own, why) in [
            ("st=1 nodes=5", "st= and depth="),
            (
                "tc=inf",
                "tc=inf does not limit the search: expected depth= or nodes=",
            ),
        ] {
            match limit(own, "timemargin=5") {
                Err(Failure::Usage(text)) => assert!(text.contains(why), "{text}"),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn an_engine_must_be_something() {
        assert!(
            read("st=1")
                .unwrap()
                .spec("--engine", &Words::default())
                .is_err()
        );
    }
}
