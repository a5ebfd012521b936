// The card of one address: every field of its record, its age, its place on a map and its history.

import { get } from "./api.js";
import { age, clock, element, line, source, span } from "./text.js";
import { drawMap } from "./map.js";

const names = {
  continent: "Continent", country: "Country", countryCode: "Country code", regionName: "Region", city: "City",
  district: "District", zip: "Postal code", lat: "Latitude", lon: "Longitude", timezone: "Time zone",
  offset: "Offset from UTC", currency: "Currency", isp: "Provider", org: "Organisation", as: "Network",
  asname: "Network name", reverse: "Reverse name", mobile: "Mobile", proxy: "Proxy", hosting: "Hosting",
};

function text(field, value) {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (field === "offset") return `${value < 0 ? "−" : "+"}${Math.abs(value) / 3600} h`;
  return String(value);
}

function currency(entry) {
  const parts = [];
  if (entry.scannedAt != null) parts.push(`fetched ${age(entry.scannedAt)} ago`);
  if (entry.state === "fresh" && entry.expiresAt != null) {
    parts.push(`${entry.watched ? "refreshed in" : "kept for"} ${span(entry.expiresAt - Date.now())}`);
  } else if (entry.state === "fresh") {
    parts.push("current until the local databases change");
  }
  if (entry.provider) parts.push(`from ${entry.provider}`);
  parts.push(entry.watched ? "on the watch list" : "not on the watch list");
  return parts.join(", ");
}

let timer = 0;

/** Shows the card while its request runs. */
export function showLoading(card, address) {
  clearInterval(timer);
  card.hidden = false;
  card.setAttribute("aria-busy", "true");
  card.replaceChildren(
    element("h2", {}, address), element("div", { class: "skeleton" }), element("div", { class: "skeleton" }),
    element("div", { class: "skeleton" }));
}

export function showProblem(card, address, problem, retry) {
  clearInterval(timer);
  card.hidden = false;
  card.removeAttribute("aria-busy");
  const button = element("button", { type: "button" }, "Retry");
  button.addEventListener("click", retry);
  card.replaceChildren(element("h2", {}, address), element("p", { class: "problem" }, problem.message), button);
}

export async function showEntry(card, entry) {
  clearInterval(timer);
  card.hidden = false;
  card.removeAttribute("aria-busy");
  const when = element("p", {}, currency(entry));
  const fields = element("dl");
  addFields(fields, entry.record);
  if (entry.tags.length > 0) fields.append(element("dt", {}, "Tags"), element("dd", {}, entry.tags.join(", ")));
  if (entry.note) fields.append(element("dt", {}, "Note"), element("dd", {}, entry.note));
  if (entry.watchedUntil) fields.append(element("dt", {}, "Watched until"), element("dd", {}, clock(entry.watchedUntil)));
  const reason = entry.failure
    ? element("p", { class: "stale" }, `No newer record: ${entry.failure.message}`) : null;
  const offline = entry.offline ? showOffline(entry.offline) : null;
  const history = element("div");
  const map = element("canvas", { role: "img", "aria-label": `Map with the place of ${entry.address}` });
  const hasPlace = typeof entry.record?.lat === "number" && typeof entry.record?.lon === "number";
  card.replaceChildren(
    element("header", {}, element("h2", {}, entry.address),
      element("span", { class: `badge ${entry.state}` }, entry.state)),
    element("p", {}, line(entry)), when, ...[reason].filter(Boolean),
    element("div", { class: "facts" }, fields, ...(hasPlace ? [element("div", { class: "map" }, map)] : [])),
    ...[offline].filter(Boolean), history);
  if (hasPlace) drawMap(map, [{ key: "", count: 1, lat: entry.record.lat, lon: entry.record.lon }], "points");
  timer = setInterval(() => { when.textContent = currency(entry); }, 1000);
  if (entry.watched) await showHistory(history, entry.address);
}

function addFields(list, record) {
  for (const [field, name] of Object.entries(names)) {
    const value = record?.[field];
    if (value == null) continue;
    list.append(element("dt", {}, name), element("dd", {}, text(field, value)));
  }
}

/** The record from the local databases, not from the provider. */
function showOffline(offline) {
  const fields = element("dl");
  addFields(fields, offline.record);
  return element("section", { class: "offline" },
    element("h3", {}, `Offline, from ${source(offline)}`),
    element("p", { class: "note" }, "This record is from local databases, not from the provider."), fields);
}

async function showHistory(place, address) {
  try {
    const { changes } = await get(`entries/${encodeURIComponent(address)}/history`, { limit: 20 });
    if (changes.length === 0) {
      place.replaceChildren(element("p", { class: "note" }, "The record has not changed since the address was added."));
      return;
    }
    const list = element("dl");
    for (const change of changes) {
      const what = change.fields.map((field) => `${field.field}: ${field.old ?? "none"} → ${field.new ?? "none"}`);
      list.append(element("dt", {}, clock(change.at)), element("dd", {}, what.join("; ")));
    }
    place.replaceChildren(element("h3", {}, "History"), list);
  } catch (problem) {
    place.replaceChildren(element("p", { class: "problem" }, `The history cannot be read: ${problem.message}`));
  }
}
