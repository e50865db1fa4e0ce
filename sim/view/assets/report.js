"use strict";
// The interactive parts of a report: tooltips of control words, the timeline, the register banks.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const at = (id) => document.getElementById(id);
  const SVG = "http://www.w3.org/2000/svg";
  const ROW = 20, BAR = 14, TOP = 22;
  const hex = (n) => "0x" + n.toString(16).padStart(4, "0");
  const plural = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");

  function draw(parent, tag, attributes, text) {
    const node = document.createElementNS(SVG, tag);
    for (const name in attributes) node.setAttribute(name, attributes[name]);
    if (text !== undefined) node.textContent = text;
    parent.appendChild(node);
    return node;
  }
  function element(parent, tag, text, name) {
    const node = document.createElement(tag);
    if (text !== undefined) node.textContent = text;
    if (name) node.className = name;
    parent.appendChild(node);
    return node;
  }

  // --- tooltips of whatever carries data-tip
  const tip = at("tip");
  function show(target) {
    tip.textContent = target.dataset.tip;
    tip.hidden = false;
    const box = target.getBoundingClientRect();
    const left = Math.min(box.left, document.documentElement.clientWidth - tip.offsetWidth - 16);
    tip.style.left = Math.max(8, left) + window.scrollX + "px";
    tip.style.top = box.bottom + 6 + window.scrollY + "px";
  }
  const tipped = (event) => event.target.closest ? event.target.closest("[data-tip]") : null;
  for (const name of ["mouseover", "focusin"])
    document.addEventListener(name, (event) => { const target = tipped(event); if (target) show(target); });
  for (const name of ["mouseout", "focusout"])
    document.addEventListener(name, (event) => { if (tipped(event)) tip.hidden = true; });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  // --- what is shown: the rows of one warp, or of all
  const rows = data.instructions.map((one, index) => ({
    index, step: one[0], iteration: one[1], warp: one[2], issue: one[3], runs: one[4], reads: one[5],
  }));
  const place = new Map(rows.map((row) => [row.warp + "/" + row.iteration + "/" + row.step, row.index]));
  const PHASES = data.phases, REASONS = data.reasons;
  let shown = [], scale = 10, chosen = -1;
  const begin = (row) => row.runs[0][0];
  const end = (row) => row.runs[row.runs.length - 1][0] + row.runs[row.runs.length - 1][1];
  let first = 0, last = 1;

  function look(run) {
    const phase = PHASES[run[2]].look;
    return phase === "wait" ? REASONS[run[3]].look : phase;
  }
  function meaning(run) {
    const phase = PHASES[run[2]];
    if (phase.look === "wait") return "waits: " + REASONS[run[3]].name;
    if (phase.look === "read") return "reads " + banks(run[3]);
    return phase.name;
  }
  function banks(mask) {
    const names = [];
    for (let b = 0; mask >> b; ++b) if ((mask >> b) & 1) names.push("bank " + b);
    return names.join(" and ");
  }
  function title(row) {
    const step = data.steps[row.step];
    return hex(step.address) + " " + step.text;
  }

  function sources(row) {
    return data.steps[row.step].needs.map(([step, distance, what]) =>
      ({ what, index: place.get(row.warp + "/" + (row.iteration - distance) + "/" + step) }));
  }
  function readers(row) {
    const found = [];
    for (const other of rows)
      if (other.warp === row.warp && other.iteration - row.iteration <= 1 && other.iteration >= row.iteration)
        for (const need of sources(other)) if (need.index === row.index) found.push({ what: need.what, index: other.index });
    return found;
  }

  // --- the chart
  function ruler(svg, height) {
    const step = scale >= 7 ? 10 : scale >= 3 ? 20 : 50;
    for (let cycle = 0; first + cycle < last; cycle += step) {
      const x = cycle * scale + .5;
      draw(svg, "path", { class: "grid", d: "M" + x + " 14V" + height });
      draw(svg, "text", { class: "tick", x: x + 3, y: 12 }, cycle);
    }
  }
  function size(svg, height) {
    svg.replaceChildren();
    const width = (last - first) * scale + 20;
    svg.setAttribute("width", width);
    svg.setAttribute("height", height);
    ruler(svg, height);
  }
  function drawRow(svg, row, y) {
    const group = draw(svg, "g", { "data-row": row.index });
    draw(group, "rect", { class: row.index === chosen ? "row-on" : "", fill: "transparent", x: 0, y: y - 3,
      width: (last - first) * scale + 20, height: ROW });
    for (const run of row.runs) {
      const x = (run[0] - first) * scale, width = Math.max(1, run[1] * scale - 1);
      const bar = draw(group, "rect", { class: "c-" + look(run), x, y, width, height: BAR });
      draw(bar, "title", {}, meaning(run) + ", " + plural(run[1], "cycle"));
      const words = meaning(run).replace(/^waits: /, "");
      if (PHASES[run[2]].look === "read" && scale >= 8)
        draw(group, "text", { class: "on", x: x + 2, y: y + 11 }, words.length > 12 ? "+" : words.slice(-1));
      else if (PHASES[run[2]].look === "wait" && width > words.length * 6.8 + 8)
        draw(group, "text", { x: x + 4, y: y + 11 }, words);
    }
  }
  function arrows(svg) {
    if (chosen < 0) return;
    const y = new Map(shown.map((row, i) => [row.index, TOP + i * ROW + BAR / 2]));
    const row = rows[chosen];
    for (const { index } of sources(row)) {
      if (index === undefined || !y.has(index) || index === chosen) continue;
      const from = (end(rows[index]) - first) * scale, to = (row.issue - first) * scale;
      draw(svg, "path", { class: "arrow", d: "M" + from + " " + y.get(index) + "C" + (from + 20) + " " + y.get(index) +
        " " + (to - 20) + " " + y.get(chosen) + " " + to + " " + y.get(chosen) });
    }
  }
  function drawChart() {
    const svg = at("chart");
    size(svg, TOP + shown.length * ROW + 4);
    shown.forEach((row, i) => drawRow(svg, row, TOP + i * ROW + 3));
    arrows(svg);
  }
  function drawBanks() {
    const svg = at("bank-chart"), lanes = data.banks + 1;
    size(svg, TOP + lanes * ROW + 4);
    for (const [cycle, reason] of data.stops) {
      if (cycle < first || cycle >= last) continue;
      const bar = draw(svg, "rect", { class: "c-conflict", x: (cycle - first) * scale, y: TOP + 3, width: Math.max(1, scale - 1), height: BAR });
      draw(bar, "title", {}, "cycle " + (cycle - first) + ": stands still, " + REASONS[reason].name);
    }
    for (const row of rows) for (const [cycle, reg, bank, from] of row.reads) {
      if (from === "r" || cycle < first || cycle >= last) continue;
      const x = (cycle - first) * scale, y = TOP + (bank + 1) * ROW + 3;
      const bar = draw(svg, "rect", { class: "bank" + bank % 4, x, y, width: Math.max(1, scale - 1), height: BAR });
      const name = reg < 0 ? "a register" : "R" + reg;
      draw(bar, "title", {}, "cycle " + (cycle - first) + ": " + name + " of warp " + row.warp + " for " + title(row));
      if (scale >= 22) draw(svg, "text", { class: "on", x: x + 2, y: y + 11 }, reg < 0 ? "?" : reg);
    }
  }

  // --- the list beside it
  function drawNames() {
    const names = at("names");
    names.replaceChildren();
    shown.forEach((row, i) => {
      const item = element(names, "div");
      item.id = "row-" + row.index;
      item.setAttribute("role", "option");
      item.dataset.row = row.index;
      const many = i === 0 || shown[i - 1].warp !== row.warp || shown[i - 1].iteration !== row.iteration;
      element(item, "span", hex(data.steps[row.step].address) + " ", "address");
      item.append(data.steps[row.step].text + " ");
      if (many) element(item, "small", "w" + row.warp + " i" + row.iteration);
      item.title = title(row);
    });
  }
  function mark() {
    const names = at("names"), needs = new Set(), gives = new Set();
    if (chosen >= 0) {
      for (const one of sources(rows[chosen])) needs.add(one.index);
      for (const one of readers(rows[chosen])) gives.add(one.index);
    }
    for (const item of names.children) {
      const index = Number(item.dataset.row);
      item.className = (index === chosen ? "on " : "") + (needs.has(index) ? "from " : "") + (gives.has(index) ? "to" : "");
      item.setAttribute("aria-selected", index === chosen);
    }
    if (chosen >= 0) names.setAttribute("aria-activedescendant", "row-" + chosen);
  }
  function details() {
    const box = at("details");
    box.replaceChildren();
    if (chosen < 0) return;
    const row = rows[chosen], step = data.steps[row.step];
    element(box, "p").append(element(document.createDocumentFragment(), "code", title(row)));
    element(box, "p", "Warp " + row.warp + ", iteration " + row.iteration + (step.pipe ? ", pipe " + step.pipe : "") +
      ", control word " + step.control + ". Issued in cycle " + (row.issue - first) + ".", "note");
    const list = element(box, "ul");
    const waits = row.runs.filter((run) => PHASES[run[2]].look === "wait");
    if (!waits.length) element(list, "li", "It did not wait: it issued right behind the instruction before.");
    for (const run of waits)
      element(list, "li", "Waited " + plural(run[1], "cycle") + ", " + (run[0] - first) + " to " + (run[0] + run[1] - 1 - first) +
        ": " + REASONS[run[3]].name + ", " + REASONS[run[3]].help + ".");
    for (const [cycle, reg, bank, from] of row.reads)
      element(list, "li", (reg < 0 ? "A register" : "R" + reg) + (from === "r" ? " came from the reuse cache." :
        " was read from bank " + bank + " in cycle " + (cycle - first) + (from === "f" ? ", through the register feed." : ".")));
    for (const need of sources(row))
      element(list, "li", "Depends on " + (need.index === undefined ? "an earlier iteration" : title(rows[need.index]) +
        (rows[need.index].iteration === row.iteration ? "" : " of the iteration before")) + " by " + need.what + ".");
    for (const one of readers(row))
      element(list, "li", title(rows[one.index]) + " depends on it by " + one.what + ".");
  }
  function choose(index, reveal) {
    if (index === chosen) return;
    chosen = index;
    mark();
    details();
    drawChart();
    if (reveal) bring(rows[index].issue);
  }
  // Scrolls the chart until a cycle shows.
  function bring(cycle) {
    const box = at("scroll"), x = (cycle - first) * scale;
    if (x < box.scrollLeft || x > box.scrollLeft + box.clientWidth - 10 * scale)
      box.scrollLeft = x - box.clientWidth / 4;
  }

  // --- zoom, pan, choice of the warp
  function legend() {
    const seen = new Map();
    for (const row of shown) for (const run of row.runs) {
      const phase = PHASES[run[2]].look, name = look(run);
      if (!seen.has(name)) seen.set(name, phase === "wait" ? data.looks[name] : PHASES[run[2]].name);
    }
    const list = at("legend");
    list.replaceChildren();
    for (const [name, words] of seen) {
      const item = element(list, "li");
      element(item, "i", undefined, "c-" + name);
      item.append(words);
    }
  }
  function zoom(next, anchor) {
    const box = at("scroll");
    const x = anchor === undefined ? box.clientWidth / 2 : anchor;
    const cycle = (box.scrollLeft + x) / scale;
    scale = Math.min(60, Math.max(.5, next));
    drawChart();
    drawBanks();
    box.scrollLeft = cycle * scale - x;
  }
  const fitting = () => (at("scroll").clientWidth - 20) / (last - first);
  function render() {
    const warp = at("warp").value;
    shown = rows.filter((row) => warp === "all" || row.warp === Number(warp));
    shown.sort((a, b) => a.warp - b.warp || a.issue - b.issue);
    first = Math.min(...shown.map(begin));
    last = Math.max(...shown.map(end));
    chosen = -1;
    drawNames();
    legend();
    details();
    zoom(Math.max(4, fitting()));
    if (shown.length) bring(shown[0].issue);
  }
  function pan(box, other) {
    let from = null;
    box.addEventListener("pointerdown", (event) => { from = event.clientX + box.scrollLeft; box.classList.add("drag"); });
    window.addEventListener("pointerup", () => { from = null; box.classList.remove("drag"); });
    window.addEventListener("pointermove", (event) => { if (from !== null) box.scrollLeft = from - event.clientX; });
    box.addEventListener("scroll", () => { if (other.scrollLeft !== box.scrollLeft) other.scrollLeft = box.scrollLeft; });
    box.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      zoom(scale * (event.deltaY < 0 ? 1.25 : .8), event.clientX - box.getBoundingClientRect().left);
    }, { passive: false });
    box.addEventListener("keydown", (event) => {
      if (event.key === "+" || event.key === "=") zoom(scale * 1.25);
      if (event.key === "-") zoom(scale * .8);
    });
  }
  for (const id of ["names", "chart"])
    at(id).addEventListener("mousemove", (event) => {  // not mouseover, which scrolling by keys causes, too
      const target = event.target.closest("[data-row]");
      if (target) choose(Number(target.dataset.row), id === "names");
    });
  at("names").addEventListener("keydown", (event) => {
    const way = { ArrowDown: 1, ArrowUp: -1, Home: -1e9, End: 1e9 }[event.key];
    if (way === undefined) return;
    event.preventDefault();
    const now = shown.findIndex((row) => row.index === chosen);
    const next = Math.min(shown.length - 1, Math.max(0, now + way));
    choose(shown[next].index, true);
    at("row-" + chosen).scrollIntoView({ block: "nearest" });
  });
  at("in").addEventListener("click", () => zoom(scale * 1.25));
  at("out").addEventListener("click", () => zoom(scale * .8));
  at("fit").addEventListener("click", () => zoom(fitting()));
  const warps = [...new Set(rows.map((row) => row.warp))];
  for (const warp of warps) element(at("warp"), "option", String(warp)).value = warp;
  if (warps.length > 1) element(at("warp"), "option", "all").value = "all";
  at("warp").addEventListener("change", render);
  element(at("bank-names"), "div", "front end stands still");
  for (let b = 0; b < data.banks; ++b) element(at("bank-names"), "div", "bank " + b);
  pan(at("scroll"), at("bank-scroll"));
  pan(at("bank-scroll"), at("scroll"));
  if (rows.length) render();
})();
