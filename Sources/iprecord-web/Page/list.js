// The watch list. Only the visible rows are in the document, and only the pages around them are loaded.

import { changes, get, post, setToken } from "./api.js";
import { age, count, element, line } from "./text.js";

const rowHeight = 48;
const pageSize = 200;
// Pages of entries that are kept: those farthest from the visible ones are loaded again when they are needed.
const keptPages = 30;
// Chromium limits the height of an element to 33 million pixels.
const maxRows = 600000;

export class List {
  constructor({ rows, space, total, note, changeNote, open, address }) {
    Object.assign(this, { rows, space, totalText: total, note, changeNote, open, addressChanged: address });
    this.mayChange = false;
    this.rows.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(this.rows);
    this.rows.addEventListener("keydown", (event) => this.key(event));
    this.space.addEventListener("click", (event) => this.click(event));
    this.nodes = new Map();
    this.selected = 0;
    setInterval(() => this.updateAges(), 1000);
  }

  /** Shows the entries that match a filter, from a cursor. */
  async load(filter, after = null) {
    this.request?.abort();
    this.request = new AbortController();
    this.filter = filter;
    this.first = after;
    // The cursor after which each page begins. The cursor of a page is known once the page before it was loaded.
    this.cursors = [after];
    this.pages = new Map();
    this.loading = new Set();
    // Pages that are shown but must be read again.
    this.outdated = new Set();
    // The pages above this one may have changed since they were read.
    this.reloadedFrom = 0;
    this.total = null;
    this.end = null;
    this.problem = null;
    this.selected = 0;
    this.rows.scrollTop = 0;
    this.note.replaceChildren();
    this.space.setAttribute("aria-busy", "true");
    this.firstPage = this.fetchPage(0);
    this.draw();
    await this.firstPage;
  }

  /** Reloads the visible page and the pages below it, and keeps the visible rows in their places. */
  async reload() {
    // A reply that is under way may be older than the reason to reload.
    this.mustReload = true;
    if (this.reloading) return;
    this.reloading = true;
    try {
      while (this.mustReload) {
        this.mustReload = false;
        await this.firstPage;
        await this.reloadOnce();
      }
    } finally {
      this.reloading = false;
    }
  }

  async reloadOnce() {
    const { request, cursors, filter } = this;
    const page = Math.min(this.topPage, cursors.length - 1);
    let reply;
    try {
      reply = await get("entries", { ...filter, after: cursors[page], limit: pageSize }, request.signal);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.problem = problem;
      this.describe();
      return;
    }
    if (this.cursors !== cursors) return;
    const top = Math.floor(this.rows.scrollTop / rowHeight);
    const [shown, selected] = [this.entry(top)?.address, this.entry(this.selected)?.address];
    // The pages below may now begin at other entries, so replies to earlier requests for them are ignored. The pages
    // above are reloaded when they become visible.
    this.cursors = cursors.slice(0, page + 1);
    this.loading = new Set();
    this.outdated = new Set([...this.pages.keys()].filter((index) => index > page));
    this.reloadedFrom = page;
    this.total = null;
    this.end = null;
    this.put(page, reply);
    const moved = this.rows.scrollTop > 0 && shown ? this.find(shown, page) - top : 0;
    this.space.style.height = `${this.length * rowHeight}px`;
    if (Number.isFinite(moved)) this.rows.scrollTop += moved * rowHeight;
    const place = selected ? this.find(selected, page) : NaN;
    if (Number.isFinite(place)) this.selected = place;
    this.describe();
    this.draw();
  }

  get topPage() {
    return Math.floor(this.rows.scrollTop / rowHeight / pageSize);
  }

  /** The index of the row with an address, in one page or in all that are loaded; NaN if there is none. */
  find(address, page = null) {
    for (const [number, entries] of page === null ? this.pages : [[page, this.pages.get(page)]]) {
      const index = entries.findIndex((entry) => entry.address === address);
      if (index >= 0) return number * pageSize + index;
    }
    return NaN;
  }

  put(index, reply) {
    // Rows of equal entries stay as they are.
    const old = new Map((this.pages.get(index) ?? []).map((entry) => [entry.address, entry]));
    this.pages.set(index, reply.entries.map((entry) => {
      const before = old.get(entry.address);
      return before && JSON.stringify(before) === JSON.stringify(entry) ? before : entry;
    }));
    this.outdated.delete(index);
    this.total ??= reply.total;
    if (reply.next == null) {
      this.end = index * pageSize + reply.entries.length;
      for (const page of this.pages.keys()) if (page > index) this.pages.delete(page);
    } else if (index + 1 === this.cursors.length) {
      this.cursors.push(reply.next);
    }
    this.forgetPages(index);
    this.problem = null;
  }

  /** The number of rows that can be scrolled to now. */
  get length() {
    if (this.end !== null) return this.end;
    const known = this.cursors.length * pageSize;
    return Math.min(maxRows, known, this.total ?? known);
  }

  async fetchPage(index) {
    if (this.loading.has(index) || index >= this.cursors.length) return;
    if (this.pages.has(index) && !this.outdated.has(index)) return;
    this.loading.add(index);
    const { request, cursors } = this;
    try {
      const reply = await get("entries", { ...this.filter, after: cursors[index], limit: pageSize }, request.signal);
      if (this.cursors !== cursors) return;
      this.put(index, reply);
    } catch (problem) {
      if (problem.name === "AbortError") return;
      this.problem = problem;
    } finally {
      if (this.cursors === cursors) this.loading.delete(index);
    }
    this.describe();
    this.draw();
  }

  forgetPages(around) {
    while (this.pages.size > keptPages) {
      const [farthest] = [...this.pages.keys()].sort((a, b) => Math.abs(b - around) - Math.abs(a - around));
      this.pages.delete(farthest);
    }
  }

  describe() {
    this.space.removeAttribute("aria-busy");
    const isFiltered = Object.values(this.filter).some((value) => value !== "" && value !== null);
    this.totalText.textContent = this.total === null ? ""
      : `${count(this.total)} ${this.total === 1 ? "address" : "addresses"}${isFiltered ? " found" : ""}`;
    if (this.problem) {
      const retry = element("button", { type: "button" }, "Retry");
      retry.addEventListener("click", () => this.load(this.filter, this.first));
      this.note.replaceChildren(
        element("p", { class: "problem" }, `The list cannot be loaded: ${this.problem.message}`), retry);
    } else if (this.total === 0) {
      this.note.replaceChildren(element("p", {}, isFiltered
        ? "No address matches. Change the search or the filters."
        : "No address is watched yet. Add one on the command line: ipctl add 8.8.8.8"));
    } else if (this.first !== null && this.first !== "") {
      const link = element("button", { type: "button" }, "Show from the beginning");
      link.addEventListener("click", () => this.load(this.filter));
      this.note.replaceChildren(link);
    } else {
      this.note.replaceChildren();
    }
    this.rows.hidden = this.total === 0;
  }

  /** Sets whether the daemon lets the server make changes. */
  allowChanges(isAllowed) {
    this.mayChange = isAllowed && changes !== "refused";
    for (const pin of this.space.querySelectorAll(".pin")) pin.disabled = !this.mayChange;
  }

  entry(index) {
    return this.pages.get(Math.floor(index / pageSize))?.[index % pageSize];
  }

  draw() {
    if (!this.cursors) return;
    this.space.style.height = `${this.length * rowHeight}px`;
    this.rows.style.setProperty("--length", `${this.length * rowHeight + 1}px`);
    this.rows.setAttribute("aria-rowcount", String(this.total ?? -1));
    const top = Math.floor(this.rows.scrollTop / rowHeight);
    const visible = Math.ceil(this.rows.clientHeight / rowHeight) + 1;
    const from = Math.max(0, top - 5);
    const to = Math.min(this.length, top + visible + 5);
    for (const [index, node] of this.nodes) {
      if (index < from || index >= to) {
        node.remove();
        this.nodes.delete(index);
      }
    }
    for (let index = from; index < to; index++) this.drawRow(index);
    // After a problem, the user retries.
    if (this.problem === null) {
      if (this.topPage < this.reloadedFrom) this.reload();
      for (let page = Math.floor(from / pageSize); page <= Math.floor((to + visible) / pageSize); page++) {
        this.fetchPage(Math.min(page, this.cursors.length - 1));
      }
    }
    clearTimeout(this.urlTimer);
    this.urlTimer = setTimeout(() => this.addressChanged(top < pageSize ? this.first
      : this.cursors[Math.floor(top / pageSize)] ?? this.first), 300);
  }

  drawRow(index) {
    const entry = this.entry(index);
    let node = this.nodes.get(index);
    if (node && node.entry === entry) {
      node.setAttribute("aria-selected", String(index === this.selected));
      return;
    }
    const fresh = entry ? this.row(entry) : element("div", { class: "row ghost", role: "row" },
      element("span"), element("span"), element("span"), element("span"), element("span"));
    fresh.entry = entry;
    fresh.style.top = `${index * rowHeight}px`;
    fresh.setAttribute("aria-rowindex", String(index + 1));
    fresh.setAttribute("aria-selected", String(index === this.selected));
    if (node) node.replaceWith(fresh); else this.space.append(fresh);
    this.nodes.set(index, fresh);
  }

  row(entry) {
    const pin = element("button", {
      class: "pin", type: "button", tabindex: "-1", "aria-pressed": String(entry.pinned),
      "aria-label": `${entry.pinned ? "Unpin" : "Pin"} ${entry.address}`,
    }, entry.pinned ? "★" : "☆");
    pin.disabled = !this.mayChange;
    const address = element("button", { class: "address", type: "button", tabindex: "-1" }, entry.address);
    const cell = (...children) => element("div", { role: "gridcell" }, ...children);
    const state = cell(element("span", { class: `badge ${entry.state}` }, entry.state));
    const what = cell(line(entry));
    what.className = "what";
    const when = cell(entry.scannedAt == null ? "" : age(entry.scannedAt));
    when.className = "age";
    return element("div", { class: "row", role: "row" }, cell(pin), cell(address), state, what, when);
  }

  updateAges() {
    for (const node of this.nodes.values()) {
      const when = node.querySelector(".age");
      if (when && node.entry && node.entry.scannedAt != null) when.textContent = age(node.entry.scannedAt);
    }
  }

  /** Puts the current state of an entry into its row, and highlights the row. */
  update(entry, isHighlighted) {
    const index = this.find(entry.address);
    if (Number.isNaN(index)) return;
    const entries = this.pages.get(Math.floor(index / pageSize));
    const before = entries[index % pageSize];
    entries[index % pageSize] = entry;
    const node = this.nodes.get(index);
    if (!node) return;
    this.drawRow(index);
    if (isHighlighted) this.nodes.get(index).classList.add("changed");
    if (entry.pinned && !before.pinned) this.nodes.get(index).classList.add("pinned-now");
  }

  /**
   * The addresses of the visible entries that expire before a time, or have no record. A fresh record without an expiry
   * is one from local databases, whose changes cause events.
   */
  expiring(before) {
    const isOver = (entry) => entry.expiresAt == null ? entry.state !== "fresh" : entry.expiresAt < before;
    return [...this.nodes.values()].map((node) => node.entry).filter((entry) => entry && isOver(entry))
      .map((entry) => entry.address);
  }

  click(event) {
    const node = event.target.closest(".row");
    if (!node?.entry) return;
    this.selected = Number(node.getAttribute("aria-rowindex")) - 1;
    this.draw();
    if (event.target.closest(".pin")) this.pin(node.entry.address, !node.entry.pinned);
    else if (event.target.closest(".address")) this.open(node.entry.address);
  }

  async pin(address, isPinned) {
    this.changeNote.replaceChildren();
    try {
      await post("labels", { addresses: [address], pinned: isPinned });
      const entry = this.entry(this.find(address));
      if (entry) this.update({ ...entry, pinned: isPinned }, false);
    } catch (problem) {
      this.changeNote.replaceChildren(
        element("p", { class: "problem" }, `The pin of ${address} was not changed: ${problem.message}`));
      // A refusal by the daemon has the name of an error.
      if (problem.status === 403 && problem.error === null && changes === "token") {
        this.askForToken(() => this.pin(address, isPinned));
      }
    }
  }

  /** Shows a field for the token, and calls `retry` when the form is submitted. */
  askForToken(retry) {
    const field = element("input", { type: "password", autocomplete: "off" });
    const form = element("form", {}, element("label", {}, "Token ", field), " ",
      element("button", { type: "submit" }, "Use in this tab"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      setToken(field.value.trim());
      retry();
    });
    this.changeNote.append(form);
    field.focus();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const perPage = Math.max(1, Math.floor(this.rows.clientHeight / rowHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: perPage, PageUp: -perPage, Home: -Infinity, End: Infinity };
    if (event.key === "Enter") {
      const entry = this.entry(this.selected);
      if (entry) this.open(entry.address);
    } else if (event.key === "p") {
      const entry = this.entry(this.selected);
      if (entry && this.mayChange) this.pin(entry.address, !entry.pinned);
    } else if (event.key in steps) {
      this.selected = Math.max(0, Math.min(this.length - 1, this.selected + steps[event.key]));
      const top = this.selected * rowHeight;
      if (top < this.rows.scrollTop) this.rows.scrollTop = top;
      const bottom = top + rowHeight - this.rows.clientHeight;
      if (bottom > this.rows.scrollTop) this.rows.scrollTop = bottom;
      this.draw();
    } else {
      return;
    }
    event.preventDefault();
  }
}
