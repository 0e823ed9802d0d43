// An explorer with a script: a turned knob shows its answer at once. Without it the same page is a form.
// The server computes; this asks, and puts in place what comes back.

import { drawAll } from "./timeline.js";

const SPOKEN_AFTER_MS = 700;
const $ = (id) => document.getElementById(id);
const form = $("knobs");

let running = false;
let waiting = false;
let quiet;

// Sliders: a second handle on the number beside them, resting at the knob's stops.

const number = (slider) => $(slider.dataset.for);
const stops = (slider) => slider.dataset.stops.split(" ").map(Number);

function nearest(slider) {
  const value = Number(number(slider).value);
  const all = stops(slider);
  return all.reduce((best, stop, i) => (Math.abs(stop - value) < Math.abs(all[best] - value) ? i : best), 0);
}

function settle(slider) {
  slider.value = nearest(slider);
  slider.setAttribute("aria-valuetext", number(slider).value);
}

function sliders() {
  for (const slider of form.querySelectorAll("input[type=range]")) {
    slider.disabled = false;
    settle(slider);
  }
}

// Asking

const query = () => new URLSearchParams(new FormData(form)).toString();

function ask() {
  if (running) {
    waiting = true; // the newest state is asked for when the answer under way is here
    return;
  }
  run();
}

async function run() {
  running = true;
  const wanted = query();
  let html = null;
  try {
    const response = await fetch(`${location.pathname}?${wanted}`, { headers: { "burnin-part": "1" } });
    if (response.ok) html = await response.text();
  } catch {
    html = null;
  }
  running = false;
  if (html === null) show("burnin does not answer. The picture is that of the last answer.");
  else place(html, wanted);
  if (waiting) {
    waiting = false;
    run();
  }
}

function show(words) {
  $("answer").textContent = words;
  speak(words);
}

// The form stays as it is, so that a slider under the hand keeps its focus; the rest is exchanged.
function place(html, wanted) {
  const part = new DOMParser().parseFromString(html, "text/html");
  const open = new Map([...$("shown").querySelectorAll("details")].map((each) => [each.id, each.open]));
  const focused = $("shown").contains(document.activeElement) ? document.activeElement : null;
  const address = focused && path(focused);
  const fresh = part.getElementById("shown");
  for (const details of fresh.querySelectorAll("details")) {
    if (open.has(details.id)) details.open = open.get(details.id);
  }
  $("shown").replaceChildren(...fresh.childNodes);
  if (address) address.reduce((node, i) => node?.children[i], $("shown"))?.focus({ preventScroll: true });
  $("verdict").dataset.verdict = part.getElementById("verdict").dataset.verdict;
  $("here").href = part.getElementById("here").getAttribute("href");
  for (const theirs of part.querySelectorAll(".fault")) {
    const mine = $(theirs.id);
    const field = $(theirs.id.replace(/-fault$/, ""));
    mine.textContent = theirs.textContent;
    mine.hidden = theirs.hidden;
    mine.closest(".knob").classList.toggle("faulty", !theirs.hidden);
    if (theirs.hidden) field.removeAttribute("aria-invalid");
    else field.setAttribute("aria-invalid", "true");
  }
  show(part.getElementById("answer").textContent);
  history.replaceState(null, "", `?${wanted}`);
  drawAll();
  document.body.dataset.shown = wanted;
}

// Where an element stands under `shown`, as child numbers.
function path(element) {
  const steps = [];
  for (let node = element; node !== $("shown"); node = node.parentElement) {
    steps.unshift([...node.parentElement.children].indexOf(node));
  }
  return steps;
}

// A hand on a slider passes many values; only the one it rests at is spoken.
function speak(words) {
  clearTimeout(quiet);
  quiet = setTimeout(() => {
    const faults = [...form.querySelectorAll(".fault:not([hidden])")].map((fault) => fault.textContent);
    $("spoken").textContent = [...faults, words].join(" ");
  }, SPOKEN_AFTER_MS);
}

form.addEventListener("input", (event) => {
  const field = event.target;
  if (field.type === "range") {
    number(field).value = stops(field)[Number(field.value)];
    field.setAttribute("aria-valuetext", number(field).value);
  } else {
    const slider = form.querySelector(`[data-for="${field.id}"]`);
    if (slider) settle(slider);
  }
  ask();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});

// Fields that a browser restored after going back are not what the page shows.
addEventListener("pageshow", () => {
  sliders();
  if (query() !== new URL($("here").href).search.slice(1) && !form.querySelector(".faulty")) ask();
});

sliders();
drawAll();
