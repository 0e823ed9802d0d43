// The question page with a script: saves each change, moves without losing anything, keys.
// Without it the same page is a plain form. The server decides; this only shows and sends.

import { Outbox } from "./outbox.js";
import { Clock } from "./clock.js";

const POLL_MS = 15000;
const OVER = ["submitted", "expired"];
const WORDS = {
  saving: "Saving …",
  saved: "Saved",
  waiting: "Not saved yet. burnin does not answer; trying again.",
  moving: "burnin does not answer. This page goes on as soon as it does.",
};

const $ = (id) => document.getElementById(id);
const data = () => document.body.dataset;
const sitting = data().sitting;
const base = `/sittings/${sitting}`;
const inputs = () => [...document.querySelectorAll('#answer input[name="o"]')];
const chosen = () => inputs().filter((input) => input.checked).map((input) => input.value);

let version = Number(data().version);
let wanted = null; // a page that could not be opened yet
let keys = data().keys === "on";

const outbox = new Outbox(sitting, (what, ...rest) => (what === "state" ? show(rest[0]) : acknowledged(...rest)));
const clock = new Clock({ shown: data().clock === "on", zero: poll });

// What is shown

function show(state, words = WORDS[state]) {
  const place = $("state");
  if (!place) return;
  place.dataset.state = state;
  if (place.textContent !== words) place.textContent = words;
}

function count() {
  const place = $("count");
  const many = Number(data().choose);
  if (place) {
    place.classList.remove("over");
    place.textContent = `${chosen().length} of ${many} chosen`;
  }
}

function square(item, number) {
  const here = document.querySelector(`.map button[value="${number}"]`);
  if (!here || item !== data().item) return;
  const many = Number(data().choose);
  const picked = chosen().length;
  const flagged = $("flag").getAttribute("aria-pressed") === "true";
  if (!inputs().length) {
    here.classList.toggle("f", flagged); // a fixed answer: only the flag can change
    return;
  }
  here.className = [picked === many ? "a" : picked ? "i" : "", flagged ? "f" : ""].join(" ").trim();
  const words = [];
  if (picked && picked !== many) words.push(`incomplete, ${picked} of ${many} chosen`);
  if (picked === many) words.push("answered");
  if (flagged) words.push("flagged");
  const rated = document.querySelector('.rate[aria-pressed="true"]')?.value;
  if (rated && rated !== "sure") words.push(rated === "guess" ? "a guess" : rated);
  here.querySelector(".vh").textContent = words.map((word) => `, ${word}`).join("");
}

function select(options) {
  for (const input of inputs()) input.checked = options.includes(input.value);
  count();
}

function flag(on) {
  const button = $("flag");
  if (!button) return;
  button.setAttribute("aria-pressed", String(on));
  button.value = on ? "unflag" : "flag";
}

function strikes(struck) {
  for (const button of document.querySelectorAll(".strike")) {
    const on = struck.includes(button.value);
    button.setAttribute("aria-pressed", String(on));
    button.closest("li").classList.toggle("struck", on);
  }
}

function rate(value) {
  for (const button of document.querySelectorAll(".rate")) {
    button.setAttribute("aria-pressed", String(button.value === value));
  }
  const here = document.querySelector(`.map button[value="${data().number}"]`)?.closest("li");
  if (here) delete here.dataset.unsure;
  if (here && value !== "sure") here.dataset.unsure = "";
}

const SHOWN = {
  all: () => true,
  open: (button) => !button.classList.contains("a") && !button.classList.contains("i"),
  incomplete: (button) => button.classList.contains("i"),
  flagged: (button) => button.classList.contains("f"),
  unsure: (button) => "unsure" in button.closest("li").dataset,
};
let filter = "all";

function filtered(name = filter) {
  filter = name;
  for (const button of document.querySelectorAll(".filters button")) {
    button.setAttribute("aria-pressed", String(button.dataset.filter === filter));
  }
  for (const button of document.querySelectorAll(".map .grid button")) {
    button.closest("li").hidden = !SHOWN[filter](button) && !button.hasAttribute("aria-current");
  }
}

// After a page came: what this tab knows and the server does not yet.
function settle() {
  const { item, number, phase, remaining } = data();
  clock.set(remaining === undefined ? null : Number(remaining), phase !== "running");
  if (item) {
    const answer = outbox.pending(item, "answered");
    const flagged = outbox.pending(item, "flagged");
    const struck = outbox.pending(item, "struck");
    if (answer && inputs().length) select(answer.options);
    if (flagged) flag(flagged.on);
    if (struck) strikes(struck.options);
    const rated = outbox.pending(item, "rated");
    if (rated) rate(rated.value);
    if ($("flag")) square(item, number);
  }
  if (document.querySelector(".filters")) filtered();
  if (!outbox.empty) show(outbox.failures ? "waiting" : "saving");
}

// What is sent

function answered(options) {
  const { item, number } = data();
  wanted = null;
  outbox.add({ kind: "answered", item, options, seen: Number(data().seen) });
  count();
  square(item, number);
}

function pick(input, on) {
  const many = Number(data().choose);
  if (many > 1 && on && chosen().filter((id) => id !== input.value).length >= many) {
    input.checked = false;
    const place = $("count");
    place.classList.add("over");
    place.textContent = `${many} are chosen already. Clear one first.`;
    return;
  }
  input.checked = on;
  answered(chosen());
}

function toggleFlag() {
  const on = $("flag").getAttribute("aria-pressed") !== "true";
  flag(on);
  outbox.add({ kind: "flagged", item: data().item, on });
  square(data().item, data().number);
}

function toggleStrike(button) {
  const struck = [...document.querySelectorAll('.strike[aria-pressed="true"]')].map((other) => other.value);
  const next = struck.includes(button.value)
    ? struck.filter((id) => id !== button.value)
    : [...struck, button.value];
  strikes(next);
  outbox.add({ kind: "struck", item: data().item, options: next });
}

function acknowledged(status, ack, event) {
  if (!ack) return;
  if (ack.version) version = ack.version;
  if (OVER.includes(ack.phase)) {
    location.assign(`${base}/result`);
    return;
  }
  if (ack.remaining_ms != null) clock.set(ack.remaining_ms, ack.phase !== "running");
  if (ack.item === data().item && ack.seen) data().seen = ack.seen;
  if (["revealed", "paused", "resumed"].includes(event.kind)) {
    open(location.href, { push: false, focus: event.kind === "revealed" ? "verdict" : "heading" });
    return;
  }
  if (ack.ok) return;
  if (event.item === data().item && inputs().length && "options" in ack) {
    select(ack.options);
    flag(ack.flagged);
    strikes(ack.struck);
    square(data().item, data().number);
  }
  const stale = status === 409;
  note(stale ? "This answer was changed in another tab. What you see now is what is stored." : ack.message);
  if (ack.phase === "paused") open(location.href, { push: false });
}

function note(words) {
  $("message")?.remove();
  const box = document.createElement("div");
  box.id = "message";
  box.className = "note warn";
  box.setAttribute("role", "alert");
  const line = document.createElement("p");
  line.textContent = words;
  box.append(line);
  document.querySelector(".head")?.after(box);
}

// A note goes a moment after the last key, and at once when the field is left.
let typing;

function soon(box) {
  clearTimeout(typing);
  const { item } = data();
  typing = setTimeout(() => keep(item, box.value), 800);
}

async function keep(item, text) {
  clearTimeout(typing);
  show("saving", "Saving the note …");
  try {
    const response = await fetch(`/api/sittings/${sitting}/notes`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ item, text }),
      keepalive: true,
      signal: AbortSignal.timeout(8000),
    });
    show(response.ok ? "saved" : "waiting", response.ok ? "Note saved" : "The note is not saved. Change it again.");
  } catch {
    show("waiting", "The note is not saved. burnin does not answer.");
  }
}

// Moving: the next page is fetched and put in place, so that a silent server loses nothing.

async function open(url, { push = true, focus = "heading" } = {}) {
  wanted = { url, push, focus };
  const mine = wanted;
  await outbox.drained(400);
  let response;
  let text;
  try {
    response = await fetch(url, { headers: { Accept: "text/html" }, signal: AbortSignal.timeout(8000) });
    text = await response.text();
  } catch {
    response = null;
  }
  if (wanted !== mine) return;
  if (!response || response.status >= 500) {
    show("waiting", WORDS.moving);
    setTimeout(() => wanted === mine && open(url, { push, focus }), 1000);
    return;
  }
  wanted = null;
  const page = new DOMParser().parseFromString(text, "text/html");
  if (page.body.dataset.sitting !== sitting) {
    location.assign(response.url);
    return;
  }
  const same = page.body.dataset.item !== undefined && page.body.dataset.item === data().item;
  const focused = document.activeElement?.id;
  document.title = page.title;
  for (const name of Object.keys(data())) delete data()[name];
  Object.assign(data(), page.body.dataset);
  document.body.replaceChildren(...page.body.childNodes);
  if (push) history.pushState(null, "", response.url);
  version = Number(data().version);
  settle();
  if (!same) scrollTo(0, 0);
  ($(focus) ?? (same && focused ? $(focused) : null) ?? $("heading"))?.focus();
}

async function poll() {
  try {
    const response = await fetch(`/api/sittings/${sitting}/clock`, {
      method: "POST",
      signal: AbortSignal.timeout(8000),
    });
    if (!response.ok) return;
    const now = await response.json();
    if (OVER.includes(now.phase)) {
      location.assign(`${base}/result`);
      return;
    }
    if (now.remaining_ms != null) clock.set(now.remaining_ms, now.phase !== "running");
    if (now.phase !== data().phase) open(location.href, { push: false });
    return now;
  } catch {
    // The next poll, or the next event, finds out.
  }
}

// Events of the page. All are delegated, since pages are put in place.

document.addEventListener("change", (event) => {
  const input = event.target;
  if (input.name === "o") pick(input, input.checked);
  else if (input.id === "keys-on") remember(input.checked);
  else if (input.id === "note") keep(data().item, input.value);
});
document.addEventListener("input", (event) => event.target.id === "note" && soon(event.target));

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.id === "submit") {
    if (outbox.empty) return;
    event.preventDefault();
    show("waiting", "Waiting until the last answers are saved …");
    if (await outbox.drained(30000)) form.submit();
    else show("waiting", "Not submitted: some answers are not saved yet. Try again in a moment.");
    return;
  }
  if (form.id !== "answer") return;
  event.preventDefault();
  const { name, value } = event.submitter ?? {};
  if (name === "go") open(value === "review" ? `${base}/review` : `${base}/${value}`);
  else if (name === "strike") toggleStrike(event.submitter);
  else if (name === "rate") {
    rate(value);
    square(data().item, data().number);
    outbox.add({ kind: "rated", item: data().item, value });
  }
  else if (value === "flag" || value === "unflag") toggleFlag();
  else if (value === "clear" && chosen().length) {
    select([]);
    answered([]);
  } else if (value === "check") outbox.add({ kind: "revealed", item: data().item, seen: Number(data().seen) });
  else if (value === "pause") outbox.add({ kind: "paused" });
  else if (value === "resume") outbox.add({ kind: "resumed" });
});

document.addEventListener("click", (event) => {
  const target = event.target.closest("a, button");
  if (!target) return;
  if (target.id === "clock-toggle") clock.toggle();
  else if (target.dataset.filter) filtered(target.dataset.filter);
  else if (target.id === "keys-open") sheet();
  else if (target.pathname?.startsWith(`${base}/`) && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    open(target.href);
  }
});

addEventListener("popstate", () => open(location.href, { push: false }));
addEventListener("beforeunload", (event) => {
  if (!outbox.empty && outbox.failures) event.preventDefault();
});
document.addEventListener("visibilitychange", async () => {
  if (document.visibilityState !== "visible") return;
  const now = await poll();
  // Another tab went on: show what is stored.
  if (now && now.version > version && outbox.empty) open(location.href, { push: false, focus: "" });
});
setInterval(poll, POLL_MS);

// Keys

function sheet() {
  $("keys").showModal();
}

function remember(on) {
  keys = on;
  fetch("/settings", { method: "POST", body: new URLSearchParams({ shortcuts: on, back: "/settings" }) }).catch(
    () => {},
  );
}

function press(selector) {
  const target = document.querySelector(selector);
  target?.click();
  return Boolean(target);
}

function key(event) {
  const name = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (name === "?") return sheet(), true;
  if (event.shiftKey) {
    const button = document.querySelectorAll(".strike")["abcdef".indexOf(name)];
    if (!button || !/^[a-f]$/.test(name)) return false;
    return toggleStrike(button), true;
  }
  const place = /^[a-e]$/.test(name) ? "abcde".indexOf(name) : /^[1-6]$/.test(name) ? Number(name) - 1 : -1;
  if (place >= 0) {
    const input = inputs()[place];
    if (!input) return false;
    input.focus();
    if (input.type === "checkbox") pick(input, !input.checked);
    else if (!input.checked) pick(input, true);
    return true;
  }
  // Inside a list of options or a scrolling box the arrows have work of their own.
  const free = !event.target.closest?.("input, [role=group]");
  const letters = JSON.parse(data().letters);
  const action = Object.keys(letters).find((each) => letters[each] === name);
  if (action === "flag") return press("#flag");
  if (action === "clear") return press("#clear");
  if (action === "time") return press("#clock-toggle:not([hidden])");
  if (action === "review") return open(`${base}/review`), true;
  if (action === "grid") return document.querySelector(".map [aria-current], .grid a")?.focus(), true;
  if (action === "next" || (free && name === "ArrowRight")) return press("[aria-keyshortcuts~=ArrowRight]");
  if (action === "previous" || (free && name === "ArrowLeft")) return press("[aria-keyshortcuts~=ArrowLeft], #back");
  return false;
}

document.addEventListener("keydown", (event) => {
  if (!keys || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if ($("keys")?.open) return;
  if (event.target.closest?.('textarea, select, [contenteditable], input:not([type="radio"], [type="checkbox"])')) return;
  if (key(event)) event.preventDefault();
});

settle();
