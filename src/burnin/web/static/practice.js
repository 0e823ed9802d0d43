// Counts again after each choice. Without it the button does the same.
const form = document.getElementById("practice");
let turn = 0;

form.addEventListener("change", async () => {
  const mine = ++turn;
  const fields = new URLSearchParams(new FormData(form));
  fields.set("do", "count");
  try {
    const response = await fetch("/practice", { method: "POST", body: fields });
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.getElementById("matching");
    const place = document.getElementById("matching");
    if (mine !== turn || !fresh) return;
    // The same box stays, so that what is new in it is spoken.
    place.className = fresh.className;
    place.innerHTML = fresh.innerHTML;
  } catch {
    // burnin does not answer: the last count stands, and Start says so.
  }
});
