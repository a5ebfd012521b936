// The state of the daemon, the network and the provider: banners, quotas and outages.

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
    place.replaceChildren(line, ...outages.slice(0, 10).map((outage) => element("div", { class: "outage" },
      element("span", {}, `${outage.cause}, ${clock(outage.since)}`),
      element("span", {}, outage.until == null ? `for ${age(outage.since)}, not over` : span(outage.until - outage.since)),
      element("small", {}, outage.message))));
  } catch (problem) {
    const retry = element("button", { type: "button" }, "Retry");
    retry.addEventListener("click", () => showOutages(place));
    place.replaceChildren(element("p", { class: "problem" }, `The outages cannot be read: ${problem.message}`), retry);
  }
}
