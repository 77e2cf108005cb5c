/* Light and dark: as the system has it, until the button says otherwise. */
const Theme = (() => {
  const button = document.getElementById("theme"), system = matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];
  const isDark = () => (document.documentElement.dataset.theme || (system.matches ? "dark" : "light")) === "dark";
  const changed = () => { button.textContent = isDark() ? "Light" : "Dark"; listeners.forEach(tell => tell()); };
  button.hidden = false;
  button.addEventListener("click", () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; changed(); });
  system.addEventListener("change", changed);
  changed();
  const probe = document.body.appendChild(document.createElement("span"));
  probe.hidden = true;
  const colour = name => { probe.style.color = `var(${name})`; return getComputedStyle(probe).color; };
  return { colour, onChange: tell => listeners.push(tell) };
})();
