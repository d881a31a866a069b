//! `linesman engines`: lists the engines of the engines file and starts each once.

use std::process::ExitCode;

use itertools::Itertools;
use record::engine_spec::OwnProgram;
use record::registry::Registry;
use referee::engine::{self, Engine, EngineConfig, Facts, Fault};
use serde_json::{Value, json};

use crate::args::EnginesArgs;
use crate::config::{Described, EnginesFile};
use crate::engines::words::Words;
use crate::game_name::parse_entry;
use crate::output::{one_line, print, say};
use crate::platform::stop_at_once;
use crate::program::linesman;
use crate::records::trust;
use crate::usage::{Done, INTERRUPTED};

/// Lists the engines and checks each. Returns the exit status: 1 if an engine does not start.
pub(crate) fn run(args: &EnginesArgs, registry: Registry) -> Done<ExitCode> {
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
        say(&format!("{}: {} engines", path.display(), all.len()))?;
    }
    let mut status = ExitCode::SUCCESS;
    for described in &all {
        let spec = described
            .words
            .clone()
            .spec(&described.name, &Words::default())?;
        let mut config = EngineConfig::alone(&spec, own, args.timeouts.into());
        config.stop = stop.clone();
        let mut engine = Engine::new(config);
        let begun = engine::start(&mut engine).and_then(|()| engine::begin(&mut engine));
        if begun.is_err() {
            status = ExitCode::FAILURE;
        }
        let command = trust::command(&spec).unwrap_or_else(|| "builtin".to_owned());
        let facts = &engine.facts;
        let shown = match args.json {
            true => json(described, &command, &begun, facts).to_string(),
            false => text(described, &command, &begun, facts),
        };
        engine::quit(&mut engine);
        if stop.is_asked() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        print(&shown, args.json)?;
    }
    Ok(status)
}

fn text(described: &Described, command: &str, begun: &Result<(), Fault>, facts: &Facts) -> String {
    let name = one_line(&described.name);
    let verdict = match (begun, &facts.id_name) {
        (Err(fault), _) => format!("FAIL  {name}: {}", one_line(&fault.to_string())),
        (Ok(()), Some(id)) => format!("ok    {name}: {}", one_line(id)),
        (Ok(()), None) => format!("ok    {name}: sends no name"),
    };
    let mut text = format!("{verdict}\n      {}", one_line(command));
    if !facts.declared.is_empty() {
        let names = facts.declared.iter().map(|decl| &decl.name).join(", ");
        text += &format!("\n      options: {}", one_line(&names));
    }
    text
}

fn json(described: &Described, command: &str, begun: &Result<(), Fault>, facts: &Facts) -> Value {
    let options = facts.declared.iter();
    let options = options.map(|decl| json!({"name": decl.name, "declared": decl.to_string()}));
    json!({
        "name": described.name,
        "line": described.line,
        "command": command,
        "ok": begun.is_ok(),
        "error": begun.as_ref().err().map(ToString::to_string),
        "id_name": facts.id_name,
        "options": options.collect::<Vec<_>>(),
    })
}
