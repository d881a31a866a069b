//! `linesman engines`: lists the engines of the engines file and starts each once.

use std::process::ExitCode;

use protocol::OptionDecl;
use record::engine_spec::{EngineSpec, OwnProgram};
use record::registry::Registry;
use referee::engine::{self, Engine, EngineConfig, Fault};
use serde_json::{Value, json};

use crate::args::EnginesArgs;
use crate::config::{Described, EnginesFile};
use crate::engines::words::Words;
use crate::game_name::parse_entry;
use crate::output::{one_line, print};
use crate::platform::stop_at_once;
use crate::program::linesman;
use crate::records::trust;
use crate::usage::{Failure, INTERRUPTED};

/// Lists the engines and checks each. Returns the exit status: 1 if an engine does not start.
pub(crate) fn run(args: &EnginesArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let game = match &args.game {
        Some(text) => parse_entry(text, registry)?.name,
        None => registry.games().first().map_or("", |entry| entry.name),
    };
    let file = EnginesFile::new(args.engines.as_deref());
    let path = file.path()?;
    let all = file.all()?;
    let stop = stop_at_once()?;
    let executable = linesman()?;
    let own = OwnProgram::new(&executable, game, registry);
    if !args.json {
        let (path, n_engines) = (path.display(), all.len());
        print(&format!("{path}: {n_engines} engines"), false)?;
    }
    let mut status = ExitCode::SUCCESS;
    for described in all {
        let words = file.words(&described.name, &described.words)?;
        let spec = words.spec(&described.name, &Words::default())?;
        let mut config = EngineConfig::alone(&spec, own, args.timeouts.into());
        config.stop = stop.clone();
        let checked = Checked::new(config);
        if stop.is_asked() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        if checked.outcome.is_err() {
            status = ExitCode::FAILURE;
        }
        let shown = match args.json {
            true => checked.json(described, &spec).to_string(),
            false => checked.text(described, &spec),
        };
        print(&shown, args.json)?;
    }
    Ok(status)
}

/// The result of starting one engine.
struct Checked {
    outcome: Result<(), Fault>,
    id_name: Option<String>,
    declared: Vec<OptionDecl>,
}

impl Checked {
    /// Starts an engine, performs the handshake, sets its options, waits until it is ready, and sends `quit`.
    fn new(config: EngineConfig) -> Checked {
        let mut player = Engine::new(config);
        let outcome = engine::start(&mut player);
        let outcome = outcome.and_then(|()| engine::begin(&mut player));
        let checked = Checked {
            outcome,
            id_name: player.facts().id_name.clone(),
            declared: player.facts().declared.clone(),
        };
        engine::quit(&mut player);
        checked
    }

    fn text(&self, described: &Described, spec: &EngineSpec) -> String {
        let name = one_line(&described.name).into_owned();
        let command = command(spec);
        let verdict = match (&self.outcome, &self.id_name) {
            (Err(fault), _) => format!("FAIL  {name}: {}", one_line(&fault.to_string())),
            (Ok(()), Some(id)) => format!("ok    {name}: {}", one_line(id)),
            (Ok(()), None) => format!("ok    {name}: sends no name"),
        };
        let mut text = format!("{verdict}\n      {}", one_line(&command));
        let declared = self.declared.iter();
        let names: Vec<&str> = declared.map(|decl| decl.name.as_str()).collect();
        if !names.is_empty() {
            text += &format!("\n      options: {}", one_line(&names.join(", ")));
        }
        text
    }

    fn json(&self, described: &Described, spec: &EngineSpec) -> Value {
        let options = self
            .declared
            .iter()
            .map(|decl| json!({"name": decl.name, "declared": decl.to_string()}));
        json!({
            "name": described.name,
            "line": described.line,
            "command": command(spec),
            "ok": self.outcome.is_ok(),
            "error": self.outcome.as_ref().err().map(ToString::to_string),
            "id_name": self.id_name,
            "options": options.collect::<Vec<_>>(),
        })
    }
}

fn command(spec: &EngineSpec) -> String {
    trust::command(spec).unwrap_or_else(|| "builtin".to_owned())
}
