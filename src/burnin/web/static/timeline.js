// Timelines of thousands of blocks, drawn on a canvas as figures/timeline.py draws fewer as SVG.

const LEFT = 74;
const RIGHT = 14;
const TOP = 40;
const BOTTOM = 46;
const GAP = 6;
const LANE = 26;
const SHORTEST = 640;
const SCALE = 10000; // what the data count as the whole time

const drawn = new WeakMap();

export function drawAll() {
  for (const canvas of document.querySelectorAll("canvas[data-marks]")) {
    if (!drawn.has(canvas)) {
      drawn.set(canvas, JSON.parse(canvas.dataset.marks));
      resized.observe(canvas.parentElement);
    }
    draw(canvas);
  }
}

const resized = new ResizeObserver((entries) => {
  for (const entry of entries) {
    const canvas = entry.target.querySelector("canvas[data-marks]");
    if (canvas && drawn.has(canvas)) draw(canvas);
  }
});

for (const query of ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"]) {
  matchMedia(query).addEventListener("change", drawAll);
}

function draw(canvas) {
  const data = drawn.get(canvas);
  const width = Math.max(SHORTEST, canvas.parentElement.clientWidth);
  const bottom = TOP + data.lanes.length * (LANE + GAP);
  const height = bottom + BOTTOM;
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const pen = canvas.getContext("2d");
  pen.scale(ratio, ratio);
  const look = colours(canvas, data.kinds.length);
  pen.font = `13px ${look.font}`;
  const inner = width - LEFT - RIGHT;
  axis(pen, data, look, inner, bottom);
  pen.textAlign = "end";
  pen.textBaseline = "middle";
  pen.fillStyle = look.muted;
  data.lanes.forEach((name, lane) => pen.fillText(name, LEFT - 8, TOP + lane * (LANE + GAP) + LANE / 2));
  key(pen, data, look);
  blocks(pen, data, look, inner);
}

// Kind by kind: one fill for all blocks of a kind, then its lines across all of them, so kinds differ
// without colour.
function blocks(pen, data, look, inner) {
  const shapes = data.kinds.map(() => new Path2D());
  const lines = data.kinds.map(() => new Path2D());
  const flat = data.blocks;
  for (let i = 0; i < flat.length; i += 5) {
    const kind = flat[i + 3];
    const share = flat[i + 4];
    const rows = share ? Math.round((share % 1) * 10) : 1;
    const tall = LANE / rows;
    const top = TOP + flat[i] * (LANE + GAP) + Math.floor(share) * tall;
    const left = LEFT + (flat[i + 1] / SCALE) * inner;
    const wide = (flat[i + 2] / SCALE) * inner;
    shapes[kind].rect(left, top, Math.max(0.5, wide - Math.min(0.75, wide / 4)), tall);
    for (let line = 1; line <= kind; line += 1) {
      const at = top + (tall * line) / (kind + 1);
      lines[kind].moveTo(left, at);
      lines[kind].lineTo(left + wide, at);
    }
  }
  pen.lineWidth = 1.5;
  data.kinds.forEach((_, kind) => {
    pen.fillStyle = look.kinds[kind];
    pen.fill(shapes[kind]);
    pen.strokeStyle = look.surface;
    pen.stroke(lines[kind]);
  });
}

function axis(pen, data, look, inner, bottom) {
  pen.textAlign = "center";
  pen.textBaseline = "alphabetic";
  pen.lineWidth = 1;
  const step = round(data.end / 8);
  for (let n = 0; n * step <= data.end * 1.0001; n += 1) {
    const x = LEFT + ((n * step) / data.end) * inner;
    pen.strokeStyle = look.line;
    pen.beginPath();
    pen.moveTo(x, TOP - 4);
    pen.lineTo(x, bottom);
    pen.stroke();
    pen.fillStyle = look.muted;
    pen.fillText(Number((n * step).toPrecision(12)).toLocaleString("en"), x, bottom + 16);
  }
  pen.strokeStyle = look.edge;
  pen.beginPath();
  pen.moveTo(LEFT, bottom);
  pen.lineTo(LEFT + inner, bottom);
  pen.stroke();
  pen.fillText(`Time (${data.unit})`, LEFT + inner / 2, bottom + 36);
}

function key(pen, data, look) {
  const used = new Set();
  for (let i = 3; i < data.blocks.length; i += 5) used.add(data.blocks[i]);
  pen.textAlign = "start";
  let x = LEFT;
  data.kinds.forEach(([, name], kind) => {
    if (!used.has(kind)) return;
    pen.fillStyle = look.kinds[kind];
    pen.fillRect(x, 6, 26, 20);
    pen.strokeStyle = look.surface;
    pen.lineWidth = 1.5;
    for (let line = 1; line <= kind; line += 1) {
      const at = 6 + (20 * line) / (kind + 1);
      pen.beginPath();
      pen.moveTo(x, at);
      pen.lineTo(x + 26, at);
      pen.stroke();
    }
    pen.fillStyle = look.ink;
    pen.fillText(name, x + 32, 17);
    x += 32 + pen.measureText(name).width + 24;
  });
}

// The style sheet knows the colours; a probe of each class reads them for this theme.
function colours(canvas, count) {
  const style = getComputedStyle(canvas);
  const probe = document.createElement("span");
  probe.hidden = true;
  canvas.parentElement.append(probe);
  const read = (value) => {
    probe.style.color = value;
    return getComputedStyle(probe).color;
  };
  const found = {
    font: style.fontFamily,
    ink: read("var(--ink)"),
    muted: read("var(--muted)"),
    line: read("var(--line)"),
    edge: read("var(--edge)"),
    surface: read("var(--surface)"),
    kinds: [],
  };
  for (let kind = 1; kind <= count; kind += 1) {
    probe.className = `s${kind}`;
    found.kinds.push(read("var(--c)"));
  }
  probe.remove();
  return found;
}

function round(rough) {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * [1, 2, 5, 10].find((factor) => power * factor >= rough * (1 - 1e-9));
}
