"use strict";
// Sorts, filters and shortens the tables of a report, and marks, hides and renames what they compare, in figures too.
// Without this script the page shows every row. The view is in the address, behind "#~": a link shows the same view.
(() => {
  const SHOWN_ROWS = 40; // as many as the PDF prints
  const MORE_ROWS = 200; // for each press of "more rows": a browser stays quick with a few hundred rows
  const MOST_NAMES = 200; // that the field to mark suggests
  const FILTER_FROM = 9; // rows; a shorter table is seen at a glance
  const view = new URLSearchParams(location.hash.startsWith("#~") ? location.hash.slice(2) : "");
  const redraws = [];

  function remember(key, value) {
    if (value) view.set(key, value);
    else view.delete(key);
    history.replaceState(null, "", view.toString() ? `#~${view}` : "#");
  }

  function make(tag, properties, ...children) {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  }

  // The number that a cell shows; NaN if it shows none.
  function numberOf(text) {
    const digits = text.replace(/[,\s×%]/g, "").replace("−", "-");
    return digits === "" ? NaN : Number(digits);
  }

  // Missing values come last in both directions.
  function compared(one, other, direction) {
    if (!one || !other) return (one ? 0 : 1) - (other ? 0 : 1);
    const [x, y] = [numberOf(one), numberOf(other)];
    const order = isNaN(x) || isNaN(y) ? one.localeCompare(other, undefined, { numeric: true }) : x - y;
    return direction * order;
  }

  function hides(row) {
    const hidden = (view.get("hide") || "").toLowerCase();
    return hidden !== "" && row.textContent.toLowerCase().includes(hidden);
  }

  function equip(table) {
    const name = table.closest("figure")?.id;
    const body = table.tBodies[0];
    if (!name || !body) return;
    const rows = [...body.rows];
    const heads = [...table.tHead.rows[0].cells];
    const more = make("button", { type: "button", className: "more" });
    const count = make("output", { className: "count" });
    let limit = SHOWN_ROWS;

    function redraw() {
      const filter = (view.get(`${name}.filter`) || "").toLowerCase();
      const [at, direction] = (view.get(`${name}.sort`) || "").split(",").map(Number);
      const kept = rows.filter((row) => !hides(row) && row.textContent.toLowerCase().includes(filter));
      if (direction) kept.sort((a, b) => compared(a.cells[at].textContent, b.cells[at].textContent, direction));
      heads.forEach((head, place) => {
        if (direction && place === at) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        else head.removeAttribute("aria-sort");
      });
      body.replaceChildren(...kept.slice(0, limit));
      const left = kept.length - body.rows.length;
      more.hidden = left <= 0;
      more.textContent = `${left.toLocaleString("en")} more row${left === 1 ? "" : "s"}`;
      const all = rows.length.toLocaleString("en");
      count.textContent = kept.length < rows.length ? `${kept.length.toLocaleString("en")} of ${all} rows` : "";
      mark();
    }

    heads.forEach((head, place) => {
      const button = make("button", { type: "button", className: "sort" }, ...head.childNodes);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const next = before === "ascending" ? -1 : before === "descending" ? 0 : 1;
        remember(`${name}.sort`, next ? `${place},${next}` : "");
        redraw();
      });
      head.append(button);
    });
    more.addEventListener("click", () => {
      const first = body.rows.length;
      limit += MORE_ROWS;
      redraw();
      body.rows[first]?.querySelector("th, td")?.setAttribute("tabindex", "-1");
      body.rows[first]?.querySelector("th, td")?.focus();
    });
    table.closest(".wide").after(more);
    if (rows.length >= FILTER_FROM) {
      const input = make("input", { type: "search", value: view.get(`${name}.filter`) || "" });
      input.addEventListener("input", () => {
        remember(`${name}.filter`, input.value);
        redraw();
      });
      table.closest(".wide").before(make("p", { className: "filter" }, make("label", {}, "Rows with ", input), " ", count));
    }
    body.addEventListener("click", (event) => {
      const name = event.target.closest("th");
      if (name && !getSelection().toString()) toggleMark(name.textContent);
    });
    redraws.push(redraw);
  }

  // Text of cells and drawings, as it was written: a new name is put over it, and taken away again.
  const texts = [...document.querySelectorAll("td, tbody th, .drawing text, .drawing tspan")]
    .filter((element) => element.childElementCount === 0 && element.textContent.trim())
    .map((element) => ({ element, original: element.textContent }));

  function rename() {
    const [from, to] = (view.get("rename") || "").split("=");
    for (const { element, original } of texts) {
      const wanted = from && to && original.includes(from) ? original.replaceAll(from, to) : original;
      if (element.textContent !== wanted) element.textContent = wanted;
    }
  }

  // Marks a name as if it were written into the field, or takes the mark away.
  function toggleMark(name) {
    const input = document.querySelector(".tools input");
    if (!input) return;
    input.value = input.value === name ? "" : name;
    input.dispatchEvent(new Event("input"));
  }

  // What figures and tables compare, for the field to suggest.
  function names() {
    const series = [...document.querySelectorAll(".points g")].map((group) => group.dataset.series);
    const rows = [...document.querySelectorAll("tbody th")].map((head) => head.textContent);
    return [...new Set([...series, ...rows])].slice(0, MOST_NAMES);
  }

  function hasPart(row, part) {
    const number = part.match(/ ([\d,.]+)$/)?.[1].replaceAll(",", "");
    const isNumber = (cell) => cell.textContent.replaceAll(",", "") === number;
    return row.textContent.toLowerCase().includes(part) || (number !== undefined && [...row.cells].some(isNumber));
  }

  function mark() {
    const word = (view.get("mark") || "").toLowerCase();
    const parts = word.split(", ");
    const has = (element) => word !== "" && element.textContent.toLowerCase().includes(word);
    // A row has each part of "wren, connections 8": in a cell, or as the number of a cell.
    const isRow = (row) => word !== "" && parts.every((part) => hasPart(row, part));
    for (const row of document.querySelectorAll("tbody tr")) row.classList.toggle("marked", isRow(row));
    for (const svg of document.querySelectorAll(".drawing svg:not(.points)")) {
      const found = [...svg.querySelectorAll("text")].filter((text) => text.classList.toggle("marked", has(text)));
      const series = [...svg.querySelectorAll("[data-series]")];
      const own = series.filter((group) => word !== "" && group.dataset.series.toLowerCase().includes(word));
      for (const group of series) group.classList.toggle("faint", own.length > 0 && !own.includes(group));
      svg.classList.toggle("has-mark", found.length > 0 || own.length > 0);
    }
    document.documentElement.dataset.mark = word; // for the points of figures
    document.dispatchEvent(new Event("mark"));
  }

  function redrawAll() {
    rename();
    for (const redraw of redraws) redraw();
    mark();
  }

  function tool(key, label, placeholder) {
    const input = make("input", { type: "search", value: view.get(key) || "", placeholder });
    input.addEventListener("input", () => {
      remember(key, input.value);
      redrawAll();
    });
    return make("label", {}, `${label} `, input);
  }

  for (const table of document.querySelectorAll("figure table")) equip(table);
  const tools = [tool("mark", "Mark", "a name"), tool("hide", "Hide rows with", "a word"), tool("rename", "Rename", "old=new")];
  const list = make("datalist", { id: "names" }, ...names().map((name) => make("option", { value: name })));
  tools[0].append(list);
  tools[0].querySelector("input").setAttribute("list", list.id);
  document.addEventListener("toggle-mark", (event) => toggleMark(event.detail));
  if (redraws.length || document.querySelector(".points")) document.querySelector("main").before(make("search", { className: "tools" }, ...tools));
  redrawAll();
})();
