/** Dialogs: native `<dialog>` elements, which trap the focus and close on Escape. Short messages, and speech. */

import { button, el, iconButton } from "./dom.js";

/** Maximum number of messages shown at once, and the time for which each is shown. */
const MOST_TOASTS = 2;
const TOAST_MS = 5000;

/** Number of dialogs so far, for the ids of their titles. */
let nDialogs = 0;

/**
 * Opens a dialog.
 * @param {(close: () => void) => any} content creates the content; gets the function that closes the dialog
 * @param {{wide?: boolean, id?: string, isText?: boolean}} how `isText`: nothing in it can be focused, so its text is
 *     scrollable by keys
 */
export function openDialog(title, content, how = {}) {
  nDialogs += 1;
  const titleId = `dialog-title-${nDialogs}`;
  const dialog = el("dialog", { class: how.wide ? "wide" : null, "aria-labelledby": titleId, id: how.id });
  const close = () => dialog.close();
  const head = el("header.dialog-head", el("h2", { id: titleId }, title), iconButton("close", "Close", close));
  dialog.append(head, el("div.dialog-body", { tabindex: how.isText ? "0" : null }, content(close)));
  dialog.addEventListener("close", () => {
    if (dialog.contains(toasts())) document.body.append(toasts());
    dialog.remove();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Opens a dialog with a form, whose button has a text and an id. It closes when `act` has succeeded, or shows its error.
 * @param {(close: () => void) => any} act
 */
export function openForm(title, id, content, send, act, more = null) {
  const error = el("p.error", { role: "alert", hidden: true });
  let isSent = false;
  const submit = async (event, close) => {
    event.preventDefault();
    if (isSent) return;
    isSent = true;
    try {
      await act(close);
      close();
    } catch ({ message }) {
      error.hidden = false;
      error.textContent = message;
    }
    isSent = false;
  };
  const form = (close) => {
    const [words, sendId] = send;
    const submitButton = el(`button.primary#${sendId}`, { type: "submit" }, words);
    const buttons = el("div.buttons", submitButton, more, button("Cancel", close));
    return el("form", { onsubmit: (event) => submit(event, close) }, content, error, buttons);
  };
  return openDialog(title, form, { id });
}

export function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

/** Asks for confirmation of an irreversible action. @returns {Promise<boolean>} */
export function confirm(title, text, yes) {
  return new Promise((resolve) => {
    const dialog = openDialog(title, (close) => {
      const answer = (value) => () => {
        resolve(value);
        close();
      };
      const confirmed = button(yes, answer(true), { class: "primary", id: "confirm-yes" });
      return [el("p", text), el("div.buttons", confirmed, button("Cancel", answer(false)))];
    });
    dialog.addEventListener("close", () => resolve(false));
  });
}

/** Copies a text and shows whether it was copied. @param {string} what name of the text, as in `The link` */
export async function copyText(text, what) {
  // Pages from other machines over HTTP have no clipboard API, and a browser may deny it to others.
  const byApi = async () => navigator.clipboard.writeText(text);
  const isCopied = await byApi().then(
    () => true,
    () => copySelected(text),
  );
  toast(isCopied ? `${what} is copied` : "The browser does not let this page copy");
}

/** Copies without the clipboard API. @returns {boolean} `true` if the text was copied */
function copySelected(text) {
  const area = el("textarea.unseen", { readonly: true, "aria-hidden": "true" });
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}

/** Shows a short message for a few seconds: above an open dialog, and in place of the same message. */
export function toast(text) {
  const list = toasts();
  const parent = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document.body;
  if (list.parentNode !== parent) parent.append(list);
  for (const other of [...list.children]) if (other.textContent === text) other.remove();
  while (list.childElementCount >= MOST_TOASTS) list.firstChild.remove();
  const message = el("p.toast", text);
  list.append(message);
  setTimeout(() => message.remove(), TOAST_MS);
}

function toasts() {
  return document.getElementById("toasts");
}
