// Events on their way to the server: kept in this tab's session storage until they are
// acknowledged, sent one at a time in order, tried again for as long as it takes.

const RETRY_MS = [300, 600, 1000, 2000, 4000];

export class Outbox {
  // `on` gets called with ("state", saved|saving|waiting) and ("ack", status, ack, event).
  constructor(sitting, on) {
    this.url = `/api/sittings/${sitting}/events`;
    this.key = `burnin:outbox:${sitting}`;
    this.on = on;
    this.failures = 0;
    this.busy = false;
    this.events = this.#read();
    addEventListener("online", () => this.#soon(0));
    if (this.events.length) this.#soon(0);
  }

  add(event) {
    this.events.push({ id: freshId(), ...event });
    this.#write();
    this.on("state", "saving");
    this.#soon(0);
  }

  // What the page shows until the server knows it: the last event of a kind on an item.
  pending(item, kind) {
    return this.events.findLast((event) => event.item === item && event.kind === kind);
  }

  get empty() {
    return this.events.length === 0;
  }

  // Resolves when everything is acknowledged, or with false after `ms`.
  async drained(ms) {
    const end = performance.now() + ms;
    while (!this.empty && performance.now() < end) await new Promise((done) => setTimeout(done, 15));
    return this.empty;
  }

  #soon(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#send(), ms);
  }

  async #send() {
    if (this.busy || this.empty) return;
    this.busy = true;
    const event = this.events[0];
    let status = 0;
    let ack = null;
    try {
      const response = await fetch(this.url, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(event),
        keepalive: true,
        signal: AbortSignal.timeout(8000),
      });
      status = response.status;
      ack = await response.json();
    } catch {
      status = 0;
    }
    this.busy = false;
    if (status === 0 || status >= 500 || status === 408 || status === 429) {
      const wait = RETRY_MS[Math.min(this.failures, RETRY_MS.length - 1)];
      this.failures += 1;
      this.on("state", "waiting");
      this.#soon(wait);
      return;
    }
    this.failures = 0;
    this.events.shift();
    if (status === 409) {
      // What was queued behind a refused answer was chosen without knowing the stored one.
      this.events = this.events.filter((other) => other.item !== event.item || other.kind !== "answered");
    } else if (ack && ack.ok) {
      for (const other of this.events) if (other.item === event.item && "seen" in other) other.seen = ack.seen;
    }
    this.#write();
    this.on("ack", status, ack, event);
    if (this.empty) this.on("state", "saved");
    else this.#soon(0);
  }

  #read() {
    try {
      const stored = JSON.parse(sessionStorage.getItem(this.key) || "[]");
      return Array.isArray(stored) ? stored : [];
    } catch {
      return [];
    }
  }

  #write() {
    try {
      if (this.empty) sessionStorage.removeItem(this.key);
      else sessionStorage.setItem(this.key, JSON.stringify(this.events));
    } catch {
      // Storage is full or forbidden: the queue still lives in this page.
    }
  }
}

function freshId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
