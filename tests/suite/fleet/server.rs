//! A separate nats-server for each test.

use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use laws::needed::installed;

/// Timeout of every wait; the machine may be busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A JetStream server on a free port, with files that are deleted on drop.
pub(crate) struct Server {
    program: String,
    folder: TempDir,
    port: u16,
    config: String,
    process: Process,
}

/// A process that is killed on drop.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Server {
    /// Starts a server; `None` without nats-server, which is reported. The path of its folder makes additional configuration.
    pub(crate) fn start_with(
        test: &str,
        config: impl FnOnce(&std::path::Path) -> String,
    ) -> Option<Server> {
        let program = installed("nats-server")?;
        let folder = tempfile::Builder::new()
            .prefix(&format!("linesman-{test}-"))
            .tempdir();
        let folder = folder.expect("a folder for the server");
        let config = config(folder.path());
        let (process, port) = launch(&program, &folder, 0, &config);
        Some(Server {
            program,
            folder,
            port,
            config,
            process,
        })
    }

    /// Its process id.
    #[allow(dead_code, reason = "the benchmark measures it")]
    pub(crate) fn pid(&self) -> u32 {
        self.process.0.id()
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    pub(crate) fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    pub(crate) fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }

    /// Kills the server (SIGKILL) and starts a new one on the same port with the same files.
    pub(crate) fn restart(&mut self) {
        self.process.0.kill().expect("it runs");
        self.process.0.wait().expect("it was killed");
        (self.process, _) = launch(&self.program, &self.folder, self.port, &self.config);
    }

    /// Kills the server (SIGKILL) and starts a new one that has lost all files.
    pub(crate) fn restart_empty(&mut self) {
        self.process.0.kill().expect("it runs");
        self.process.0.wait().expect("it was killed");
        std::fs::remove_dir_all(self.folder.path().join("js")).expect("its files");
        (self.process, _) = launch(&self.program, &self.folder, self.port, &self.config);
    }
}

/// Starts a server, on a free port if `port` is 0. Returns when it accepts connections.
fn launch(program: &str, folder: &TempDir, port: u16, config: &str) -> (Process, u16) {
    let ports = folder.path().join("ports");
    let _ = std::fs::remove_dir_all(&ports);
    std::fs::create_dir_all(&ports).expect("a folder");
    let file = folder.path().join("server.conf");
    let text = format!("ports_file_dir: \"{}\"\n{config}", ports.display());
    std::fs::write(&file, text).expect("a file");
    let port_word = if port == 0 {
        "-1".to_owned()
    } else {
        port.to_string()
    };
    let store = folder.path().join("js");
    let child = Command::new(program)
        .args(["-js", "-a", "127.0.0.1", "-p", &port_word, "-sd"])
        .arg(&store)
        .arg("-c")
        .arg(&file)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let process = Process(child.expect("it starts"));
    let deadline = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < deadline, "nats-server does not start");
        let told = std::fs::read_dir(&ports)
            .expect("a folder")
            .flatten()
            .next();
        let text = told.and_then(|entry| std::fs::read_to_string(entry.path()).ok());
        if let Some(port) = text.as_deref().and_then(port_of)
            && TcpStream::connect(("127.0.0.1", port)).is_ok()
        {
            return (process, port);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The port in the server's ports file: `{"nats":["nats://127.0.0.1:1234"]}`.
fn port_of(text: &str) -> Option<u16> {
    let ports: serde_json::Value = serde_json::from_str(text).ok()?;
    let address = ports["nats"][0].as_str().or(ports["tls"][0].as_str())?;
    address.rsplit(':').next()?.parse().ok()
}
