"use strict";
// What of the page is marked, hidden and renamed, and what belongs to it. The view is in the address, behind "#~": a link
// shows the same view. Each of "mark", "hide" and "rename" may be there several times.
const view = (() => {
  const kept = new URLSearchParams(location.hash.startsWith("#~") ? location.hash.slice(2) : "");
  const known = new Set(); // the parts of all settings of the page
  const names = new Set(); // the parts of the settings in figures, as they are written
  const VALUE = /^(\d.*|off|on|true|false|yes|no)$/iu; // "50" in "GOGC 50"
  const BEFORE = "(?<![\\p{L}\\p{N}_./-])"; // of a name that stands alone
  const AFTER = "(?![\\p{L}\\p{N}_/-]|[.][\\p{L}\\p{N}])";

  function write() {
    history.replaceState(null, "", kept.toString() ? `#~${kept}` : "#");
  }

  // Another view that is written into the address, or reached by the back button, is shown. A link to a section of the
  // page keeps the view.
  addEventListener("hashchange", () => {
    if (location.hash.startsWith("#~")) location.reload();
    else if (kept.toString()) write();
  });

  // "Wren, connections 1,024" has the parts "wren" and "connections 1024".
  function partsOf(words) {
    const lower = words.toLowerCase();
    return lower.includes(",") ? lower.replace(/(\d),(?=\d{3})/g, "$1").split(", ") : [lower];
  }

  // Whether all parts of a word are among these parts: as a whole if a setting has this part, else within one.
  function has(own, word) {
    return partsOf(word).every((part) => (known.has(part) ? own.has(part) : [...own].some((one) => one.includes(part))));
  }

  function escapeForPattern(text) {
    return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  }

  const knows = (word) => partsOf(word).every((part) => known.has(part));

  // [old, new] of each "old=new". Names may have a "=", too: the old one is a name of the page, if any is.
  function renames() {
    return kept.getAll("rename").flatMap((words) => {
      const places = [...words.matchAll(/=/g)].map((found) => found.index).filter((at) => at > 0 && at < words.length - 1);
      if (places.length === 0) return [];
      const at = places.find((place) => knows(words.slice(0, place))) ?? places[0];
      return [[words.slice(0, at), words.slice(at + 1)]];
    });
  }

  // Gives texts the new names, all at once, so that two can be swapped. A whole name is replaced where it stands alone,
  // and not within a longer name: "go" not in "go 1.22". Other words are replaced everywhere.
  function renamer() {
    const pairs = renames();
    const contains = (name, old) => name.length > old.length && name.includes(old) && !(VALUE.test(old) && name.endsWith(` ${old}`));
    const whole = pairs.map(([old]) => old).filter(knows);
    const longer = [...names].filter((name) => whole.some((old) => contains(name, old)));
    const shown = new Map([...longer.map((name) => [name, name]), ...[...pairs].reverse()]);
    const alternatives = [...shown.keys()]
      .sort((one, other) => other.length - one.length)
      .map((old) => (knows(old) ? BEFORE + escapeForPattern(old) + AFTER : escapeForPattern(old)));
    if (pairs.length === 0) return (text) => text;
    const pattern = new RegExp(alternatives.join("|"), "gu");
    return (text) => text.replace(pattern, (old) => shown.get(old));
  }

  // A word of a reader, and the same with old names for new ones.
  function meanings(word) {
    const parts = partsOf(word);
    const old = renames().flatMap(([from, to]) => {
      const shown = to.toLowerCase();
      return parts.includes(shown) ? [parts.map((part) => (part === shown ? from : part)).join(", ")] : [];
    });
    return [word, ...old];
  }

  return {
    all: (key) => kept.getAll(key),
    get: (key) => kept.get(key) || "",
    // Several words, or one, or none.
    set(key, words) {
      kept.delete(key);
      for (const word of [words].flat()) if (word) kept.append(key, word);
      write();
    },
    // The names of settings, each of which has parts.
    learn(settings) {
      for (const setting of settings) for (const part of partsOf(setting)) known.add(part);
    },
    // The same of figures, in which a name may contain another one.
    learnNames(settings) {
      this.learn(settings);
      for (const setting of settings) for (const part of setting.split(", ")) names.add(part);
    },
    knows,
    partsOf,
    // Whether something with these parts is meant by a word of "mark" or "hide".
    includes: (key, own) => kept.getAll(key).flatMap(meanings).some((word) => has(own, word)),
    renames,
    renamer,
  };
})();
