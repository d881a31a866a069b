/**
 * Light or dark theme: the system's preference or the user's choice. Runs before the page is drawn, so it is not a
 * module.
 */

(() => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => localStorage.getItem("linesman-theme");
  const apply = () => {
    document.documentElement.dataset.theme = chosen() ?? (system.matches ? "dark" : "light");
  };
  system.addEventListener("change", apply);
  document.addEventListener("linesman-theme", () => {
    const next = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    localStorage.setItem("linesman-theme", next);
    apply();
  });
  apply();
})();
