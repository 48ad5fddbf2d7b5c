// Sorts, filters and shortens the tables of a report, and has the fields to mark, hide and rename what they compare.
// Without this script the page shows every row.
const page = (() => {
  const SHOWN_ROWS = 40; // as many as the PDF prints
  const MORE_ROWS = 200; // for each press of "more rows": a browser stays quick with a few hundred rows
  const MOST_NAMES = 200; // that the fields suggest
  const FILTER_FROM = 9; // rows; a shorter table is seen at a glance
  const redraws = [];
  const originals = new Map(); // cells and texts of drawings that show a new name, with what was written there
  const parts = new Map(); // of rows

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

  const original = (element) => originals.get(element) ?? element.textContent;

  // Of each column the title, the unit, and whether it has numbers: 64 below "connections" is "connections 64".
  function columnsOf(table) {
    return [...(table.tHead?.rows[0].cells ?? [])].map((head) => {
      const unit = head.querySelector("small")?.textContent ?? "";
      const title = head.textContent.slice(0, head.textContent.length - unit.length);
      return { title, unit, isNumber: head.classList.contains("number") };
    });
  }

  // The first cell of a row as figures name it, if they do: "connections 64", not "64".
  const nameOf = (title, text) => (view.knows(`${title} ${text}`) ? `${title} ${text}` : text);

  // What a row is about: the parts of its names, and all its cells with the titles of their columns.
  function partsOf(row, columns) {
    if (!parts.has(row)) {
      const words = [...row.cells].flatMap((cell, at) => {
        const [{ title, unit, isNumber } = {}, text] = [columns[at], original(cell)];
        const names = [...(isNumber ? [] : [text]), ...(title ? [`${title} ${text}`] : []), ...(unit ? [`${title} ${text} ${unit}`] : [])];
        return names.flatMap(view.partsOf);
      });
      parts.set(row, new Set(words));
    }
    return parts.get(row);
  }

  function equip(table) {
    const name = table.closest("figure")?.id;
    const body = table.tBodies[0];
    if (!body) return;
    const columns = columnsOf(table);
    const rows = [...body.rows];
    const named = [...(rows[0]?.cells ?? [])].map((_, at) => at).filter((at) => !columns[at]?.isNumber);
    for (const at of named) view.learn(new Set(rows.map((row) => row.cells[at]?.textContent ?? "")));
    if (!name) {
      redraws.push(() => show(rows, columns));
      return;
    }
    const heads = [...table.tHead.rows[0].cells];
    const more = make("button", { type: "button", className: "more" });
    const count = make("output", { className: "count" });
    let limit = SHOWN_ROWS;

    function redraw() {
      const filter = view.get(`${name}.filter`).toLowerCase();
      const [at, direction] = view.get(`${name}.sort`).split(",").map(Number);
      const hides = view.all("hide").length > 0;
      const kept = rows.filter((row) => !(hides && view.includes("hide", partsOf(row, columns))) && row.textContent.toLowerCase().includes(filter));
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
      show(body.rows, columns);
    }

    heads.forEach((head, place) => {
      const button = make("button", { type: "button", className: "sort" }, ...head.childNodes);
      button.addEventListener("click", () => {
        const before = head.getAttribute("aria-sort");
        const next = before === "ascending" ? -1 : before === "descending" ? 0 : 1;
        view.set(`${name}.sort`, next ? `${place},${next}` : "");
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
      const input = make("input", { type: "search", value: view.get(`${name}.filter`) });
      input.addEventListener("input", () => {
        view.set(`${name}.filter`, input.value);
        redraw();
      });
      const label = make("label", {}, "Rows with ", input);
      const place = make("p", { className: "filter" }, label, " ", count);
      table.closest(".wide").before(place);
    } else table.closest(".wide").before(make("p", { className: "filter" }, count));
    body.addEventListener("click", (event) => {
      const cell = event.target.closest("th");
      if (cell && !getSelection().toString()) toggle("mark", nameOf(columns[0].title, original(cell)));
    });
    redraws.push(redraw);
  }

  // Marks rows, and hides those of tables without a figure.
  function show(rows, columns) {
    const [marks, hides] = ["mark", "hide"].map((key) => view.all(key).length > 0);
    for (const row of rows) {
      row.classList.toggle("marked", marks && view.includes("mark", partsOf(row, columns)));
      row.classList.toggle("gone", hides && view.includes("hide", partsOf(row, columns)));
    }
  }

  // Puts new names over those of cells and drawings, and takes them away again.
  function rename() {
    const any = view.renames().length > 0;
    document.documentElement.classList.toggle("renamed", any);
    for (const [element, text] of originals) element.textContent = text;
    originals.clear();
    if (!any) return;
    const renamed = view.renamer();
    for (const element of texts) {
      const text = element.textContent;
      const whole = element.closest("[data-name]")?.dataset.name;
      const shown = renamed(text);
      const wanted = shown === text && whole && renamed(whole) !== whole ? renamed(whole) : shown;
      if (wanted === text) continue;
      originals.set(element, text);
      element.textContent = wanted;
    }
  }

  // Adds a word to a field, or takes it away.
  function toggle(key, word) {
    const words = view.all(key);
    view.set(key, words.includes(word) ? words.filter((one) => one !== word) : [...words, word]);
    redrawAll();
  }

  // What figures and tables compare, for the fields to suggest.
  function names() {
    const settings = [...document.querySelectorAll("[data-setting]")].map((mark) => mark.dataset.setting);
    const heads = [...document.querySelectorAll("main table")].flatMap((table) => {
      const title = columnsOf(table)[0]?.title;
      return [...table.querySelectorAll("tbody th")].map((head) => nameOf(title, head.textContent));
    });
    return [...new Set([...new Set(settings)].flatMap((words) => words.split(", ")).concat(heads, settings))].slice(0, MOST_NAMES);
  }

  // A field, and a button for each of its words that takes it away.
  function tool(key, label, placeholder, undo) {
    const input = make("input", { type: "search", placeholder });
    const chips = make("span", { className: "chips" });
    let fixed = view.all(key);
    input.setAttribute("list", "names");
    input.addEventListener("input", () => {
      view.set(key, [...fixed, input.value]);
      redrawAll();
    });
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !input.value) return;
      input.value = "";
      fixed = view.all(key);
      redrawAll();
    });

    function redraw() {
      fixed = view.all(key).filter((word, at, all) => !(at === all.length - 1 && word === input.value));
      chips.replaceChildren(
        ...fixed.map((word) => {
          const chip = make("button", { type: "button", className: "chip", textContent: `${word} ×` });
          chip.setAttribute("aria-label", `${undo} ${word}`);
          chip.addEventListener("click", () => {
            toggle(key, word);
            input.focus();
          });
          return chip;
        }),
      );
    }

    redraws.push(redraw);
    return make("span", { className: "tool" }, make("label", {}, `${label} `, input), chips);
  }

  // What a print says instead of the fields.
  const viewLine = make("p", { className: "view" });
  const writeViewLine = () => {
    const verbs = [["Marked", "mark"], ["Hidden", "hide"], ["Renamed", "rename"]];
    viewLine.textContent = verbs.filter(([, key]) => view.all(key).length).map(([verb, key]) => `${verb}: ${view.all(key).join("; ")}.`).join(" ");
  };

  function redrawAll() {
    rename();
    writeViewLine();
    for (const redraw of redraws) redraw();
    document.dispatchEvent(new Event("view"));
  }

  view.learnNames(new Set([...document.querySelectorAll("[data-setting]")].map((mark) => mark.dataset.setting)));
  const suggested = names();
  for (const table of document.querySelectorAll("main table")) equip(table);
  const texts = [...document.querySelectorAll("td, tbody th, .drawing text, .drawing tspan")].filter((element) => element.childElementCount === 0);
  const list = make("datalist", { id: "names" }, ...suggested.map((name) => make("option", { value: name })));
  const tools = [tool("mark", "Mark", "a name", "Unmark"), tool("hide", "Hide", "a name", "Show"), tool("rename", "Rename", "old=new", "Undo")];
  if (document.querySelector("figure table, [data-setting]")) document.querySelector("main").before(make("search", { className: "tools" }, ...tools, list), viewLine);
  return { make, toggle, redrawAll };
})();
