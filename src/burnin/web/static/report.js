// The report with a script: a link to a folded question opens it, and printing prints all of it.

const folded = () => [...document.querySelectorAll("details:not([open])")];
let opened = [];

function aim() {
  const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
  if (target?.tagName !== "DETAILS") return;
  target.open = true;
  target.scrollIntoView();
  target.querySelector("summary").focus({ preventScroll: true });
}

addEventListener("hashchange", aim);
addEventListener("beforeprint", () => {
  opened = folded();
  for (const each of opened) each.open = true;
});
addEventListener("afterprint", () => {
  for (const each of opened) each.open = false;
  opened = [];
});
document.querySelector("[data-print]")?.addEventListener("click", () => print());
// A link to the question that is already named in the address does not change it.
document.addEventListener("click", (event) => {
  if (event.target.closest?.("a")?.hash === location.hash) setTimeout(aim);
});
aim();
