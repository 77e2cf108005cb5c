/* On paper everything is open. */
(() => {
  let closed = [];
  addEventListener("beforeprint", () => { closed = [...document.querySelectorAll("details:not([open])")]; closed.forEach(each => { each.open = true; }); });
  addEventListener("afterprint", () => { closed.forEach(each => { each.open = false; }); closed = []; });
})();
