// Shows what is behind a point of a figure: its words, and the lines of the logs that it comes from. The pointer, a touch
// and the arrow keys reach every point; Enter or a click marks what the point belongs to, everywhere on the page, and
// Delete hides it.
(() => {
  const NEAR = 14; // pixels between the pointer and a point
  const SHOWN_RUNS = 6; // whose lines a card has; of others it has the places
  const MOMENT = 250; // milliseconds in which the pointer may move from a point into its card
  const packed = document.getElementById("excerpts")?.textContent;
  const titles = new Map(); // what browsers show without this script; the card says it
  let unpacked;
  let shown;
  let leaving;

  // Sources and runs; unpacked when the first point is asked.
  function excerpts() {
    if (!packed || typeof DecompressionStream === "undefined") return Promise.resolve({ sources: [], runs: [] });
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    unpacked ??= new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"))).json();
    return unpacked;
  }

  const { make } = page;
  const seriesOf = (point) => point.parentNode.dataset.name ?? point.parentNode.dataset.setting;
  const isShown = (point) => !point.closest(".gone, [hidden]");

  const card = make("div", { className: "card", id: "card", hidden: true });
  card.setAttribute("role", "tooltip");
  document.querySelector("main").append(card);

  // The lines of a run, each with its number; with `only`, that line alone, marked, among its neighbours.
  function linesOf(pieces, only) {
    const lines = pieces.flatMap(([first, text]) => text.split("\n").map((line, at) => [first + at, line]));
    const wanted = only && lines.some(([number]) => number === only) ? lines.filter(([number]) => Math.abs(number - only) <= 3) : only ? [] : lines;
    const rows = wanted.map(([number, line]) =>
      make("div", {}, make("span", { textContent: number }), number === only ? make("mark", { textContent: line }) : line),
    );
    return rows.length ? [make("pre", {}, ...rows)] : [];
  }

  async function contentOf(point) {
    const { sources, runs } = await excerpts();
    const only = Number(point.dataset.line) || 0;
    const numbers = (point.dataset.runs || "").split(" ").filter(Boolean).map(Number);
    const [series, words] = [seriesOf(point), titles.get(point)];
    const sentence = words.slice(words.startsWith(`${series}: `) ? series.length + 2 : 0).split("\n")[0];
    const content = [make("p", {}, make("strong", { textContent: `${view.renamer()(series)}: ` }), sentence)];
    for (const [at, number] of numbers.entries()) {
      if (!runs[number]) continue;
      const [source, line, end, pieces] = runs[number];
      const place = `${sources[source]}:${only || (end > line ? `${line}–${end}` : line)}`;
      content.push(make("p", { className: "place", textContent: place }));
      if (at < SHOWN_RUNS) content.push(...linesOf(pieces, only));
    }
    const more = Number(point.dataset.count || numbers.length) - numbers.length;
    if (more > 0) content.push(make("p", { className: "place", textContent: `and ${more.toLocaleString("en")} more runs` }));
    return content;
  }

  function place(point) {
    const [box, size] = [point.getBoundingClientRect(), card.getBoundingClientRect()];
    const within = document.documentElement.clientWidth - size.width - 8;
    const below = box.bottom + 8 + size.height <= innerHeight || box.top < size.height + 8;
    card.style.left = `${scrollX + Math.max(8, Math.min(box.left, within))}px`;
    card.style.top = `${scrollY + (below ? box.bottom + 8 : box.top - 8 - size.height)}px`;
  }

  async function show(point) {
    clearTimeout(leaving);
    if (point === shown) return;
    hide();
    shown = point;
    point.classList.add("shown");
    const content = await contentOf(point);
    if (shown !== point) return; // another point was asked meanwhile
    card.replaceChildren(...content);
    card.hidden = false;
    card.scrollTop = 0;
    point.setAttribute("aria-describedby", card.id);
    place(point);
  }

  function hide() {
    shown?.classList.remove("shown");
    shown?.removeAttribute("aria-describedby");
    shown = undefined;
    card.hidden = true;
  }

  function hideSoon() {
    clearTimeout(leaving);
    leaving = setTimeout(hide, MOMENT);
  }

  function toggleSetting(key, point) {
    page.toggle(key, point.parentNode.dataset.setting);
  }

  function equip(layer) {
    const all = [...layer.querySelectorAll("circle")].sort((a, b) => a.cx.baseVal.value - b.cx.baseVal.value || a.cy.baseVal.value - b.cy.baseVal.value);
    const box = layer.closest(".drawing");
    let points = all; // those that are not hidden
    let stop;
    for (const point of all) {
      titles.set(point, point.textContent);
      point.setAttribute("tabindex", -1);
      point.replaceChildren();
    }

    // One stop of the Tab key for each figure: the point that was visited last.
    function settle(point) {
      for (const [other, at] of [[stop, -1], [point, 0]]) other?.setAttribute("tabindex", at);
      stop = point;
      point?.setAttribute("role", "button");
      point?.setAttribute("aria-label", titles.get(point).replace("\n", "; "));
    }

    function forgetHidden() {
      points = all.filter(isShown);
      if (points.length > 0) box.removeAttribute("tabindex");
      else box.tabIndex = 0; // a figure that scrolls has a stop of the Tab key
      const focused = layer.contains(document.activeElement);
      if (points.includes(stop)) return;
      settle(all.slice(all.indexOf(stop) + 1).find(isShown) ?? points.at(-1));
      if (focused) stop?.focus();
    }

    function nearest(event) {
      const box = layer.getBoundingClientRect();
      const scale = layer.viewBox.baseVal.width / box.width;
      const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
      let [found, least] = [undefined, (NEAR * scale) ** 2];
      for (const point of points) {
        const distance = (point.cx.baseVal.value - x) ** 2 + (point.cy.baseVal.value - y) ** 2;
        if (distance < least) [found, least] = [point, distance];
      }
      return found;
    }

    function onMove(event) {
      const point = nearest(event);
      if (point) show(point);
      else if (shown) hideSoon();
    }

    function onKey(event) {
      const at = points.indexOf(stop);
      const far = Math.max(1, Math.round(points.length / 20));
      const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: far, PageUp: -far, Home: -at, End: points.length - 1 - at };
      if (event.key in steps) {
        points[Math.max(0, Math.min(points.length - 1, at + steps[event.key]))].focus();
      } else if (event.key === "Enter" || event.key === " ") toggleSetting("mark", stop);
      else if (event.key === "Delete") toggleSetting("hide", stop);
      else return;
      event.preventDefault();
    }

    settle(points[0]);
    document.addEventListener("view", forgetHidden);
    const plot = layer.parentNode; // Chromium makes an SVG element that listens to the focus a stop of the Tab key
    layer.addEventListener("pointermove", onMove);
    layer.addEventListener("pointerleave", hideSoon);
    layer.addEventListener("keydown", onKey);
    plot.addEventListener("focusin", (event) => {
      settle(event.target);
      show(event.target);
    });
    plot.addEventListener("focusout", hideSoon);
    layer.addEventListener("click", (event) => {
      const point = nearest(event);
      if (!point) return;
      point.focus({ preventScroll: true });
      toggleSetting("mark", point);
    });
  }

  // Points of what is marked are rings. A word that names no setting is looked for in what points say.
  function mark() {
    const others = view.all("mark").filter((word) => !view.knows(word)).map((word) => word.toLowerCase());
    for (const group of document.querySelectorAll(".points g")) {
      const own = group.classList.contains("own");
      for (const point of group.children) {
        const on = own || others.some((word) => titles.get(point).toLowerCase().includes(word));
        if (point.classList.contains("marked") !== on) point.classList.toggle("marked", on);
      }
    }
    if (shown && !isShown(shown)) hide();
  }

  card.addEventListener("pointerenter", () => clearTimeout(leaving));
  card.addEventListener("pointerleave", hideSoon);
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
  });
  for (const layer of document.querySelectorAll("svg.points")) equip(layer);
  document.addEventListener("view", mark);
  page.redrawAll();
})();
