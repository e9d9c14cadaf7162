/** The values of the last minutes, for the charts. */

const MINUTES = 10;
const KEPT_SECONDS = MINUTES * 60;
const MAX_ROWS = KEPT_SECONDS + 60;

export class History {
  #times = [];
  #columns = new Map();

  constructor(names) {
    names.forEach(name => this.#columns.set(name, []));
  }

  /** Adds the values of a time in seconds since the epoch. A missing value is a gap. */
  add(seconds, values) {
    this.#times.push(seconds);
    this.#columns.forEach((column, name) => column.push(values[name] ?? null));
    while (this.#times.length > MAX_ROWS || seconds - this.#times[0] > KEPT_SECONDS) {
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

  /** Returns the time range of a chart in seconds since the epoch: at least a minute, at most the kept time. */
  range() {
    const last = this.#times.at(-1) ?? Date.now() / 1_000;
    return [Math.min(this.#times[0] ?? last, last - 60), last];
  }
}
