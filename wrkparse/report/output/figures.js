// Marks and hides settings in figures. Each mark of a drawing, each text and each point has its setting.
(() => {
  const settings = new Map(); // the elements of each setting, in all figures
  for (const element of document.querySelectorAll(".drawing [data-setting]")) {
    const name = element.dataset.setting;
    if (!settings.has(name)) settings.set(name, []);
    settings.get(name).push(element);
  }
  const drawings = [...document.querySelectorAll(".drawing")].map((box) => ({
    box,
    plot: box.querySelector(".plot"),
    svg: box.querySelector("svg:not(.points)"),
    // Elements that have no other setting inside: a figure of one process has its setting around its series.
    leaves: [...box.querySelectorAll("svg:not(.points) [data-setting]")].filter((one) => !one.querySelector("[data-setting]")),
    texts: [...box.querySelectorAll("svg:not(.points) text")],
    note: page.make("p", { className: "all-hidden", textContent: "Everything that this figure shows is hidden.", hidden: true }),
  }));
  for (const { plot, note } of drawings) plot.after(note);

  // Gives a class to the elements of settings for which a condition holds.
  function toggle(name, holds) {
    for (const [setting, elements] of settings) {
      const on = holds(new Set(view.partsOf(setting)));
      for (const element of elements) if (element.classList.contains(name) !== on) element.classList.toggle(name, on);
    }
  }

  function hide() {
    toggle("gone", (parts) => view.includes("hide", parts));
    for (const { leaves, plot, note } of drawings) {
      const nothing = leaves.length > 0 && leaves.every((one) => one.closest(".gone"));
      plot.hidden = nothing;
      note.hidden = !nothing;
    }
  }

  // Other settings are faint in a figure that has a marked one. A word that names none is looked for in the texts.
  function mark() {
    const words = view.all("mark").map((word) => word.toLowerCase());
    toggle("own", (parts) => view.includes("mark", parts));
    for (const { svg, leaves, texts } of drawings) {
      const has = (one) => one.closest(".own") !== null;
      const any = words.length > 0 && leaves.some(has);
      for (const one of leaves) one.classList.toggle("faint", any && !has(one));
      const isFound = (text) => (any ? has(text) : words.some((word) => text.textContent.toLowerCase().includes(word)));
      const found = texts.filter((text) => text.classList.toggle("marked", words.length > 0 && isFound(text)));
      svg.classList.toggle("has-mark", !any && found.length > 0);
    }
  }

  document.addEventListener("view", () => {
    hide();
    mark();
  });
})();
