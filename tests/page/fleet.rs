//! The page of a match that workers on other machines play. Also needs Debian's package nats-server.

use std::process::{Child, Command, Stdio};

use crate::browser::{Browser, Device};
use crate::nats_server::Server as NatsServer;
use crate::server::Server;
use crate::stops::Stops;

/// A worker process that is killed on drop.
struct Worker(Child);

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Worker {
    fn start(nats: &NatsServer, more: &[&str]) -> Worker {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linesman-test"));
        command
            .args(["worker", &nats.url(), "--concurrency", "1", "--quiet"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Worker(command.spawn().expect("linesman starts"))
    }

    /// The table row of this worker, whose name contains its process id.
    fn row(&self) -> String {
        format!(
            "document.querySelector('[data-worker*=\"-{}-\"]')",
            self.0.id()
        )
    }
}

#[test]
fn a_page_shows_the_workers_of_a_match() {
    watch("wide", Device::Desktop(1280, 900));
}

#[test]
fn a_phone_shows_the_workers_of_a_match() {
    full_only!();
    watch("narrow", Device::Phone);
}

fn watch(width: &str, device: Device) {
    let browser = or_skip!(Browser::start(device));
    let nats = or_skip!(NatsServer::start("page-fleet"));
    let engine = env!("CARGO_BIN_EXE_scripted-engine");
    let folder = tempfile::Builder::new()
        .prefix("linesman-engines-")
        .tempdir();
    let folder = folder.expect("a folder for the test");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_string_lossy().into_owned()
    };
    let known = file(
        "known.toml",
        &format!("[[engine]]\nname = \"B\"\ncmd = \"{engine}\"\n"),
    );
    let unknown = file("unknown.toml", "");
    let words = format!(
        "susan --engine builtin name=A --engine cmd={engine} name=B --each nodes=2000 --games 4000 --lost-after 3 --fleet {}",
        nats.url()
    );
    let mut server = Server::of_match(&words.split(' ').collect::<Vec<_>>());
    browser.open(&server.address);
    let summary = "document.querySelector('.workers p').textContent";
    browser.until(&format!("{summary}.startsWith('No worker yet.')"));
    let [first, second] = [(); 2].map(|()| Worker::start(&nats, &["--engines", &known]));
    // This worker does not have the engine.
    let refused = Worker::start(&nats, &["--engines", &unknown]);
    for worker in [&first, &second] {
        // Pairs and pairs an hour.
        browser.until(&format!(
            "{0} && Number({0}.cells[2].textContent) > 0 && Number({0}.cells[3].textContent) > 0",
            worker.row()
        ));
    }
    browser.until(&format!(
        "{summary}.startsWith('2 workers, 2 games at once, ')"
    ));
    let row = refused.row();
    browser.until(&format!(
        "{row}?.textContent.includes('refused: engine B: not in ')"
    ));
    // Kills a worker.
    let row = second.row();
    drop(second);
    browser.until(&format!("{row}.textContent.includes('lost ')"));
    browser.until(&format!(
        "{summary}.startsWith('1 worker, 1 game at once, ')"
    ));
    let width_of_names = browser.run("return document.querySelector('.workers th').clientWidth");
    assert!(width_of_names.as_f64() >= Some(80.0), "{width_of_names}");
    let mut stops = Stops::new(&browser, width);
    stops.look("fleet");
    server.interrupt();
    browser.until("document.querySelector('#match [role=status]').textContent.startsWith('The match was interrupted.')");
    let is_shown = browser.run("return document.querySelector('.workers').checkVisibility()");
    assert_eq!(is_shown, false, "nobody plays any more");
    stops.assert_clean();
}
