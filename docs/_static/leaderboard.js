// SPDX-License-Identifier: BSD-3-Clause
// The leaderboard's page: ranks, curves and seconds from window.LEADERBOARD, which
// data.js sets. No server, no library.
(function () {
  "use strict";
  const board = window.LEADERBOARD;
  const app = document.getElementById("board-app");
  if (!board || !app) return;
  const SVG = "http://www.w3.org/2000/svg";
  const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#56b4e9", "#a03050", "#6a51a3"];
  const byId = (id) => document.getElementById(id);

  function make(name, options, parent) {
    const node = name.startsWith("svg:")
      ? document.createElementNS(SVG, name.slice(4)) : document.createElement(name);
    for (const [key, value] of Object.entries(options || {})) {
      if (key === "text") node.textContent = value;
      else node.setAttribute(key, value);
    }
    if (parent) parent.appendChild(node);
    return node;
  }

  function choice(id, label, entries, chosen, parent) {
    const around = make("label", { text: label + " " }, parent);
    const select = make("select", { id }, around);
    fill(select, entries, chosen);
    return select;
  }

  function fill(select, entries, chosen) {
    select.replaceChildren();
    for (const [value, text] of entries) {
      const option = make("option", { value, text }, select);
      if (value === chosen) option.selected = true;
    }
  }

  // Controls.
  const bar = make("div", { class: "board-controls" }, app);
  const measure = choice("board-measure", "Measure",
    Object.entries(board.measures).map(([k, v]) => [k, v[0] + (v[1] ? " ↑" : " ↓")]), "macro_auc", bar);
  const readout = choice("board-readout", "Read-out", Object.entries(board.readouts), "ridge", bar);
  const share = choice("board-share", "Features", [], "", bar);
  const around = make("label", { text: "Methods " }, bar);
  const search = make("input", { id: "board-search", type: "search", placeholder: "part of a name", size: 12 }, around);
  const sets = make("fieldset", { class: "board-sets" }, app);
  make("legend", { text: "Data sets" }, sets);
  const boxes = board.data.map((name) => {
    const label = make("label", {}, sets);
    const box = make("input", { type: "checkbox", value: name }, label);
    box.checked = true;
    label.append(" " + name);
    return box;
  });
  const holder = make("div", { class: "board-scroll" }, app);
  const table = make("table", { id: "board-table", class: "docutils" }, holder);
  const said = make("p", { id: "board-said", "aria-live": "polite" }, app);
  let sorting = ["rank", 1];

  function shares() {
    const known = board.shares[readout.value];
    const before = share.value || "10%";
    fill(share, known.map((s) => [s, s]), known.includes(before) ? before : "10%");
  }

  const mean = (list) => list.length ? list.reduce((a, b) => a + b, 0) / list.length : NaN;

  function median(list) {
    const sorted = list.filter((x) => x !== null).sort((a, b) => a - b);
    return sorted.length ? sorted[Math.floor((sorted.length - 1) / 2)] : NaN;
  }

  function chosenSets() {
    return boxes.map((box, k) => (box.checked ? k : -1)).filter((k) => k >= 0);
  }

  // Ranks on one data set: 1 is the best, equal values share, no value comes last.
  function ranksOn(values, places, greater, k) {
    const scored = places.map((m) => {
      const x = values[m][k];
      return x === null ? -Infinity : greater ? x : -x;
    });
    return scored.map((x) => {
      const better = scored.filter((y) => y > x).length;
      const equal = scored.filter((y) => y === x).length;
      return better + (equal + 1) / 2;
    });
  }

  function rows() {
    const values = board.values[measure.value][readout.value][share.value];
    const greater = board.measures[measure.value][1];
    const used = chosenSets();
    const ranked = board.methods.map((_, m) => m).filter((m) => board.methods[m] !== "all-features");
    const random = board.methods.indexOf("random");
    const ranks = used.map((k) => ranksOn(values, ranked, greater, k));
    return board.methods.map((name, m) => {
      const own = used.map((k) => values[m][k]).filter((x) => x !== null);
      const place = ranked.indexOf(m);
      const ended = board.endings[name] || { timeout: [], failed: [] };
      const names = used.map((k) => board.data[k]);
      const above = used.filter((k) => values[m][k] !== null && values[random][k] !== null &&
        (greater ? values[m][k] > values[random][k] : values[m][k] < values[random][k])).length;
      return {
        name,
        rank: place < 0 ? NaN : mean(ranks.map((r) => r[place])),
        first: place < 0 ? NaN : ranks.filter((r) => r[place] === 1).length,
        value: own.length === used.length ? mean(own) : NaN,
        above: name === "random" ? NaN : above,
        seconds: median(used.map((k) => board.seconds[m][k])),
        memory: board.memory[name] ?? NaN,
        stability: board.stability[name] ?? NaN,
        lost: names.filter((d) => ended.timeout.includes(d)).length +
          names.filter((d) => ended.failed.includes(d)).length,
      };
    });
  }

  const COLUMNS = [
    ["name", "method", 1], ["rank", "mean rank", 1], ["first", "first on", -1], ["value", "mean value", -1],
    ["above", "above random on", -1], ["seconds", "seconds", 1], ["memory", "most MiB", 1], ["stability", "stability", -1],
    ["lost", "time-outs, failures", -1],
  ];
  const FORMS = {
    rank: (x) => x.toFixed(2), value: (x) => x.toFixed(3), memory: (x) => x.toFixed(0),
    stability: (x) => x.toFixed(2), seconds: (x) => Number(x.toPrecision(2)).toString(),
  };

  function shown(row, key) {
    if (key === "name") return row.name === "random" ? "random ranking" : row.name === "all-features" ? "all features" : row.name;
    const x = row[key];
    if (Number.isNaN(x)) return "–";
    return FORMS[key] ? FORMS[key](x) : String(x);
  }

  function compare(a, b) {
    const [key, sign] = sorting;
    if (key === "name") return sign * a.name.localeCompare(b.name);
    const [x, y] = [a[key], b[key]];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
    return sign * (x - y) || a.rank - b.rank;
  }

  function drawTable(all) {
    const wanted = search.value.trim().toLowerCase();
    const visible = all.filter((row) => !wanted || shown(row, "name").includes(wanted) || board.controls.includes(row.name));
    visible.sort(compare);
    table.replaceChildren();
    const head = make("tr", {}, make("thead", {}, table));
    for (const [key, title, sign] of COLUMNS) {
      const cell = make("th", { scope: "col", "aria-sort": sorting[0] === key ? (sorting[1] > 0 ? "ascending" : "descending") : "none" }, head);
      const button = make("button", { type: "button", text: title }, cell);
      button.addEventListener("click", () => {
        const down = key === "value" && !board.measures[measure.value][1] ? 1 : sign;
        sorting = [key, sorting[0] === key ? -sorting[1] : down];
        draw();
      });
    }
    const body = make("tbody", {}, table);
    for (const row of visible) {
      const line = make("tr", board.controls.includes(row.name) ? { class: "board-control" } : {}, body);
      COLUMNS.forEach(([key], k) => make(k ? "td" : "th", k ? { text: shown(row, key) } : { text: shown(row, key), scope: "row" }, line));
    }
    const n = chosenSets().length;
    said.textContent = `${visible.length} methods on ${n} data set${n === 1 ? "" : "s"}. A method without a value on a data set shares the last rank there.`;
  }

  // Plots.
  function frame(id, width, height, label) {
    const place = byId(id);
    place.replaceChildren();
    return make("svg:svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label }, place);
  }

  function text(svg, x, y, content, options) {
    return make("svg:text", { x, y, text: content, ...(options || {}) }, svg);
  }

  function axis(svg, box, low, high, form, vertical) {
    for (let k = 0; k <= 4; k++) {
      const at = low + (high - low) * k / 4;
      const y = box.bottom - (box.bottom - box.top) * k / 4;
      const x = box.left + (box.right - box.left) * k / 4;
      if (vertical) {
        make("svg:line", { x1: box.left, x2: box.right, y1: y, y2: y, class: "grid" }, svg);
        text(svg, box.left - 6, y + 4, form(at), { "text-anchor": "end" });
      } else {
        make("svg:line", { x1: x, x2: x, y1: box.top, y2: box.bottom, class: "grid" }, svg);
        text(svg, x, box.bottom + 18, form(at), { "text-anchor": "middle" });
      }
    }
  }

  const set = choice("board-set", "Data set", board.data.map((d) => [d, d]), board.data[0], byId("board-curve-controls"));
  const lines = choice("board-lines", "Show", [["best", "the six best, random, all features"], ["found", "methods found by the search above"]], "best", byId("board-curve-controls"));

  function drawCurves(all) {
    const k = board.data.indexOf(set.value);
    const known = board.shares[readout.value];
    const values = board.values[measure.value][readout.value];
    const greater = board.measures[measure.value][1];
    const level = (name) => mean(known.map((s) => values[s][board.methods.indexOf(name)][k] ?? NaN));
    const others = all.map((r) => r.name).filter((n) => !board.controls.includes(n));
    const wanted = search.value.trim().toLowerCase();
    let names = lines.value === "found" ? others.filter((n) => n.includes(wanted)).slice(0, 8)
      : others.filter((n) => !Number.isNaN(level(n))).sort((a, b) => (greater ? level(b) - level(a) : level(a) - level(b))).slice(0, 6);
    names = [...names, ...board.controls];
    const series = names.map((name) => known.map((s) => values[s][board.methods.indexOf(name)][k]));
    const flat = series.flat().filter((x) => x !== null);
    const low = Math.min(...flat), high = Math.max(...flat), room = (high - low || 1) * 0.05;
    const box = { left: 58, right: 470, top: 14, bottom: 300 };
    const svg = frame("board-curves", 680, 340, `${board.measures[measure.value][0]} on ${set.value} against the share of the features`);
    axis(svg, box, low - room, high + room, (x) => x.toFixed(3), true);
    const x = (i) => box.left + (box.right - box.left) * (known.length > 1 ? i / (known.length - 1) : 0.5);
    const y = (v) => box.bottom - (box.bottom - box.top) * (v - low + room) / (high - low + 2 * room);
    known.forEach((s, i) => text(svg, x(i), box.bottom + 18, s.replace("%", " %"), { "text-anchor": "middle" }));
    text(svg, (box.left + box.right) / 2, box.bottom + 36, "share of the features", { "text-anchor": "middle" });
    names.forEach((name, n) => {
      const control = board.controls.includes(name);
      const colour = control ? "var(--color-foreground-muted)" : COLOURS[n % COLOURS.length];
      const points = series[n].map((v, i) => (v === null ? null : `${x(i)},${y(v)}`)).filter(Boolean);
      make("svg:polyline", { points: points.join(" "), fill: "none", style: `stroke:${colour}`, "stroke-width": 2, "stroke-dasharray": control ? (name === "random" ? "2 4" : "7 4") : "none" }, svg);
      const at = 24 + 22 * n;
      make("svg:line", { x1: 490, x2: 516, y1: at - 4, y2: at - 4, style: `stroke:${colour}`, "stroke-width": 2, "stroke-dasharray": control ? (name === "random" ? "2 4" : "7 4") : "none" }, svg);
      text(svg, 522, at, shown({ name }, "name"));
    });
  }

  function drawPareto(all) {
    const points = all.filter((r) => !board.controls.includes(r.name) && !Number.isNaN(r.seconds) && !Number.isNaN(r.rank));
    const box = { left: 58, right: 650, top: 14, bottom: 340 };
    const svg = frame("board-pareto", 680, 385, "Mean rank against seconds of a fit");
    const logs = points.map((r) => Math.log10(Math.max(r.seconds, 1e-4)));
    const left = Math.min(...logs) - 0.1, right = Math.max(...logs) + 0.5;
    const low = Math.min(...points.map((r) => r.rank)) - 1, high = Math.max(...points.map((r) => r.rank)) + 1;
    axis(svg, box, left, right, (x) => Number((10 ** x).toPrecision(1)).toString(), false);
    axis(svg, box, high, low, (x) => x.toFixed(0), true);
    text(svg, (box.left + box.right) / 2, box.bottom + 38, "median processor seconds of a fit (logarithmic); higher is better", { "text-anchor": "middle" });
    const front = points.filter((p) => !points.some((q) => q !== p && q.seconds <= p.seconds && q.rank <= p.rank && (q.seconds < p.seconds || q.rank < p.rank)));
    front.sort((a, b) => a.seconds - b.seconds);
    const x = (r) => box.left + (box.right - box.left) * (Math.log10(Math.max(r.seconds, 1e-4)) - left) / (right - left);
    const y = (r) => box.top + (box.bottom - box.top) * (r.rank - low) / (high - low);
    make("svg:polyline", { points: front.map((r) => `${x(r)},${y(r)}`).join(" "), class: "front" }, svg);
    for (const r of points) {
      const best = front.includes(r);
      const dot = make("svg:circle", { cx: x(r), cy: y(r), r: best ? 5 : 3.5, class: best ? "best" : "other" }, svg);
      make("svg:title", { text: `${r.name}: mean rank ${r.rank.toFixed(2)}, ${shown(r, "seconds")} s` }, dot);
    }
    let last = -Infinity;
    for (const r of [...front].sort((a, b) => y(a) - y(b))) {
      const at = Math.max(y(r) + 4, last + 13);
      last = at;
      text(svg, Math.min(x(r) + 8, 590), at, r.name, { class: "named" });
    }
    byId("board-front").textContent = "On the front, fastest first: " + front.map((r) => `${r.name} (${shown(r, "seconds")} s, rank ${r.rank.toFixed(1)})`).join(", ") + ".";
  }

  function draw() {
    const all = rows();
    drawTable(all);
    drawCurves([...all]);
    drawPareto(all);
  }

  shares();
  readout.addEventListener("change", () => { shares(); draw(); });
  for (const node of [measure, share, set, lines, ...boxes]) node.addEventListener("change", draw);
  search.addEventListener("input", draw);
  byId("board-static").hidden = true;
  draw();
})();
