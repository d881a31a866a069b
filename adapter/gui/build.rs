//! Joins the modules of the page into `page.js`, and its style sheets into `page.css`, so that a browser needs few
//! requests. `assets` embeds both.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The module that starts the page.
const MAIN: &str = "main.js";

/// A script that runs before the page is drawn; not a module.
const EARLY: &str = "theme.js";

/// The style sheets in the order in which they apply.
const STYLES: [&str; 8] = [
    "theme.css",
    "layout.css",
    "controls.css",
    "board.css",
    "game.css",
    "exercise.css",
    "lobby.css",
    "watch.css",
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=page");
    let variable = |name| PathBuf::from(env::var(name).expect("cargo sets it"));
    let (folder, out) = (
        variable("CARGO_MANIFEST_DIR").join("page"),
        variable("OUT_DIR"),
    );
    let mut styles = String::new();
    for style in STYLES {
        styles += &code_lines(&fs::read_to_string(folder.join(style))?).join("\n");
        styles += "\n";
    }
    let mut bundle = Bundle::new(&folder);
    bundle.add(MAIN)?;
    bundle.assert_whole()?;
    fs::write(out.join("page.css"), styles)?;
    fs::write(out.join("page.js"), bundle.text)
}

/// The lines of a file without the comments that begin a line and without indentation: no file has a text of several lines.
fn code_lines(text: &str) -> Vec<&str> {
    let mut is_comment = false;
    let is_code = |line: &&str| {
        let begins = line.starts_with("/*");
        if !is_comment && !begins {
            return !line.is_empty() && !line.starts_with("//");
        }
        is_comment = !line.ends_with("*/");
        false
    };
    text.lines().map(str::trim_start).filter(is_code).collect()
}

/// Modules as functions that return their exports, each after those that it imports. Reads only the forms
/// `import { a, b as c } from "./NAME.js";` and `export` before `const`, `class`, `function` and `async function`,
/// each at the beginning of a line.
struct Bundle<'a> {
    folder: &'a Path,
    text: String,
    /// Modules that are in the text, or whose imports are being added.
    begun: BTreeSet<String>,
}

impl<'a> Bundle<'a> {
    fn new(folder: &'a Path) -> Bundle<'a> {
        Bundle {
            folder,
            text: "export const modules = {};\n".to_owned(),
            begun: BTreeSet::new(),
        }
    }

    fn add(&mut self, name: &str) -> io::Result<()> {
        if !self.begun.insert(name.to_owned()) {
            let is_there = self.text.contains(&format!("\nmodules[{name:?}] ="));
            assert!(is_there, "{name} imports itself by way of other modules");
            return Ok(());
        }
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in code_lines(&fs::read_to_string(self.folder.join(name))?) {
            if line.starts_with("import ") {
                let parts = line
                    .strip_prefix("import {")
                    .and_then(|line| line.strip_suffix("\";"));
                let parts = parts.and_then(|line| line.split_once("} from \"./"));
                let (names, module) =
                    parts.unwrap_or_else(|| panic!("{name}: unknown form: {line}"));
                self.add(module)?;
                let names = names.replace(" as ", ": ");
                writeln!(body, "const {{{names}}} = modules[{module:?}];").expect("memory");
            } else if let Some(declared) = line.strip_prefix("export ") {
                let plain = declared.trim_start_matches("async ");
                let kinds = ["const ", "class ", "function "];
                let rest = kinds.iter().find_map(|kind| plain.strip_prefix(kind));
                let rest = rest.unwrap_or_else(|| panic!("{name}: unknown form: {line}"));
                let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
                exports.push(rest[..end.unwrap_or(rest.len())].to_owned());
                body += declared;
                body += "\n";
            } else {
                body += line;
                body += "\n";
            }
        }
        let exports = exports.join(", ");
        write!(
            self.text,
            "\nmodules[{name:?}] = (() => {{\n{body}return {{ {exports} }};\n}})();\n"
        )
        .expect("memory");
        Ok(())
    }

    /// Panics if a file of the folder is used by no other.
    fn assert_whole(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let is_used = match name.rsplit_once('.') {
                Some((_, "js")) => name == EARLY || self.begun.contains(&name),
                Some((_, "css")) => STYLES.contains(&name.as_str()),
                _ => true,
            };
            assert!(is_used, "page/{name} is not used");
        }
        Ok(())
    }
}
