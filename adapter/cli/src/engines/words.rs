//! Parsing of the words that describe an engine, `KEY=VALUE` or bare, into a checked [`EngineSpec`].

use std::borrow::Cow;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use kit::session::TABLE_PATH;
use protocol::text::{excerpt, is_unsafe};
use record::clock::Limit;
use record::engine_spec::{EngineSpec, ProcessLimits, Program, Proto, Restart, SetOption};
use record::plan::MAX_WAIT_MS;
use referee::engine::MAX_NAME;

use crate::args::foreign::hint;
use crate::paths::{self, absolute};
use crate::records::files::refuse_ledger;
use crate::usage::{Done, OrFail, all_sound, refuse};

const EXPECTED: &str = "builtin, conf=, cmd=, arg=, dir=, name=, proto=, tc=, hourglass=, st=, depth=, nodes=, timemargin=, ponder, \
                        option.NAME=, restart=, memory=, startup-ms=, ping-ms=, search-timeout-ms= or stderr=";

const PROTOCOLS: &str = "ugi, uci, uai, cecp (XBoard's) or gtp";

/// The limit of an engine without one.
const DEFAULT_LIMIT: Limit = Limit::MoveTime(Duration::from_millis(100));

/// The limit of an engine without one that works for a person, who does not mind a late move: the margin is large.
pub(crate) const ONE_SECOND: Limit = Limit::MoveTime(Duration::from_secs(1));
pub(crate) const LARGE_MARGIN_MS: u64 = 10_000;

/// In place of the words of a program: the program of the first engine (`--rules engine`).
pub(crate) const OF_FIRST_ENGINE: &str = "engine";

/// The description of an engine in words, each of which may be absent.
#[derive(Debug, Clone, Default)]
pub struct Words {
    /// The engine of the engines file that has the absent words.
    pub(crate) conf: Option<String>,
    is_builtin: bool,
    cmd: Option<PathBuf>,
    args: Vec<String>,
    dir: Option<PathBuf>,
    pub(crate) name: Option<String>,
    proto: Option<Proto>,
    /// [`Limit::Unlimited`] for `tc=inf`.
    pub(crate) limit: Option<Limit>,
    pub(crate) margin_ms: Option<u64>,
    ponder: bool,
    options: Vec<SetOption>,
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

    /// No words but a limit and a time margin.
    pub(crate) fn limited(limit: Limit, margin_ms: Option<u64>) -> Words {
        Words {
            limit: Some(limit),
            margin_ms,
            ..Words::default()
        }
    }

    /// Selects the built-in engine if the words name no program.
    pub fn or_builtin(mut self) -> Words {
        self.is_builtin |= self.cmd.is_none();
        self
    }

    /// `true` if the words name a program.
    pub(crate) fn has_program(&self) -> bool {
        self.is_builtin || self.cmd.is_some()
    }

    /// Reads the words after a flag without looking up the engine of `conf=`. An error names the flag and each wrong word.
    pub(crate) fn read_plain(flag: &str, words: &[String]) -> Done<Words> {
        let mut read = Words::default();
        all_sound(words.iter().map(|word| read.take(word).or_usage(flag)))?;
        Ok(read)
    }

    /// Adds a word; an error names it.
    pub(crate) fn take(&mut self, word: &str) -> Result<(), String> {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let is_pair = word.len() > key.len();
        let option = key.strip_prefix("option.");
        if let Some(name) = option.filter(|name| !name.is_empty()) {
            let value = is_pair.then(|| value.to_owned());
            self.options.push((name.to_owned(), value));
            return Ok(());
        }
        if is_pair != !matches!(key, "builtin" | "ponder") {
            return Err(unknown(word));
        }
        if let Some(limit) = Limit::parse_word(key, value) {
            let limit = limit?;
            let both = self.limit.map_or(Ok(limit), |one| one.and(limit));
            self.limit = Some(both.map_err(|why| format!("{word}: {why}"))?);
            return Ok(());
        }
        let some = |what: &str| match value {
            "" => Err(format!("{word}: add {what}")),
            value => Ok(value.to_owned()),
        };
        let path = || some("a path").map(PathBuf::from);
        let number = |range: RangeInclusive<u64>| {
            let number = value.parse::<u64>().ok();
            let number = number.filter(|number| range.contains(number));
            let (least, most) = (range.start(), range.end());
            number.ok_or_else(|| format!("{word}: give a whole number from {least} to {most}"))
        };
        let mut is_new = true;
        match key {
            "builtin" => self.is_builtin = true,
            "ponder" => self.ponder = true,
            "arg" => self.args.push(value.to_owned()),
            "cmd" if value == "builtin" => {
                let why = "write builtin alone, or cmd=./builtin for a program of this name";
                return Err(format!("{word}: {why}"));
            }
            "cmd" => is_new = set(&mut self.cmd, path()?),
            "conf" => is_new = set(&mut self.conf, some("the name of an engine")?),
            "dir" => is_new = set(&mut self.dir, path()?),
            "stderr" => is_new = set(&mut self.stderr, path()?),
            "name" => is_new = set(&mut self.name, parse_name(value)?),
            "proto" => is_new = set(&mut self.proto, one_of(word, value, PROTOCOLS)?),
            "restart" => is_new = set(&mut self.restart, one_of(word, value, "auto, on or off")?),
            "timemargin" => is_new = set(&mut self.margin_ms, number(0..=86_400_000)?),
            "memory" => is_new = set(&mut self.process.memory, number(1..=u32::MAX.into())?),
            key => {
                let mut all = self.process.by_word().into_iter();
                let found = all.find(|(known, _)| *known == key);
                let (_, limit) = found.ok_or_else(|| unknown(word))?;
                is_new = set(limit, number(1..=MAX_WAIT_MS)?);
            }
        }
        if !is_new {
            return Err(format!("{key}= is given twice: leave out one"));
        }
        if self.is_builtin && self.cmd.is_some() {
            return Err("builtin and cmd= are two engines: leave out one".to_owned());
        }
        if self.is_builtin && (self.dir.is_some() || !self.args.is_empty()) {
            return Err("builtin takes no arg= and no dir=: they belong to cmd=PATH".to_owned());
        }
        Ok(())
    }

    /// The limit; an error if it does not end a search.
    pub(crate) fn limit(&self) -> Result<Option<Limit>, &'static str> {
        match self.limit {
            Some(Limit::Unlimited) => Err("tc=inf does not limit the search: add depth= or nodes="),
            limit => Ok(limit),
        }
    }

    /// The engine that these words describe; `each` supplies missing words.
    pub fn spec(self, flag: &str, each: &Words) -> Done<EngineSpec> {
        let own = self.over(each);
        let limit = own.limit().or_usage(flag)?.unwrap_or(DEFAULT_LIMIT);
        let dir = own.dir.as_deref().map(absolute);
        let program = match own.cmd {
            _ if own.is_builtin => Program::Builtin,
            Some(cmd) => Program::Command {
                path: find_program(&cmd, dir.as_deref()),
                args: own.args,
                dir,
            },
            None => return refuse!("{flag}: no engine is named: add builtin or cmd=PATH"),
        };
        if let Program::Command { dir: Some(dir), .. } = &program
            && !dir.is_dir()
        {
            return refuse!("{flag}: dir={}: there is no such folder", dir.display());
        }
        let stderr = own.stderr.as_deref().map(absolute);
        if let Some(file) = &stderr {
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
            stderr,
        })
    }

    /// These words; `each` gives what they leave out. A program, a limit, the list of arguments and an option are each
    /// replaced as a whole.
    pub(crate) fn over(mut self, each: &Words) -> Words {
        let own = &self.options;
        let is_own = |name: &str| {
            own.iter()
                .any(|(known, _)| known.eq_ignore_ascii_case(name))
        };
        let missing = each.options.iter().filter(|(name, _)| !is_own(name));
        let mut options: Vec<SetOption> = missing.cloned().collect();
        options.append(&mut self.options);
        let has_program = self.has_program();
        let each = each.clone();
        Words {
            conf: None,
            is_builtin: self.is_builtin || !has_program && each.is_builtin,
            cmd: self.cmd.or(each.cmd.filter(|_| !has_program)),
            args: if self.args.is_empty() {
                each.args
            } else {
                self.args
            },
            dir: self.dir.or(each.dir),
            name: self.name.or(each.name),
            proto: self.proto.or(each.proto),
            limit: self.limit.or(each.limit),
            margin_ms: self.margin_ms.or(each.margin_ms),
            ponder: self.ponder || each.ponder,
            options,
            restart: self.restart.or(each.restart),
            process: self.process.or(each.process),
            stderr: self.stderr.or(each.stderr),
        }
    }
}

fn one_of<T: FromStr>(word: &str, value: &str, known: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("{word}: choose {known}"))
}

/// Sets what is absent; `false` if it was given before.
fn set<T>(known: &mut Option<T>, value: T) -> bool {
    known.replace(value).is_none()
}

/// All keys and bare words.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> {
    let words = EXPECTED.split(", ").flat_map(|word| word.split(" or "));
    words.map(|word| word.trim_end_matches('='))
}

fn unknown(word: &str) -> String {
    let key = word.split('=').next().unwrap_or_default();
    match hint(key).filter(|_| !keys().any(|known| known == key)) {
        Some(ours) => format!("unknown word {word:?}: Linesman has {ours}"),
        None if key.contains('/') => format!("unknown word {word:?}: write cmd={word}"),
        None => format!("unknown word {word:?}: the words are {EXPECTED}"),
    }
}

pub(crate) fn parse_name(value: &str) -> Result<String, String> {
    let fits = (1..=MAX_NAME).contains(&value.chars().count());
    let is_blank = value.trim().is_empty();
    if !fits || is_blank || value.contains(|c: char| c == '"' || is_unsafe(c)) {
        return Err(format!(
            "name=\"{}\": a name has 1 to {MAX_NAME} characters, not only blanks, and no quotation mark",
            excerpt(value)
        ));
    }
    Ok(value.to_owned())
}

/// The path of a program: one with a slash is relative to the engine's working folder, or else to the current folder; a
/// bare name that is not a file in the current folder is left to the search in `PATH`.
pub(crate) fn find_program(path: &Path, dir: Option<&Path>) -> PathBuf {
    let is_bare = path.components().count() == 1 && !path.to_string_lossy().contains('/');
    match dir {
        _ if is_bare && !path.is_file() => path.to_owned(),
        Some(dir) if !is_bare => absolute(&dir.join(path)),
        _ => absolute(path),
    }
}

/// Points the built-in engine to the folder of `linesman-lab table build`, if that exists and `TablePath` is not set.
pub(crate) fn use_tables(spec: &mut EngineSpec) {
    let is_set = |(name, _): &(String, _)| name.eq_ignore_ascii_case(TABLE_PATH);
    if spec.program != Program::Builtin || spec.options.iter().any(is_set) {
        return;
    }
    let folder = paths::tables().ok().filter(|folder| folder.is_dir());
    if let Some(folder) = folder.as_deref().and_then(Path::to_str) {
        let option = (TABLE_PATH.to_owned(), Some(folder.to_owned()));
        spec.options.push(option);
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
    use crate::usage::Failure;

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
            ("st=1 nodes=5", "nodes=5"),
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
            ("option.", "option."),
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
        match limit("tc=inf", "timemargin=5") {
            Err(Failure::Usage(text)) => assert!(text.contains("add depth= or nodes="), "{text}"),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_engine_must_be_something() {
        let engine = read("st=1").unwrap().spec("--engine", &Words::default());
        assert!(engine.is_err());
    }
}
