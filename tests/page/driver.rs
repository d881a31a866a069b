//! chromedriver: one process for all tests of the program.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;

static DRIVER: OnceLock<Option<Driver>> = OnceLock::new();

/// The address of chromedriver, which the first call starts; `None` if it or Chromium is not installed. Then each test
/// reports on standard output that it is skipped, by a direct write, which the test harness does not capture.
pub(crate) fn address() -> Option<&'static str> {
    let driver = DRIVER.get_or_init(|| is_installed().then(Driver::start));
    if driver.is_none() {
        let test = thread::current().name().unwrap_or_default().to_owned();
        let _ = writeln!(
            std::io::stdout(),
            "SKIPPED: {test}: there is no chromium with chromedriver here"
        );
    }
    driver.as_ref().map(|driver| driver.address.as_str())
}

fn is_installed() -> bool {
    let probe = Command::new("sh")
        .args(["-c", "command -v chromium && command -v chromedriver"])
        .output();
    probe.is_ok_and(|output| output.status.success())
}

struct Driver {
    address: String,
    /// Ends chromedriver when its standard input is closed, which also happens if the tests are killed.
    _guard: Child,
}

impl Driver {
    fn start() -> Driver {
        let script = "chromedriver --port=0 & read -r end; kill $!";
        let mut guard = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("a shell");
        let stdout = BufReader::new(guard.stdout.take().expect("piped"));
        let mut lines = stdout.lines().map_while(Result::ok);
        let port = lines
            .find_map(|line| {
                let port = line.split("successfully on port ").nth(1)?;
                Some(port.trim_end_matches('.').to_owned())
            })
            .expect("chromedriver says its port");
        thread::spawn(move || lines.for_each(drop));
        Driver {
            address: format!("http://127.0.0.1:{port}"),
            _guard: guard,
        }
    }
}
