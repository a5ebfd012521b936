// A map of the world with one circle per place. The coastline is that of Natural Earth (public domain).

import { count } from "./text.js";

let land = null;

/** Returns the outlines of the land as arrays of longitudes and latitudes in degrees. */
async function coastline() {
  if (land !== null) return land;
  const bytes = new DataView(await (await fetch("/assets/coastline.bin")).arrayBuffer());
  const outlines = [];
  for (let at = 0; at < bytes.byteLength;) {
    const length = bytes.getUint16(at, true);
    at += 2;
    const outline = new Float32Array(2 * length);
    for (let index = 0; index < 2 * length; index++, at += 2) outline[index] = bytes.getInt16(at, true) / 180;
    outlines.push(outline);
  }
  land = outlines;
  return land;
}

const views = new WeakMap();
const world = { west: -180, east: 180, south: -60, north: 84 };

function fitted(places) {
  const [lats, lons] = [places.map((place) => place.lat), places.map((place) => place.lon)];
  const [west, east] = [Math.min(...lons), Math.max(...lons)];
  const [south, north] = [Math.min(...lats), Math.max(...lats)];
  // The map is twice as wide as high, and shows at least 60 degrees, so that the coasts can be recognised.
  const height = Math.max(north - south, (east - west) / 2, 25) * 1.2;
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return { west: x - height, east: x + height, south: y - height / 2, north: y + height / 2 };
}

/** Draws the places: `view` is "world", or "points" to zoom to them. */
export async function drawMap(canvas, places, view) {
  const shown = places.filter((place) => typeof place.lat === "number" && typeof place.lon === "number");
  const outlines = await coastline();
  const box = view === "points" && shown.length > 0 ? fitted(shown) : world;
  const scale = window.devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  const style = getComputedStyle(document.documentElement);
  const x = (lon) => (lon - box.west) / (box.east - box.west) * width;
  const y = (lat) => (box.north - lat) / (box.north - box.south) * height;
  context.fillStyle = style.getPropertyValue("--land");
  context.beginPath();
  for (const outline of outlines) {
    for (let index = 0; index < outline.length; index += 2) {
      const [px, py] = [x(outline[index]), y(outline[index + 1])];
      if (index === 0) context.moveTo(px, py); else context.lineTo(px, py);
    }
    context.closePath();
  }
  context.fill();
  context.fillStyle = style.getPropertyValue("--point");
  const largest = Math.max(1, ...shown.map((place) => place.count));
  const circles = shown.map((place) => ({
    place, x: x(place.lon), y: y(place.lat), radius: 2.5 + 9 * Math.sqrt(place.count / largest),
  }));
  context.globalAlpha = 0.6;
  for (const circle of circles) {
    context.beginPath();
    context.arc(circle.x, circle.y, circle.radius, 0, 2 * Math.PI);
    context.fill();
  }
  context.globalAlpha = 1;
  views.set(canvas, circles);
}

/** Shows the place under the pointer in `tip`, and calls `choose` with it when it is clicked. */
export function explain(canvas, tip, choose) {
  const find = (event) => {
    const circles = views.get(canvas) ?? [];
    const bounds = canvas.getBoundingClientRect();
    const [px, py] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const near = circles.map((circle) => [Math.hypot(circle.x - px, circle.y - py) - circle.radius, circle])
      .sort((a, b) => a[0] - b[0])[0];
    return near && near[0] < 6 ? near[1] : null;
  };
  canvas.addEventListener("pointermove", (event) => {
    const circle = find(event);
    tip.hidden = circle === null;
    if (circle === null) return;
    tip.textContent = `${circle.place.key || "unknown place"}: ${count(circle.place.count)}`;
    tip.style.left = `${Math.min(circle.x, canvas.clientWidth - tip.offsetWidth)}px`;
    tip.style.top = `${Math.max(0, circle.y - circle.radius - 28)}px`;
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (event) => {
    const circle = find(event);
    if (circle) choose(circle.place);
  });
}
