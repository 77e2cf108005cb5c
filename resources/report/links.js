/* What belongs to the same run, label or system is highlighted together: while the pointer is on it, or, after a click, until
   the next click. Elements say what they belong to by data-link; charts and pages listen. */
const Links = (() => {
  const elements = new Map(), listeners = [], pill = document.getElementById("pinned");
  for (const element of document.querySelectorAll("[data-link]")) {
    const key = element.dataset.link;
    if (!elements.has(key)) elements.set(key, []);
    elements.get(key).push(element);
  }
  let pinned = null, pointed = null, shown = null;
  const update = () => {
    const key = pointed === null ? pinned : pointed;
    pill.hidden = pinned === null;
    if (pinned !== null) pill.firstElementChild.textContent = pinned.replace(":", ": ");
    if (key === shown) return;
    for (const element of elements.get(shown) || []) element.classList.remove("linked");
    shown = key;
    for (const element of elements.get(shown) || []) element.classList.add("linked");
    document.body.classList.toggle("has-link", shown !== null);
    listeners.forEach(tell => tell(shown));
  };
  const point = key => { pointed = key; update(); };
  const pin = key => { pinned = pinned === key ? null : key; pointed = null; update(); };
  const linkOf = target => { const element = target.closest?.("[data-link]"); return element ? element.dataset.link : null; };
  document.addEventListener("mouseover", event => { if (!event.target.closest?.(".live")) point(linkOf(event.target)); });
  document.addEventListener("click", event => {
    const key = linkOf(event.target);
    if (key !== null && !event.target.closest("[data-open-page]")) pin(key);
  });
  document.addEventListener("keydown", event => { if (event.key === "Escape" && pinned !== null) pin(pinned); });
  pill.querySelector("button").addEventListener("click", () => pin(pinned));
  return { point, pin, current: () => shown, onChange: tell => listeners.push(tell) };
})();
