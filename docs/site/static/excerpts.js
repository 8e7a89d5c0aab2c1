// Adds to each result of a search the part of its page that has most of the words. Sphinx would fetch the pages for that,
// which a browser refuses for files; here `search_texts.js` has their text.
"use strict";

const LENGTH = 240;

/** The words of the query, in lower case. */
function queryWords() {
  const query = new URLSearchParams(window.location.search).get("q") ?? "";
  return query.toLowerCase().split(/[^\p{L}\p{N}_.-]+/u).filter(Boolean);
}

/** The positions of all words in a text, in order. */
function occurrences(text, words) {
  const found = [];
  for (const word of words)
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) found.push({ at, word });
  return found.sort((one, other) => one.at - other.at);
}

/** Where the window begins that has most different words; the first one of several. */
function bestStart(found) {
  let best = 0;
  let most = 0;
  found.forEach(({ at }, index) => {
    const inside = new Set();
    for (let next = index; next < found.length && found[next].at < at + LENGTH; next++) inside.add(found[next].word);
    if (inside.size > most) [best, most] = [at, inside.size];
  });
  return Math.max(0, best - LENGTH / 6);
}

/** The excerpt as a paragraph whose words are marked. */
function excerpt(text, words) {
  const start = bestStart(occurrences(text.toLowerCase(), words));
  const shown = text.slice(start, start + LENGTH);
  const paragraph = document.createElement("p");
  paragraph.className = "context";
  paragraph.append(start > 0 ? "… " : "");
  let end = 0;
  for (const { at, word } of occurrences(shown.toLowerCase(), words)) {
    if (at < end) continue;
    const mark = document.createElement("span");
    mark.className = "highlighted";
    mark.textContent = shown.slice(at, at + word.length);
    paragraph.append(shown.slice(end, at), mark);
    end = at + word.length;
  }
  paragraph.append(shown.slice(end), start + LENGTH < text.length ? " …" : "");
  return paragraph;
}

function addTo(result) {
  const link = result.querySelector("a");
  if (!link || result.querySelector(".context")) return;
  const name = link.getAttribute("href").split("#")[0].split("?")[0].replace(/\.html$/, "");
  const text = SEARCH_TEXTS[name];
  if (text) result.append(excerpt(text, queryWords()));
}

new MutationObserver(() => document.querySelectorAll("#search-results li").forEach(addTo)).observe(
  document.getElementById("search-results"),
  { childList: true, subtree: true },
);
