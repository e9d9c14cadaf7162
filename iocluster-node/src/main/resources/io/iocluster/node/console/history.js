/** What the charts show: the last minutes, and no more. */

const MINUTES = 10;
const KEPT_SECONDS = MINUTES * 60;
const MOST_ROWS = KEPT_SECONDS + 60;

export class History {
  #times = [];
  #columns = new Map();

  constructor(names) {
    names.forEach(name => this.#columns.set(name, []));
  }

  /** Adds a moment, in seconds since the epoch; what its values do not name is a gap. */
  add(seconds, values) {
    this.#times.push(seconds);
    this.#columns.forEach((column, name) => column.push(values[name] ?? null));
    while (this.#times.length > MOST_ROWS || seconds - this.#times[0] > KEPT_SECONDS) {
      this.#times.shift();
      this.#columns.forEach(column => column.shift());
    }
  }

  get times() {
    return this.#times;
  }

  column(name) {
    return this.#columns.get(name);
  }

  /** From when to when a chart reaches: a minute at least, and what is kept at most. */
  range() {
    const last = this.#times.at(-1) ?? Date.now() / 1_000;
    return [Math.min(this.#times[0] ?? last, last - 60), last];
  }
}
