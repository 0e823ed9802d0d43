// Printing a report prints all of it: what is folded away is opened first.
const folded = () => [...document.querySelectorAll("details:not([open])")];
let opened = [];
addEventListener("beforeprint", () => { opened = folded(); opened.forEach(d => { d.open = true; }); });
addEventListener("afterprint", () => { opened.forEach(d => { d.open = false; }); opened = []; });
document.querySelector("[data-print]")?.addEventListener("click", () => print());
