/* Opens all that can be folded, or folds it again. What is closed is not printed. */
(() => {
  const button = document.getElementById("open-all"), every = [...document.querySelectorAll("details")];
  const closed = () => every.filter(each => !each.open);
  const told = () => { button.textContent = closed().length ? "Open all" : "Close all"; };
  button.hidden = every.length === 0;
  button.addEventListener("click", () => { const open = closed().length > 0; every.forEach(each => { each.open = open; }); });
  every.forEach(each => each.addEventListener("toggle", told));
  told();
})();
