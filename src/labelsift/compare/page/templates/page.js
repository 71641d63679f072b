// SPDX-License-Identifier: BSD-3-Clause
// Draws figures when they come into view, and makes tabs, toggles, tables and exports work.
(() => {
  "use strict";
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const PRINT_WIDTH = 660;

  // Colours: names of the style sheet, perhaps with an opacity, looked up when drawing.
  const probe = document.body.appendChild(document.createElement("i"));
  probe.hidden = true;
  function colour(words) {
    const [name, opacity] = words.split(" ");
    probe.style.color = `var(--${name})`;
    const parts = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).join(",");
    return `rgba(${parts},${opacity ?? 1})`;
  }
  const SCALES = {
    sequential: () => [[0, colour("well")], [1, colour("accent")]],
    diverging: () => [[0, colour("method-1")], [0.5, colour("paper")], [1, colour("method-0")]],
  };
  const COLOUR_KEYS = new Set(["color", "fillcolor", "plot_bgcolor"]);
  function coloured(value, key) {
    if (Array.isArray(value)) return value.map((part) => coloured(part, ""));
    if (value && typeof value === "object") {
      return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, coloured(v, k)]));
    }
    if (typeof value !== "string") return value;
    if (key === "colorscale") return SCALES[value]();
    return COLOUR_KEYS.has(key) ? colour(value) : value;
  }

  // Methods that are shown, in every figure of curves.
  const chips = all(".chip");
  const isShown = (method) =>
    chips.find((chip) => chip.dataset.method === method).ariaPressed === "true";
  const bands = document.getElementById("bands");
  function visible(trace) {
    if (!trace.meta || trace.meta.method === undefined) return true;
    return isShown(trace.meta.method) && (!trace.meta.band || bands.ariaPressed === "true");
  }

  function specification(figure) {
    const plain = JSON.parse(figure.querySelector("script").textContent);
    const data = plain.data.map((trace) => {
      const full = { ...coloured(trace, ""), visible: visible(trace) };
      if (trace.meta && trace.meta.rows) {
        full.customdata = trace.meta.rows.map((r) => trace.meta.columns.map((c) => `${r} × ${c}`));
      }
      return full;
    });
    const axis = {
      gridcolor: colour("rule"), zerolinecolor: colour("rule"), linecolor: colour("rule"),
      tickfont: { size: 12 }, automargin: true,
    };
    const titled = (own = {}) => ({
      ...axis, ...own, ...(own.title && { title: { font: { size: 13 }, ...own.title } }),
    });
    const layout = coloured(plain.layout, "");
    return {
      data,
      layout: {
        showlegend: false,
        paper_bgcolor: "rgba(0,0,0,0)",
        plot_bgcolor: "rgba(0,0,0,0)",
        dragmode: matchMedia("(pointer: coarse)").matches ? false : "zoom",
        margin: { l: 56, r: 12, t: 28, b: 48 },
        font: { family: getComputedStyle(document.body).fontFamily, size: 13, color: colour("ink") },
        hoverlabel: {
          bgcolor: colour("paper"), bordercolor: colour("rule"), align: "left",
          font: { color: colour("ink") },
        },
        ...layout,
        xaxis: titled(layout.xaxis),
        yaxis: titled(layout.yaxis),
      },
    };
  }

  function draw(figure, width) {
    const { data, layout } = specification(figure);
    const canvas = figure.querySelector(".canvas");
    canvas.style.height = `${layout.height}px`;
    if (width) layout.width = width;
    const options = { displayModeBar: false, responsive: !width, displaylogo: false };
    figure.dataset.drawn = "yes";
    return Plotly.react(canvas, data, layout, options);
  }
  const figures = all(".plot");
  const inLayout = (figure) => figure.offsetParent !== null;
  const redraw = () => figures.filter((f) => f.dataset.drawn && inLayout(f)).forEach((f) => draw(f));

  const watcher = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) draw(target);
    }
  }, { rootMargin: "300px" });
  figures.forEach((figure) => watcher.observe(figure));

  // Light and dark.
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
  document.getElementById("theme").addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    redraw();
  });
  dark.addEventListener("change", redraw);

  // Paper is white and narrow.
  let before;
  addEventListener("beforeprint", () => {
    before = root.dataset.theme;
    root.dataset.theme = "light";
    figures.filter(inLayout).forEach((f) => {
      const share = f.closest(".columns > div:not(:only-child)") ? 0.45 : 1;
      draw(f, PRINT_WIDTH * share);
    });
  });
  addEventListener("afterprint", () => {
    if (before) root.dataset.theme = before;
    else delete root.dataset.theme;
    redraw();
  });

  // Methods are shown and hidden in all curves at once.
  function restyle() {
    for (const figure of all("[role=tabpanel] .plot").filter((f) => f.dataset.drawn)) {
      const canvas = figure.querySelector(".canvas");
      Plotly.restyle(canvas, { visible: canvas.data.map(visible) });
    }
  }
  const press = (button, on) => { button.ariaPressed = String(on); };
  const toggle = (button) => press(button, button.ariaPressed !== "true");
  for (const chip of chips) {
    chip.addEventListener("click", () => { toggle(chip); restyle(); });
  }
  for (const button of all("[data-show]")) {
    button.addEventListener("click", () => {
      chips.forEach((chip) => press(chip, button.dataset.show === "all"));
      restyle();
    });
  }
  if (bands) bands.addEventListener("click", () => { toggle(bands); restyle(); });

  // Tabs, by click or with the arrow keys.
  const tabs = all("[role=tab]");
  function open(tab) {
    for (const other of tabs) {
      const chosen = other === tab;
      other.ariaSelected = String(chosen);
      other.tabIndex = chosen ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !chosen;
    }
    all(".plot", document.getElementById(tab.getAttribute("aria-controls"))).forEach((f) => draw(f));
  }
  tabs.forEach((tab, place) => {
    tab.addEventListener("click", () => open(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = tabs[(place + step + tabs.length) % tabs.length];
      next.focus();
      open(next);
    });
  });

  // The choice of one method.
  const method = document.getElementById("method");
  function choose() {
    for (const choice of all(".choice")) choice.hidden = choice.id !== method.value;
    all(".plot", document.getElementById(method.value)).forEach((f) => draw(f));
  }
  if (method) {
    method.addEventListener("change", choose);
    // A browser may bring back an earlier choice when the page is loaded again.
    if (document.getElementById(method.value).hidden) choose();
  }

  // Tables are sorted by their heads; cells without a value stay last.
  function sort(head) {
    const table = head.closest("table");
    const place = head.cellIndex;
    const numeric = head.classList.contains("number");
    const first = numeric ? "descending" : "ascending";
    const second = numeric ? "ascending" : "descending";
    const direction = head.ariaSort === first ? second : first;
    all("th", table).forEach((other) => other.removeAttribute("aria-sort"));
    head.ariaSort = direction;
    const sign = direction === "ascending" ? 1 : -1;
    const value = (row) => {
      const cell = row.cells[place];
      return numeric ? cell.dataset.sort : cell.textContent.trim();
    };
    const rows = [...table.tBodies[0].rows].sort((a, b) => {
      const [x, y] = [value(a), value(b)];
      if (x === "" || y === "") return (x === "") - (y === "");
      return sign * (numeric ? x - y : x.localeCompare(y, undefined, { numeric: true }));
    });
    table.tBodies[0].append(...rows);
  }
  for (const head of all(".sortable th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(head));
  }

  // Exports.
  function save(name, content, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
  for (const button of all("[data-export]")) {
    button.addEventListener("click", () => {
      const name = button.dataset.export;
      const json = JSON.parse(document.querySelector(`script[data-file="${name}"]`).textContent);
      if (typeof json === "string") save(name, json, "text/csv");
      else save(name, JSON.stringify(json, null, 1), "application/json");
    });
  }
  for (const button of all("[data-picture]")) {
    button.addEventListener("click", async () => {
      const figure = button.closest(".plot");
      const format = button.dataset.picture;
      // A picture that leaves the page is light, on white, and names its lines.
      const theme = root.dataset.theme;
      root.dataset.theme = "light";
      const { data, layout } = specification(figure);
      Object.assign(layout, { paper_bgcolor: "white", showlegend: true });
      if (theme) root.dataset.theme = theme;
      else delete root.dataset.theme;
      const size = { width: 960, height: layout.height, scale: 2 };
      await Plotly.downloadImage({ data, layout }, { format, filename: figure.id, ...size });
    });
  }
})();
