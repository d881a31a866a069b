/** The letters of moves on the board, which can be switched off. The browser keeps the choice. */

const KEY = "linesman-no-letters";

function show() {
  document.documentElement.classList.toggle("no-letters", localStorage.getItem(KEY) !== null);
}

/** Returns the switch, if a view has letters at the targets of moves. */
export function letterToggle({ view, look }) {
  if (!view.diagram.shapes.some(({ role, form }) => role === "target" && form === "text")) return [];
  const isOff = localStorage.getItem(KEY) !== null;
  const act = () => {
    if (isOff) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, "");
    show();
    look.ask();
  };
  return [{ name: "Letters", id: "letters", isOn: !isOff, act }];
}

if (typeof document !== "undefined") show();
