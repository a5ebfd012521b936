// The page: one field to look an address up, the watch list, the map and the state of the daemon.

import { Problem, events, get } from "./api.js";
import { showEntry, showLoading, showProblem } from "./card.js";
import { List } from "./list.js";
import { drawMap, explain } from "./map.js";
import {
  conditions, showConditions, showDatabases, showNames, showOutages, showStatus, showSummary,
} from "./state.js";
import { addressProblem, count, element } from "./text.js";

const find = (id) => document.getElementById(id);
const [address, problemText, card] = [find("address"), find("address-problem"), find("card")];
const stream = { state: "connecting", since: Date.now() };
let status = null;
let places = [];
let view = "points";

// MARK: The address of the page, which can be shared

const parameters = () => new URLSearchParams(location.search);

function remember(changes, isNewPage) {
  const query = parameters();
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value); else query.delete(name);
  }
  const text = query.toString();
  const target = `${location.pathname}${text ? `?${text}` : ""}`;
  if (target === location.pathname + location.search) return;
  if (isNewPage) history.pushState(null, "", target); else history.replaceState(null, "", target);
}

// MARK: Lookup

let lookup = null;

async function look(text) {
  lookup?.abort();
  lookup = new AbortController();
  const { signal } = lookup;
  problemText.textContent = "";
  address.removeAttribute("aria-invalid");
  if (text === "") {
    card.hidden = true;
    return;
  }
  const problem = addressProblem(text);
  if (problem !== null) return refuse(`"${text}" is not an IP address: ${problem}`);
  showLoading(card, text);
  try {
    const entry = await get(`entries/${encodeURIComponent(text)}`, { wait: 10000 }, signal);
    await showEntry(card, entry);
  } catch (problem) {
    if (problem.name === "AbortError") return;
    if (problem instanceof Problem && problem.status === 400) {
      refuse(problem.message);
    } else {
      showProblem(card, text, problem, () => look(text));
    }
  }
}

/** Explains in place why a text cannot be looked up. */
function refuse(message) {
  card.hidden = true;
  problemText.textContent = message;
  address.setAttribute("aria-invalid", "true");
  address.focus();
}

function open(text) {
  address.value = text;
  remember({ address: text }, true);
  look(text);
}

find("lookup").addEventListener("submit", (event) => {
  event.preventDefault();
  open(address.value.trim());
});

// MARK: Watch list

const list = new List({
  rows: find("rows"), space: find("space"), total: find("total"), note: find("list-note"),
  changeNote: find("change-note"), open,
  address: (after) => remember({ after }, false),
});
const filters = { search: find("search"), state: find("state"), tag: find("tag") };
const chosen = () => Object.fromEntries(Object.entries(filters).map(([name, field]) => [name, field.value.trim()]));

let typing = 0;
for (const [name, field] of Object.entries(filters)) {
  field.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => {
      remember({ ...chosen(), after: null }, name !== "search" && name !== "tag");
      list.load(chosen());
    }, 200);
  });
}
find("filters").addEventListener("submit", (event) => event.preventDefault());

// MARK: Map

async function loadPlaces() {
  try {
    const reply = await get("count", { by: "place", limit: 2000 });
    places = reply.groups;
    await drawMap(find("map"), places, view);
    find("places").tBodies[0].replaceChildren(...places.slice(0, 50).map((place) => element("tr", {},
      element("td", {}, place.key || "unknown"), element("td", {}, count(place.count)))));
    const tags = await get("count", { by: "tag", limit: 100 });
    find("tags").replaceChildren(...tags.groups.filter((group) => group.key !== "")
      .map((group) => element("option", { value: group.key })));
  } catch (problem) {
    find("map-tip").hidden = false;
    find("map-tip").textContent = `The map cannot be loaded: ${problem.message}`;
  }
}

for (const [id, name] of [["fit", "points"], ["world", "world"]]) {
  find(id).addEventListener("click", () => {
    view = name;
    drawMap(find("map"), places, view);
  });
}
explain(find("map"), find("map-tip"), (place) => {
  filters.search.value = place.key.split(",")[0];
  filters.search.dispatchEvent(new Event("input"));
});
new ResizeObserver(() => { if (places.length > 0) drawMap(find("map"), places, view); }).observe(find("map"));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawMap(find("map"), places, view));

// MARK: State

/** The numbers of watched host names, as text. */
let nameCounts = "null";

async function loadStatus() {
  try {
    status = await get("status");
    list.allowChanges(status.administrator);
    showSummary(find("summary"), status);
    showStatus(find("status"), status);
    showDatabases(find("databases"), status.databases ?? []);
    // A daemon of an older version watches no host names.
    const counts = JSON.stringify(status.names ?? null);
    if (counts !== nameCounts) reloadNames();
    nameCounts = counts;
    find("version").textContent = `iprecordd ${status.version}, ${status.store.path}`;
  } catch (problem) {
    if (status === null) find("status").replaceChildren(element("p", { class: "problem" }, problem.message));
  }
  showConditions(find("banners"), conditions(status, stream));
}

/** Returns a throttled action: it runs soon after a call, at most once per period (in milliseconds). */
function throttled(period, action) {
  let timer = 0;
  let last = -Infinity;
  return () => {
    if (timer !== 0) return;
    timer = setTimeout(() => {
      timer = 0;
      last = performance.now();
      action();
    }, Math.max(10, last + period - performance.now()));
  };
}

const reloadStatus = throttled(500, loadStatus);
const reloadNames = throttled(500, () => showNames(find("names"), find("name-rows")));
const reloadList = throttled(1000, () => list.reload());
// Each reload of the map makes the daemon count all entries.
const reloadPlaces = throttled(10000, loadPlaces);

const health = new Set(["networkLost", "networkRestored", "providerFailed", "providerRecovered", "throttled"]);

async function refreshEntry(name, isHighlighted) {
  try {
    list.update(await get(`entries/${encodeURIComponent(name)}`, { wait: 0 }), isHighlighted);
  } catch {
    // The row shows its previous state until the next event or reload.
  }
}

events({
  state(state, since) {
    Object.assign(stream, { state, since });
    find("live").dataset.state = state;
    find("live").textContent = state === "open" ? "live" : "reconnecting";
    loadStatus();
  },
  gone() {
    list.load(chosen());
    loadPlaces();
  },
  event(event) {
    if (health.has(event.kind)) {
      loadStatus();
      showOutages(find("outages"));
      return;
    }
    reloadStatus();
    if (event.name) {
      reloadNames();
      if (!event.address) return;
    }
    if (event.address === address.value.trim() && !card.hidden) look(event.address);
    if (event.kind === "added" || event.kind === "removed") {
      reloadList();
      reloadPlaces();
      return;
    }
    if (event.entry) list.update(event.entry, event.kind === "changed");
    else if (!Number.isNaN(list.find(event.address))) refreshEntry(event.address, event.kind === "changed");
  },
});

// Refreshed records cause no events, so the visible rows that expire are read again shortly afterwards.
setInterval(() => {
  if (document.hidden) return;
  loadStatus();
  for (const name of list.expiring(Date.now()).slice(0, 20)) refreshEntry(name, false);
}, 5000);

// The timeline of outages ends now. A resolution without a change causes no event.
setInterval(() => {
  if (document.hidden) return;
  showOutages(find("outages"));
  if (!find("names").hidden) reloadNames();
}, 60000);

function restore() {
  const query = parameters();
  for (const [name, field] of Object.entries(filters)) field.value = query.get(name) ?? "";
  address.value = query.get("address") ?? "";
  look(address.value);
  list.load(chosen(), query.get("after"));
}
addEventListener("popstate", restore);
restore();
loadStatus();
loadPlaces();
showOutages(find("outages"));
