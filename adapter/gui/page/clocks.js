/** Clocks, counted down locally between the table's updates. */

import { counted } from "./dom.js";

/** Returns the seconds left on a side's clock; `null` without one, as for an engine with a fixed time for each move. */
export function leftOf(table, side) {
  const seat = table.seat(side);
  const clock = table.clocks[table.seats.indexOf(seat)];
  const hasTime = clock && (seat.by === "person" || clock.limit.startsWith("tc"));
  if (!hasTime || clock.left === null || clock.left === undefined) return null;
  const passed = clock.is_running ? (performance.now() - clock.at) / 1000 : 0;
  return Math.max(clock.left - passed, 0);
}

/** Formats a time for a clock: `1:05:09`, `4:07`, below ten seconds `8.3`, and `0:00` at the end. */
export function format(seconds) {
  if (seconds > 0 && seconds < 10) return seconds.toFixed(1);
  const whole = Math.ceil(seconds);
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (n) => String(n).padStart(2, "0");
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** Formats a time as words for speech. */
export function inWords(seconds) {
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  const rest = whole % 60;
  const parts = [minutes > 0 && counted(minutes, "minute"), (rest > 0 || minutes === 0) && counted(rest, "second")];
  return parts.filter(Boolean).join(" ");
}
