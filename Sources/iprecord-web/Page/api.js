// Requests to the server, and the stream of events.

export class Problem extends Error {
  constructor(status, details) {
    super(details?.detail ?? `the server replied with status ${status}`);
    this.status = status;
    this.error = details?.error ?? null;
  }
}

/**
 * Whether this client may make changes: "allowed", "token" (only with the token) or "refused". Set by each reply to
 * `status`.
 */
export let changes = "refused";

/** Returns the JSON at a path below /api/v1. Throws a Problem, or an AbortError if the signal aborts the request. */
export async function get(path, parameters = {}, signal = undefined) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== null && each !== undefined && each !== "") query.append(name, each);
    }
  }
  const text = query.toString();
  let response;
  try {
    response = await fetch(`/api/v1/${path}${text ? `?${text}` : ""}`, { signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(0, { detail: "the server cannot be reached" });
  }
  const body = await response.json().catch(() => null);
  if (!response.ok || body === null) throw new Problem(response.status, body);
  changes = response.headers.get("X-Iprecord-Changes") ?? changes;
  return body;
}

/** Keeps the token for changes until the tab is closed. */
export function setToken(token) {
  sessionStorage.setItem("token", token);
}

/** Sends a change. Throws a Problem if it is not allowed. */
export async function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-Iprecord-Change": "1" };
  const token = sessionStorage.getItem("token");
  // Other characters cannot be sent; without a token, the server refuses the change.
  if (changes === "token" && /^[!-~]+$/.test(token ?? "")) headers.Authorization = `Bearer ${token}`;
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  } catch {
    throw new Problem(0, { detail: "the server cannot be reached" });
  }
  const reply = await response.json().catch(() => null);
  if (!response.ok) throw new Problem(response.status, reply);
  return reply;
}

/**
 * Receives events. After an interruption it continues with the last event that was received, so that none is missed.
 *
 * `on.event` receives each event, `on.state` "open" or "broken" with the time since, and `on.gone` is called if events
 * were missed because they have been deleted.
 */
export function events(on) {
  let last = null;
  let brokenSince = null;
  let source = null;
  function connect() {
    source = new EventSource(`/api/v1/events${last === null ? "" : `?after=${last}`}`);
    source.onopen = () => { brokenSince = null; on.state("open"); };
    source.onmessage = (message) => {
      if (message.lastEventId !== "") last = message.lastEventId;
      const event = JSON.parse(message.data);
      if (event.kind !== "hello") on.event(event);
    };
    source.addEventListener("gone", (message) => { last = message.lastEventId; on.gone(); });
    source.onerror = () => {
      brokenSince ??= Date.now();
      on.state("broken", brokenSince);
      // A browser gives up after a response that is not a stream.
      if (source.readyState === EventSource.CLOSED) setTimeout(connect, 1000);
    };
  }
  connect();
  return () => source.close();
}
