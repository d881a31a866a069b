//! A tab of Chromium for a test; all calls block.
//!
//! Chromium takes longer to start than most tests take, so a test that passes leaves it to the next one of the same device.

use std::fmt::Write as _;
use std::future::Future;
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use fantoccini::actions::{
    Actions, InputSource, MOUSE_BUTTON_LEFT, MouseActions, PointerAction, TouchActions,
};
use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::wd::{Capabilities, WindowHandle};
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::runtime::{Builder, Runtime};

use crate::driver::{self, Driver};

/// Timeout of anything that a page does; nothing takes nearly as long.
const TIME_LIMIT: Duration = Duration::from_secs(60);

/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The middle of an element.
pub(crate) const MIDDLE: [f64; 2] = [0.0, 0.0];

/// The names that scripts of tests use for an element, and for all elements, of a selector.
const SHORT: &str = "const $ = (selector) => document.querySelector(selector);
const $$ = (selector) => [...document.querySelectorAll(selector)];
";

/// Runs in the page: evaluates an expression repeatedly until it is true.
const WAIT: &str = r#"
const done = arguments[arguments.length - 1];
const end = Date.now() + LIMIT;
(function look() {
  let value, error;
  try { value = (EXPRESSION); } catch (thrown) { error = String(thrown); }
  if (value) done({ value });
  else if (Date.now() > end) done({ error: error ?? `it is ${JSON.stringify(value)}` });
  else setTimeout(look, 5);
})();
"#;

/// Number of requests of the page, and of bytes that they transferred, with the server's messages.
pub(crate) const TRANSFERRED: &str = "
const files = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')];
const bytes = files.reduce((sum, { transferSize }) => sum + transferSize, 0);
return [files.length + 1, bytes + linesman.socket.received];";

/// The kind of device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Device {
    /// A window of this width and height, with a mouse.
    Desktop(u32, u32),
    /// A screen of 360 by 780 with touch.
    Phone,
    /// A window of 1280 by 900 with a device scale factor of 2.
    Zoomed,
    /// The narrowest screen that the page is made for: 320 by 640 with touch.
    Narrow,
}

/// Running instances of Chromium without a test, with the newest last.
static IDLE: Mutex<Vec<Instance>> = Mutex::new(Vec::new());

/// Maximum number of instances without a test; each takes some 200 MB.
const MAX_IDLE: usize = 4;

/// A running Chromium with an own profile.
struct Instance {
    device: Device,
    /// Runs the client's connection to chromedriver.
    runtime: Runtime,
    client: Client,
}

impl Instance {
    /// # Panics
    /// If Chromium does not start.
    fn start(device: Device, driver: &Driver) -> Instance {
        let profile = tempfile::Builder::new().tempdir_in(driver.profiles());
        let profile = profile.expect("a folder for the profile").keep();
        let runtime = Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(capabilities(device, &profile));
        let client = runtime
            .block_on(builder.connect(driver.address()))
            .expect("Chromium starts");
        Instance {
            device,
            runtime,
            client,
        }
    }

    /// Replaces all tabs by a new one, which has neither a history nor a pointer. Stored data belongs to the address of a
    /// test's server, so the next test does not see it.
    fn reset(&self) -> Result<(), CmdError> {
        let client = &self.client;
        self.runtime.block_on(async {
            let old = client.windows().await?;
            let new = client.new_window(true).await?.handle;
            for window in old {
                client.switch_to_window(window).await?;
                client.close_window().await?;
            }
            client.switch_to_window(new).await
        })
    }

    fn close(self) {
        // It may have crashed.
        let _ = self.runtime.block_on(self.client.close());
    }
}

/// A tab of a running Chromium.
pub(crate) struct Browser {
    /// `None` after it was closed.
    instance: Option<Instance>,
}

impl Browser {
    /// Opens a tab; `None` if Chromium is not installed, and then the test is reported as skipped.
    pub(crate) fn start(device: Device) -> Option<Browser> {
        let driver = driver::driver()?;
        let mut idle = IDLE.lock();
        let found = idle.iter().rposition(|instance| instance.device == device);
        let instance = found.map(|found| idle.remove(found));
        drop(idle);
        let instance = instance.unwrap_or_else(|| Instance::start(device, driver));
        Some(Browser {
            instance: Some(instance),
        })
    }

    fn instance(&self) -> &Instance {
        self.instance.as_ref().expect("it is not closed yet")
    }

    fn client(&self) -> &Client {
        &self.instance().client
    }

    #[track_caller]
    fn wait<T>(&self, what: &str, future: impl Future<Output = Result<T, CmdError>>) -> T {
        match self.instance().runtime.block_on(future) {
            Ok(value) => value,
            Err(error) => panic!("{what}: {error}"),
        }
    }

    #[track_caller]
    pub(crate) fn open(&self, address: &str) {
        self.wait(address, self.client().goto(address));
    }

    pub(crate) fn reload(&self) {
        self.wait("reload", self.client().refresh());
    }

    /// Runs statements in the page and returns their result.
    #[track_caller]
    pub(crate) fn run(&self, script: &str) -> Value {
        let whole = format!("{SHORT}{script}");
        self.wait(script, self.client().execute(&whole, Vec::new()))
    }

    /// The value of an expression in the page.
    #[track_caller]
    pub(crate) fn value(&self, expression: &str) -> Value {
        self.run(&format!("return {expression}"))
    }

    /// The number that an expression in the page has.
    #[track_caller]
    pub(crate) fn number(&self, expression: &str) -> f64 {
        let value = self.value(expression);
        let number = value.as_f64();
        number.unwrap_or_else(|| panic!("{expression}: {value}"))
    }

    /// Waits until an expression in the page is a text, which is not empty.
    #[track_caller]
    pub(crate) fn string(&self, expression: &str) -> String {
        let value = self.until(expression);
        let text = value.as_str();
        text.unwrap_or_else(|| panic!("{expression}: {value}"))
            .to_owned()
    }

    /// Waits until this many elements match the selector.
    #[track_caller]
    pub(crate) fn wait_for_count(&self, selector: &str, n: usize) {
        let found = format!("$$({}).length", json!(selector));
        self.until(&format!("{found} === {n}"));
    }

    /// Closes all dialogs.
    pub(crate) fn close_dialogs(&self) {
        self.run("$$('dialog').forEach((dialog) => dialog.close())");
    }

    /// Sends a command of the Chrome DevTools Protocol.
    #[track_caller]
    pub(crate) fn cdp(&self, command: &str, parameters: &Value) {
        let session = self.instance().runtime.block_on(self.client().session_id());
        let session = session.ok().flatten().expect("a session");
        let driver = driver::driver()
            .expect("it runs")
            .address()
            .replace("http://", "");
        let body = json!({ "cmd": command, "params": parameters }).to_string();
        let mut stream = TcpStream::connect(&driver).expect("chromedriver answers");
        write!(
            stream,
            "POST /session/{session}/goog/cdp/execute HTTP/1.1\r\nHost: {driver}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .expect("the request is sent");
        let mut status = String::new();
        BufReader::new(stream)
            .read_line(&mut status)
            .expect("an answer");
        assert!(status.starts_with("HTTP/1.1 200"), "{command}: {status}");
    }

    /// Waits until an expression in the page is truthy and returns its value.
    #[track_caller]
    pub(crate) fn until(&self, expression: &str) -> Value {
        let script = WAIT
            .replace("LIMIT", &TIME_LIMIT.as_millis().to_string())
            .replace("EXPRESSION", expression);
        self.answer(expression, &script)
    }

    /// Waits for a promise in the page and returns its value.
    #[track_caller]
    pub(crate) fn promise(&self, expression: &str) -> Value {
        let script = format!(
            "const done = arguments[arguments.length - 1];\
             Promise.resolve({expression}).then(value => done({{ value }}), error => done({{ error: String(error) }}));"
        );
        self.answer(expression, &script)
    }

    /// Runs a script that calls back with its value or its error.
    #[track_caller]
    fn answer(&self, what: &str, script: &str) -> Value {
        let whole = format!("{SHORT}{script}");
        let mut answer = self.wait(what, self.client().execute_async(&whole, Vec::new()));
        if let Some(error) = answer.get("error") {
            panic!("{what}: {error}");
        }
        answer["value"].take()
    }

    /// Waits until the first element that matches the selector has text, and returns it.
    #[track_caller]
    pub(crate) fn text(&self, selector: &str) -> String {
        self.string(&format!("$({})?.textContent.trim()", json!(selector)))
    }

    /// Applies an action to an element, repeatedly until it exists and is interactable: the page may redraw it
    /// meanwhile.
    #[track_caller]
    fn with<T, F: Future<Output = Result<T, CmdError>>>(
        &self,
        selector: &str,
        act: impl Fn(Element) -> F,
    ) -> T {
        let find = || self.client().find(Locator::Css(selector));
        self.repeat(selector, find, act)
    }

    /// Finds an element and applies an action to it, until both succeed. The page may redraw the element between these
    /// requests to the driver.
    #[track_caller]
    fn repeat<T, E, F>(&self, what: &str, find: impl Fn() -> E, act: impl Fn(Element) -> F) -> T
    where
        E: Future<Output = Result<Element, CmdError>>,
        F: Future<Output = Result<T, CmdError>>,
    {
        let deadline = Instant::now() + TIME_LIMIT;
        loop {
            let tried = self.instance().runtime.block_on(async {
                let done = act(find().await?).await;
                if done.is_err() {
                    // A button or a finger may be down already.
                    let _ = self.client().release_actions().await;
                }
                done
            });
            match tried {
                Ok(value) => return value,
                Err(error) => assert!(Instant::now() < deadline, "{what}: {error}"),
            }
            thread::sleep(PAUSE);
        }
    }

    /// Clicks an element with the mouse.
    #[track_caller]
    pub(crate) fn click(&self, selector: &str) {
        self.with(selector, |element| async move { element.click().await });
    }

    /// Scrolls an element to the middle of the window, away from what covers the edges.
    pub(crate) fn centre(&self, selector: &str) {
        self.run(&format!(
            "$({})?.scrollIntoView({{ block: 'center' }})",
            json!(selector)
        ));
    }

    /// Moves the mouse to an element, or some pixels away from its middle, and then acts with it.
    #[track_caller]
    pub(crate) fn mouse(&self, selector: &str, [x, y]: [f64; 2], steps: &[PointerAction]) {
        self.with(selector, |element| {
            let to = PointerAction::MoveToElement {
                element,
                duration: None,
                x,
                y,
            };
            let mouse = MouseActions::new("mouse".to_owned()).then(to);
            let mouse = steps.iter().cloned().fold(mouse, MouseActions::then);
            self.client().perform_actions(mouse)
        });
    }

    /// Moves a finger over the middle of an element, and then acts with it.
    #[track_caller]
    pub(crate) fn finger(&self, selector: &str, steps: &[PointerAction]) {
        self.with(selector, |element| {
            let finger = TouchActions::new("finger".to_owned()).then(to_element(element));
            let finger = steps.iter().cloned().fold(finger, TouchActions::then);
            self.client().perform_actions(finger)
        });
    }

    /// Taps an element with a finger.
    #[track_caller]
    pub(crate) fn tap(&self, selector: &str) {
        self.centre(selector);
        self.finger(selector, &[press(), release()]);
    }

    /// Releases the mouse button or the finger at its place.
    #[track_caller]
    pub(crate) fn release(&self) {
        self.wait("release", self.client().release_actions());
    }

    /// Drags from one element to another with the mouse.
    #[track_caller]
    pub(crate) fn drag(&self, from: &str, to: &str) {
        self.with(from, |from| async {
            let to = self.client().find(Locator::Css(to)).await?;
            let mouse = MouseActions::new("mouse".to_owned())
                .then(to_element(from))
                .then(press())
                .then(by(9.0, 9.0))
                .then(to_element(to))
                .then(release());
            self.client().perform_actions(mouse).await
        });
    }

    /// Drags from an element by some pixels with a finger.
    #[track_caller]
    pub(crate) fn swipe(&self, from: &str, x: f64, y: f64) {
        self.centre(from);
        self.finger(from, &slowly(x, y));
    }

    /// Spreads two fingers from an element, each by some pixels to its side.
    #[track_caller]
    pub(crate) fn pinch(&self, selector: &str, x: f64) {
        self.with(selector, |element| {
            let finger = |name: &str, x: f64| {
                TouchActions::new(name.to_owned())
                    .then(to_element(element.clone()))
                    .then(by(x.signum() * 20.0, 0.0))
                    .then(press())
                    .then(by(x / 2.0, 0.0))
                    .then(by(x / 2.0, 0.0))
                    .then(release())
            };
            let fingers = Actions::from(finger("left", -x)).and(finger("right", x));
            self.client().perform_actions(fingers)
        });
    }

    /// Goes back in the history of the window.
    pub(crate) fn back(&self) {
        self.wait("back", self.client().back());
    }

    /// Types into an element.
    #[track_caller]
    pub(crate) fn type_into(&self, selector: &str, text: &str) {
        self.with(
            selector,
            |element| async move { element.send_keys(text).await },
        );
    }

    /// Types at the focus.
    #[track_caller]
    pub(crate) fn keys(&self, keys: &str) {
        let find = || self.client().active_element();
        let act = |element: Element| async move { element.send_keys(keys).await };
        self.repeat("type", find, act);
    }

    /// Selects a value of a select element.
    #[track_caller]
    pub(crate) fn choose(&self, selector: &str, value: &str) {
        self.with(selector, |element| async move {
            element.select_by_value(value).await
        });
    }

    /// Replaces the text of a field.
    #[track_caller]
    pub(crate) fn fill(&self, selector: &str, text: &str) {
        self.with(selector, |element| async move {
            element.clear().await?;
            element.send_keys(text).await
        });
    }

    /// Opens another window of the same browser and switches to it.
    pub(crate) fn new_window(&self) -> WindowHandle {
        let opened = self.wait("a window", self.client().new_window(false));
        self.switch_to(&opened.handle);
        opened.handle
    }

    /// The current window.
    pub(crate) fn window(&self) -> WindowHandle {
        self.wait("a window", self.client().window())
    }

    pub(crate) fn switch_to(&self, window: &WindowHandle) {
        self.wait(
            "another window",
            self.client().switch_to_window(window.clone()),
        );
    }

    /// Saves a screenshot as `target/screenshots/NAME.png`.
    pub(crate) fn screenshot(&self, name: &str) {
        let picture = self.wait("a screenshot", self.client().screenshot());
        store(name, &picture);
    }
}

impl Drop for Browser {
    /// Saves a screenshot and closes Chromium if the test fails; otherwise leaves it to the next test.
    fn drop(&mut self) {
        let Some(instance) = self.instance.take() else {
            return;
        };
        if thread::panicking() {
            let picture = instance.client.screenshot();
            if let Ok(picture) = instance.runtime.block_on(picture) {
                let mut name = "failed".to_owned();
                if let Some(test) = thread::current().name() {
                    let _ = write!(name, "-{}", test.replace("::", "-"));
                }
                store(&name, &picture);
            }
            return instance.close();
        }
        if instance.reset().is_err() {
            return instance.close();
        }
        let mut idle = IDLE.lock();
        idle.push(instance);
        let oldest = (idle.len() > MAX_IDLE).then(|| idle.remove(0));
        drop(idle);
        oldest.into_iter().for_each(Instance::close);
    }
}

fn store(name: &str, picture: &[u8]) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("../screenshots");
    std::fs::create_dir_all(&folder).expect("a folder for screenshots");
    std::fs::write(folder.join(format!("{name}.png")), picture).expect("a screenshot is stored");
}

/// A movement by some pixels.
pub(crate) fn by(x: f64, y: f64) -> PointerAction {
    PointerAction::MoveBy {
        duration: Some(Duration::from_millis(20)),
        x,
        y,
    }
}

/// A slow drag by some pixels, in four steps.
pub(crate) fn slowly(x: f64, y: f64) -> [PointerAction; 6] {
    let step = || by(x / 4.0, y / 4.0);
    [press(), step(), step(), step(), step(), release()]
}

fn to_element(element: Element) -> PointerAction {
    PointerAction::MoveToElement {
        element,
        duration: None,
        x: 0.0,
        y: 0.0,
    }
}

pub(crate) fn press() -> PointerAction {
    PointerAction::Down {
        button: MOUSE_BUTTON_LEFT,
    }
}

pub(crate) fn release() -> PointerAction {
    PointerAction::Up {
        button: MOUSE_BUTTON_LEFT,
    }
}

fn capabilities(device: Device, profile: &Path) -> Capabilities {
    let mut args = vec![
        "--headless=new".to_owned(),
        // Tests may run as root, and /dev/shm may be small.
        "--no-sandbox".to_owned(),
        "--disable-dev-shm-usage".to_owned(),
        // Chromium exits together with its driver.
        "--remote-debugging-pipe".to_owned(),
        "--disable-background-timer-throttling".to_owned(),
        "--disable-backgrounding-occluded-windows".to_owned(),
        "--disable-renderer-backgrounding".to_owned(),
        // Less work: tabs and their pages share one process, no spare one is started, and no graphics processor is emulated.
        "--renderer-process-limit=1".to_owned(),
        "--process-per-site".to_owned(),
        "--disable-site-isolation-trials".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-extensions".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-breakpad".to_owned(),
        "--disable-features=Translate,OptimizationHints,MediaRouter,SpareRendererForSitePerProcess,\
         BackForwardCache,ProactivelySwapBrowsingInstance"
            .to_owned(),
        "--js-flags=--expose-gc".to_owned(),
        "--enable-precise-memory-info".to_owned(),
        format!("--user-data-dir={}", profile.display()),
    ];
    let mobile = |width: u32, height: u32, touch: bool| {
        let metrics =
            json!({ "width": width, "height": height, "pixelRatio": 2.0, "touch": touch });
        Some(json!({ "deviceMetrics": metrics }))
    };
    let emulation = match device {
        Device::Desktop(width, height) => {
            args.push(format!("--window-size={width},{height}"));
            None
        }
        Device::Phone => mobile(360, 780, true),
        Device::Narrow => mobile(320, 640, true),
        Device::Zoomed => mobile(640, 450, false),
    };
    let mut options = json!({ "args": args });
    if let Some(emulation) = emulation {
        options["mobileEmulation"] = emulation;
    }
    let limit = TIME_LIMIT.as_millis() as u64 + 30_000;
    let all = json!({
        "browserName": "chrome",
        "goog:chromeOptions": options,
        "timeouts": { "script": limit, "pageLoad": limit },
    });
    serde_json::from_value(all).expect("an object")
}
