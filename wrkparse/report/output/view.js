"use strict";
// What of the page is marked, hidden and renamed, and what belongs to it. The view is in the address, behind "#~": a link
// shows the same view. Each of "mark", "hide" and "rename" may be there several times.
const view = (() => {
  const kept = new URLSearchParams(location.hash.startsWith("#~") ? location.hash.slice(2) : "");
  const known = new Set(); // the parts of all settings of the page
  const BEFORE = "(?<![\\p{L}\\p{N}_./-])"; // of a name that stands alone
  const AFTER = "(?![\\p{L}\\p{N}_/-]|[.][\\p{L}\\p{N}])";

  function write() {
    history.replaceState(null, "", kept.toString() ? `#~${kept}` : "#");
  }

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

  // [pattern, new name] of each "old=new": a whole name is replaced where it stands alone, other words everywhere.
  function renames() {
    return kept.getAll("rename").flatMap((words) => {
      const at = words.indexOf("=");
      const [from, to] = [words.slice(0, at), words.slice(at + 1)];
      if (at < 1 || !to) return [];
      const whole = partsOf(from).every((part) => known.has(part));
      const pattern = escapeForPattern(from);
      return [[new RegExp(whole ? BEFORE + pattern + AFTER : pattern, "gu"), to]];
    });
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
    learn(names) {
      for (const name of names) for (const part of partsOf(name)) known.add(part);
    },
    knows: (word) => partsOf(word).every((part) => known.has(part)),
    partsOf,
    // Whether something with these parts is meant by a word of "mark" or "hide".
    includes: (key, own) => kept.getAll(key).some((word) => has(own, word)),
    renames,
    renamed: (text, pairs = renames()) => pairs.reduce((words, [from, to]) => words.replace(from, () => to), text),
  };
})();
