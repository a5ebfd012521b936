// Text of addresses, times, numbers and errors. All text from the provider is set as textContent, never as markup.

export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") node.className = value;
    else if (key in node && typeof value !== "string") node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

const numbers = new Intl.NumberFormat("en");
export const count = (number) => numbers.format(number);

/** The time since `then`, in Unix milliseconds, in its largest unit: "12 s", "4 min", "2 h", "3 days". */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} days`;
}

export const age = (then) => span(Date.now() - then);

export function clock(time) {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** The databases of an offline record, with the date of the oldest one. */
export function source(offline) {
  return `${offline.database} of ${new Date(offline.builtAt).toLocaleDateString()}`;
}

/**
 * One line about an entry: its place and network, or those of the local databases, marked, or the reason why there is no
 * record.
 */
export function line(entry) {
  if (entry.record) return placeAndNetwork(entry.record);
  if (entry.offline) return `offline: ${placeAndNetwork(entry.offline.record)}`;
  return entry.failure?.message ?? entry.reason ?? "no record yet";
}

function placeAndNetwork(record) {
  return [[record.city, record.country].filter(Boolean).join(", "), record.isp ?? record.org ?? record.as]
    .filter(Boolean).join(" · ");
}

/** Returns why a text cannot be an IP address; null if it may be one. The daemon has the last word. */
export function addressProblem(text) {
  if (text.includes(":")) {
    if (/[^0-9a-f:.]/i.test(text.replace(/%.*$/, ""))) return "an IPv6 address consists of hexadecimal digits and colons";
    if (text.split("::").length > 2) return "an IPv6 address can contain \"::\" only once";
    const groups = text.split(":").filter((group) => group !== "" && !group.includes("."));
    if (groups.some((group) => group.length > 4)) return "a group of an IPv6 address has at most four digits";
    return null;
  }
  const parts = text.split(".");
  if (parts.some((part) => /[^0-9]/.test(part))) return "expected an IPv4 address such as 8.8.8.8, or an IPv6 address";
  if (parts.length !== 4) return `an IPv4 address has four parts; this one has ${parts.length}`;
  if (parts.some((part) => part === "")) return "a part of an IPv4 address is a number; here one is empty";
  if (parts.some((part) => part.length > 1 && part.startsWith("0"))) return "a part of an IPv4 address has no leading zero";
  if (parts.some((part) => Number(part) > 255)) return "a part of an IPv4 address is at most 255";
  return null;
}
