//! Joins the modules of the page into `page.js`, and its style sheets into `page.css`, so that a browser needs few
//! requests. `assets` embeds both.

use std::collections::BTreeMap;
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
    let mut bundle = Bundle {
        folder: &folder,
        text: String::new(),
        modules: BTreeMap::new(),
    };
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

/// The modules as one, each after those that it imports. Reads only imports of the form `import { a, b } from "./NAME.js";`
/// at the beginning of a line, so a name that two modules declare is an error in the browser.
struct Bundle<'a> {
    folder: &'a Path,
    text: String,
    /// The modules that were begun; `true` once all of a module is in the text.
    modules: BTreeMap<String, bool>,
}

impl Bundle<'_> {
    fn add(&mut self, name: &str) -> io::Result<()> {
        if let Some(is_whole) = self.modules.get(name) {
            assert!(is_whole, "{name} imports itself by way of other modules");
            return Ok(());
        }
        self.modules.insert(name.to_owned(), false);
        let mut body = String::new();
        for line in code_lines(&fs::read_to_string(self.folder.join(name))?) {
            if let Some(import) = line.strip_prefix("import ") {
                let module = import.split_once("} from \"./");
                let module = module.and_then(|(_, module)| module.strip_suffix("\";"));
                self.add(module.unwrap_or_else(|| panic!("{name}: unknown form: {line}")))?;
            } else {
                body += line;
                body += "\n";
            }
        }
        self.text += &body;
        self.modules.insert(name.to_owned(), true);
        Ok(())
    }

    /// Panics if a file of the folder is used by no other.
    fn assert_whole(&self) -> io::Result<()> {
        for entry in fs::read_dir(self.folder)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            let is_used = match name.rsplit_once('.') {
                Some((_, "js")) => name == EARLY || self.modules.contains_key(&name),
                Some((_, "css")) => STYLES.contains(&name.as_str()),
                _ => true,
            };
            assert!(is_used, "page/{name} is not used");
        }
        Ok(())
    }
}
