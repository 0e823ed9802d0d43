// The exam's controls on two questions that count for nothing. Nothing is sent.
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];
const said = document.getElementById("said");
const clock = document.getElementById("demo-clock");
const { keys, letters } = document.getElementById("tasks").dataset;
const own = JSON.parse(letters); // keys of one's own: what each action is pressed with

function done(task) {
  const line = document.querySelector(`[data-task="${task}"]`);
  if (!line || line.classList.contains("done")) return;
  line.classList.add("done");
  line.querySelector(".done-word").textContent = "(done)";
  const left = all("#tasks li:not(.done)").length;
  said.textContent = left ? `Done. ${left} left.` : "All tried. The exam holds no surprise in its screen.";
}

function choose(question, input) {
  const many = Number(question.dataset.choose);
  const count = question.querySelector(".count");
  const chosen = all("input:checked", question);
  if (many > 1 && chosen.length > many) {
    input.checked = false;
    count.textContent = `${many} are chosen already. Clear one first.`;
    return;
  }
  if (count) count.textContent = `${chosen.length} of ${many} chosen`;
  if (many === 1 && input.value === "1" && input.checked) done("choose");
  if (many === 2 && chosen.length === 2) done("two");
}

function clear(question) {
  const had = all("input:checked", question).length;
  all("input", question).forEach((input) => { input.checked = false; });
  if (question.querySelector(".count")) question.querySelector(".count").textContent = "0 of 2 chosen";
  if (had) done("clear");
}

function toggle(button) {
  const on = button.getAttribute("aria-pressed") !== "true";
  button.setAttribute("aria-pressed", String(on));
  return on;
}

function strike(button) {
  const on = toggle(button);
  button.closest("li").classList.toggle("struck", on);
  if (on && button.closest("[data-question='1']") && button.closest("li").matches(":nth-child(3)")) done("strike");
}

function time() {
  clock.hidden = !clock.hidden;
  const button = document.getElementById("demo-time");
  button.textContent = clock.hidden ? "Show time" : "Hide time";
  button.setAttribute("aria-pressed", String(clock.hidden));
  if (!clock.hidden) done("time");
}

function review() {
  const open = all(".practice-question").filter((q) => !all("input:checked", q).length).length;
  const flagged = all(".flag-it[aria-pressed='true']").length;
  done("review");
  said.textContent = `Review: ${open} unanswered, ${flagged} flagged. In the exam each is a link, and nothing is final before you confirm.`;
}

for (const question of all(".practice-question")) {
  all("input", question).forEach((input) => input.addEventListener("change", () => choose(question, input)));
  all(".strike", question).forEach((button) => button.addEventListener("click", () => strike(button)));
  question.querySelector(".flag-it").addEventListener("click", (event) => toggle(event.target) && done("flag"));
  question.querySelector(".clear-it").addEventListener("click", () => clear(question));
}
document.getElementById("demo-time").addEventListener("click", time);
document.getElementById("demo-review").addEventListener("click", review);

addEventListener("keydown", (event) => {
  if (keys === "off" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const question = event.target.closest?.(".practice-question") ?? document.querySelector(".practice-question");
  const name = event.key.toLowerCase();
  const place = /^[a-e]$/.test(name) ? "abcde".indexOf(name) : /^[1-5]$/.test(name) ? Number(name) - 1 : -1;
  const input = all("input", question)[place];
  if (event.shiftKey) {
    const button = all(".strike", question)["abcde".indexOf(name)];
    if (!button || name.length > 1) return;
    strike(button);
  } else if (input) {
    input.checked = input.type === "radio" || !input.checked;
    input.focus();
    choose(question, input);
  } else if (name === own.clear) clear(question);
  else if (name === own.flag) toggle(question.querySelector(".flag-it")) && done("flag");
  else if (name === own.time) time();
  else if (name === own.review) review();
  else return;
  event.preventDefault();
});
