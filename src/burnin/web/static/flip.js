// A slider over the rows of the table: the server worked them out, this only shows one.
const knob = document.getElementById("knob");
const rows = [...document.querySelectorAll("#rows tbody tr")];
const say = () => {
  const [value, right, verdict] = [...rows[knob.value].children].map((cell) => cell.firstChild.textContent.trim());
  const meets = rows[knob.value].classList.contains("meets");
  document.getElementById("says").textContent =
    `At ${value} the right answer reads: ${right}. The wrong option ${meets ? "is right" : "is still wrong"}.`;
  knob.setAttribute("aria-valuetext", value);
  rows.forEach((row, place) => row.toggleAttribute("aria-current", place === Number(knob.value)));
  return verdict;
};
knob.addEventListener("input", say);
say();
