// Letters and figures choose, one key goes on. Without it the page is a plain form.
const form = document.getElementById("answer");
const inputs = [...form.querySelectorAll('input[name="option"]')];
const many = Number(form.dataset.choose);
const count = document.getElementById("count");

function told() {
  const chosen = inputs.filter((input) => input.checked).length;
  if (count) count.textContent = chosen > many ? `${chosen} chosen: ${chosen - many} too many` : `${chosen} of ${many} chosen`;
}

form.addEventListener("change", told);
document.addEventListener("keydown", (event) => {
  if (form.dataset.keys !== "on" || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.isComposing) return;
  const name = event.key.toLowerCase();
  if (name === form.dataset.next) document.getElementById("next").click();
  const place = /^[a-e]$/.test(name) ? "abcde".indexOf(name) : /^[1-6]$/.test(name) ? Number(name) - 1 : -1;
  if (!inputs[place]) return;
  event.preventDefault();
  inputs[place].focus();
  inputs[place].checked = many > 1 ? !inputs[place].checked : true;
  told();
});
told();
