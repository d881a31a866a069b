//! chromedriver: one process for all tests of the program.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;

use laws::needed::installed;
use parking_lot::{Condvar, Mutex};

/// Maximum number of tests that have a browser at a time. More would start more browsers, and a start takes longer than
/// most tests.
const MAX_TESTS: usize = 3;

/// Number of tests that have a browser.
static N_TESTS: Mutex<usize> = Mutex::new(0);
static TEST_ENDED: Condvar = Condvar::new();

thread_local! {
    /// The place of this thread's test.
    static PLACE: Place = Place::wait();
}

/// A test that may have browsers, until its thread ends.
struct Place;

impl Place {
    fn wait() -> Place {
        let mut n_tests = N_TESTS.lock();
        TEST_ENDED.wait_while(&mut n_tests, |n_tests| *n_tests >= MAX_TESTS);
        *n_tests += 1;
        Place
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        *N_TESTS.lock() -= 1;
        TEST_ENDED.notify_one();
    }
}

static DRIVER: OnceLock<Driver> = OnceLock::new();

/// chromedriver, which the first call starts; `None` if it or Chromium is not installed and the test is skipped.
pub(crate) fn driver() -> Option<&'static Driver> {
    installed("chromium")?;
    installed("chromedriver")?;
    PLACE.with(|_| ());
    Some(DRIVER.get_or_init(Driver::start))
}

/// A running chromedriver.
pub(crate) struct Driver {
    address: String,
    profiles: PathBuf,
    /// Ends chromedriver and deletes the profiles when its standard input is closed, which also happens if the tests are
    /// killed.
    _guard: Child,
}

impl Driver {
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// The folder of the browsers' profiles.
    pub(crate) fn profiles(&self) -> &Path {
        &self.profiles
    }

    fn start() -> Driver {
        let profiles = tempfile::Builder::new()
            .prefix("linesman-chromium-")
            .tempdir();
        let profiles = profiles.expect("a folder for the profiles").keep();
        // Chromium may still write to its profile when its driver has ended.
        let script = r#"chromedriver --port=0 & read -r end; kill $!; wait
            for i in 1 2 3 4 5; do rm -rf "$0" && break; sleep 0.2; done"#;
        let mut guard = Command::new("sh")
            .args(["-c", script])
            .arg(&profiles)
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
            profiles,
            _guard: guard,
        }
    }
}
