// Shows the server's remaining time. It decides nothing: at zero it asks the server.

const SPOKEN_MIN = [30, 15, 5, 1];
// Seen at the same marks, for longer words than are spoken.
const TOLD = {
  30: "30 minutes left.",
  15: "15 minutes left.",
  5: "5 minutes left. The time stays in view from here.",
  1: "1 minute left. At zero the last saved answers are submitted.",
};
const CLEAR_MS = 20000;
const LATE_MS = 5 * 60000;

export class Clock {
  // `zero` is called once each time the shown time runs out.
  constructor({ shown, zero }) {
    this.zero = zero;
    this.wanted = shown;
    this.left = null;
    setInterval(() => this.draw(), 250);
  }

  // `still`: a paused clock stands.
  set(remainingMs, still) {
    if (remainingMs == null) {
      this.left = null;
      return;
    }
    this.left = remainingMs;
    this.at = performance.now();
    this.still = still;
    this.rung = false;
    this.draw();
  }

  toggle() {
    this.wanted = !this.wanted;
    this.draw();
  }

  remaining() {
    if (this.left == null) return null;
    return Math.max(0, this.still ? this.left : this.left - (performance.now() - this.at));
  }

  draw() {
    const face = document.getElementById("clock");
    const left = this.remaining();
    if (!face || left == null) return;
    const late = left <= LATE_MS;
    const visible = this.wanted || late;
    const text = say(left);
    if (face.textContent !== text) face.textContent = text;
    face.hidden = !visible;
    const pace = document.getElementById("pace");
    if (pace) pace.hidden = !this.wanted;
    face.classList.toggle("late", late);
    const button = document.getElementById("clock-toggle");
    if (button) {
      button.hidden = late;
      button.textContent = visible ? "Hide time" : "Show time";
      button.setAttribute("aria-pressed", String(!visible));
    }
    this.#speak(left);
    if (left <= 0 && !this.still && !this.rung) {
      this.rung = true;
      this.zero();
    }
  }

  #speak(left) {
    const before = this.last ?? left;
    this.last = left;
    const mark = SPOKEN_MIN.find((minutes) => before > minutes * 60000 && left <= minutes * 60000);
    const region = document.getElementById("spoken");
    if (mark === undefined || !region) return;
    region.textContent = mark === 1 ? "1 minute left." : `${mark} minutes left.`;
    const told = document.getElementById("told");
    if (told) told.textContent = TOLD[mark];
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => {
      for (const id of ["spoken", "told"]) {
        const now = document.getElementById(id);
        if (now) now.textContent = "";
      }
    }, CLEAR_MS);
  }
}

function say(ms) {
  const seconds = Math.ceil(ms / 1000);
  const [hour, minute, second] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hour ? `${hour}:${two(minute)}:${two(second)}` : `${minute}:${two(second)}`;
}
