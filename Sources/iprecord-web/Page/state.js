// The state of the daemon, the network and the provider: banners, quotas, local databases, outages and host names.

import { get } from "./api.js";
import { age, clock, count, element, span } from "./text.js";

/** Returns the conditions that the reader must know, the gravest first. */
export function conditions(status, stream) {
  const found = [];
  if (stream.state === "broken") {
    found.push({ grave: true, text: `No connection to the server since ${clock(stream.since)}. What is shown may be out of date.` });
  }
  if (status === null) return found;
  if (status.network.state === "offline") {
    found.push({
      grave: true,
      text: `The network has been down since ${clock(status.network.since)}: ${status.network.reason ?? "no route"}. `
        + "The last known records are shown.",
    });
  }
  const { provider } = status;
  const failing = provider.endpoints.filter((endpoint) => ["failing", "unauthorized"].includes(endpoint.state));
  if (status.network.state === "online" && failing.length > 0 && failing.length < provider.endpoints.length) {
    const [endpoint] = failing;
    found.push({
      grave: false,
      text: `The provider's ${endpoint.name} calls have been failing since ${clock(endpoint.since)}: `
        + `${endpoint.message ?? endpoint.state}. The other calls fetch the records.`,
    });
  } else if (status.network.state === "online" && ["failing", "unauthorized"].includes(provider.state)) {
    found.push({
      grave: true,
      text: `The provider has been failing since ${clock(provider.since)}: ${provider.message ?? provider.state}. `
        + "The last known records are shown.",
    });
  } else if (provider.state === "throttled") {
    found.push({
      grave: false,
      text: `The provider has been refusing calls since ${clock(provider.since)}. Records are refreshed in the next window.`,
    });
  }
  if (status.store.state === "failing") {
    found.push({
      grave: true, text: `The database cannot be written: ${status.store.message ?? "unknown reason"}. No record is refreshed.`,
    });
  }
  return found;
}

export function showConditions(place, found) {
  const texts = found.map((condition) => condition.text).join("\n");
  if (place.dataset.texts === texts) return;
  place.dataset.texts = texts;
  place.replaceChildren(...found.map((condition) =>
    element("p", { class: condition.grave ? "grave" : "" }, condition.text)));
}

export function showSummary(place, status) {
  const { entries } = status;
  const states = ["fresh", "stale", "loading", "empty", "failed"].map((state) => [entries[state], state]);
  place.textContent = [[entries.watched, "watched"], [entries.cached, "looked up"], ...states]
    .filter(([number, name]) => number > 0 || name === "watched").map(([number, name]) => `${count(number)} ${name}`)
    .join(" · ");
}

export function showStatus(place, status) {
  const { provider, refresh } = status;
  const bars = provider.quotas.filter((quota) => quota.limit != null).map((quota) => {
    const left = quota.remaining ?? quota.limit;
    const used = Math.round(100 * (quota.limit - left) / quota.limit);
    const until = quota.resetsAt == null ? "" : `, new window in ${span(quota.resetsAt - Date.now())}`;
    const fill = element("span");
    fill.style.width = `${used}%`;
    return element("div", {}, element("p", {}, `${quota.name}: ${left} of ${quota.limit} calls left${until}`),
      element("div", { class: "bar", role: "meter", "aria-label": `Used calls, ${quota.name}`,
        "aria-valuemin": "0", "aria-valuemax": "100", "aria-valuenow": String(used) }, fill));
  });
  const load = refresh.load == null ? [] : [element("p", {}, `The watch list needs ${Math.round(100 * refresh.load)} % of the quota.`)];
  const next = refresh.nextAt == null ? "" : `, the next in ${span(refresh.nextAt - Date.now())}`;
  place.replaceChildren(
    element("p", {}, `${provider.name}: ${provider.state}`, ` since ${clock(provider.since)}`), ...bars, ...load,
    element("p", {}, `Records are refreshed every ${span(refresh.interval)}${next}. ${count(refresh.due)} due, `
      + `${count(refresh.inFlight)} in flight.`));
}

const databaseStates = { ok: "fresh", loading: "loading", failing: "failed" };

/** Shows the local databases with the versions in use; nothing if there are none. */
export function showDatabases(place, databases) {
  const rows = databases.map((database) => {
    const version = database.databaseType == null || database.builtAt == null
      ? database.state === "loading" ? "loading" : "not in use"
      : `${database.databaseType} of ${new Date(database.builtAt).toLocaleDateString()}`;
    return element("div", { class: "item" }, element("span", {}, version),
      element("span", { class: `badge ${databaseStates[database.state] ?? "empty"}` }, database.state),
      element("small", {}, database.path),
      database.message == null ? null : element("small", { class: "failed" }, database.message));
  });
  place.replaceChildren(...(rows.length === 0 ? [] : [element("h2", {}, "Local databases"), ...rows]));
}

/** Returns why the addresses of a host name may not be those that it has now; null if they are up to date. */
function nameProblem(name) {
  if (name.state === "fresh") return null;
  if (name.state === "loading") return "not resolved yet";
  if (name.reason == null) return name.answeredAt == null ? "not resolved yet" : `last resolved ${age(name.answeredAt)} ago`;
  const since = name.failedSince == null ? "" : ` since ${clock(name.failedSince)}`;
  return `cannot be resolved${since}: ${name.reason}`;
}

const maxNames = 100;

/** Reads and shows the watched host names, in a section that is hidden if there are none. */
export async function showNames(section, place) {
  try {
    const { names } = await get("names");
    const rows = names.slice(0, maxNames).map((name) => {
      const problem = nameProblem(name);
      return element("div", { class: "item" }, element("span", {}, name.name),
        element("span", { class: `badge ${name.state}` }, name.state),
        name.addresses.length === 0 ? null : element("small", {}, name.addresses.join(" ")),
        problem === null ? null : element("small", { class: name.reason == null ? "" : "failed" }, problem));
    });
    const others = names.length - rows.length;
    place.replaceChildren(...rows,
      ...(others === 0 ? [] : [element("p", { class: "note" }, `And ${count(others)} more: ipctl names`)]));
    section.hidden = names.length === 0;
  } catch (problem) {
    const retry = element("button", { type: "button" }, "Retry");
    retry.addEventListener("click", () => showNames(section, place));
    place.replaceChildren(element("p", { class: "problem" }, `The host names cannot be read: ${problem.message}`), retry);
    section.hidden = false;
  }
}

/**
 * Returns a timeline of outages that ends now. It is hidden from screen readers, because the list below it contains the
 * same information. If there may be older outages, it begins at the oldest one.
 */
function timeline(outages, isComplete) {
  const now = Date.now();
  const day = 86400000;
  const oldest = Math.min(...outages.map((outage) => outage.since));
  const periods = isComplete ? [day, 7 * day, 30 * day, 365 * day] : [];
  const period = periods.find((length) => now - oldest < length) ?? Math.max(1, now - oldest);
  const place = (time) => 100 * (1 - Math.min(now - time, period) / period);
  const marks = outages.map((outage) => {
    const mark = element("span", { title: `${outage.cause}, ${clock(outage.since)}` });
    mark.style.right = `${100 - place(outage.until ?? now)}%`;
    mark.style.width = `${place(outage.until ?? now) - place(outage.since)}%`;
    return mark;
  });
  return element("div", { "aria-hidden": "true" }, element("div", { class: "timeline" }, ...marks),
    element("p", { class: "scale" }, element("span", {}, `${span(period)} ago`), element("span", {}, "now")));
}

const maxOutages = 100;

export async function showOutages(place) {
  try {
    const { outages } = await get("outages", { limit: maxOutages });
    if (outages.length === 0) {
      place.replaceChildren(element("p", { class: "note" }, "No outages."));
      return;
    }
    const line = timeline(outages, outages.length < maxOutages);
    place.replaceChildren(line, ...outages.slice(0, 10).map((outage) => element("div", { class: "item" },
      element("span", {}, `${outage.cause}, ${clock(outage.since)}`),
      element("span", {}, outage.until == null ? `for ${age(outage.since)}, not over` : span(outage.until - outage.since)),
      element("small", {}, outage.message))));
  } catch (problem) {
    const retry = element("button", { type: "button" }, "Retry");
    retry.addEventListener("click", () => showOutages(place));
    place.replaceChildren(element("p", { class: "problem" }, `The outages cannot be read: ${problem.message}`), retry);
  }
}
