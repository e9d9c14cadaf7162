/** The values of the last hour, for the charts: those that the page has read each second, and samples that the node recorded. */

const KEPT_SECONDS = 3_600;
const MAX_ROWS = KEPT_SECONDS + 60;
const MAX_MARKS = 100;
const DEFAULT_SHOWN_SECONDS = 600;
/** Time is divided into steps of this length. A sample of the node is used only if the page has no values in its step. */
const STEP_SECONDS = 5;

export class History {
  #times = [];
  #columns = new Map();
  #marks;
  #shownSeconds;

  /** @param marked another history whose marks this one shows too; undefined for none */
  constructor(names, marked) {
    this.#marks = marked ? marked.#marks : new Map();
    this.#shownSeconds = marked ? marked.#shownSeconds : DEFAULT_SHOWN_SECONDS;
    names.forEach(name => this.#columns.set(name, []));
  }

  /** Adds the values of a time in seconds since the epoch. A missing value is a gap. */
  add(seconds, values) {
    this.#append(seconds, values);
    while (this.#times.length > MAX_ROWS || seconds - this.#times[0] > KEPT_SECONDS) {
      this.#times.shift();
      this.#columns.forEach(column => column.shift());
    }
  }

  #append(seconds, values) {
    this.#times.push(seconds);
    this.#columns.forEach((column, name) => column.push(values[name] ?? null));
  }

  /** Adds rows {seconds, values} of the node at the times for which the page has no values. */
  fill(rows) {
    const own = this.#times.map((seconds, i) => ({ seconds, values: this.#row(i) }));
    const isKnown = each => Object.values(each.values).some(value => value !== null);
    const ownSteps = new Set(own.filter(isKnown).map(step));
    const added = rows.filter(each => !ownSteps.has(step(each)));
    if (added.length === 0) {
      return;
    }
    const addedSteps = new Set(added.map(step));
    const all = [...own.filter(each => isKnown(each) || !addedSteps.has(step(each))), ...added]
      .sort((a, b) => a.seconds - b.seconds);
    this.#times = [];
    this.#columns.forEach((column, name) => this.#columns.set(name, []));
    all.filter(each => all.at(-1).seconds - each.seconds <= KEPT_SECONDS)
      .slice(-MAX_ROWS)
      .forEach(each => this.#append(each.seconds, each.values));
  }

  #row(index) {
    return Object.fromEntries([...this.#columns].map(([name, column]) => [name, column[index]]));
  }

  /** Adds a mark {id, seconds, letter, text}, unless it is known. */
  mark(mark) {
    if (!this.#marks.has(mark.id)) {
      this.#marks.set(mark.id, mark);
      if (this.#marks.size > MAX_MARKS) {
        this.#marks.delete(this.#marks.keys().next().value);
      }
    }
  }

  /** Returns the marks in the shown time, latest first. */
  get marks() {
    const [from] = this.range();
    return [...this.#marks.values()].filter(each => each.seconds >= from).sort((a, b) => b.seconds - a.seconds);
  }

  get times() {
    return this.#times;
  }

  column(name) {
    return this.#columns.get(name);
  }

  /** Shows this many seconds in the charts, at most those that are kept. */
  showLast(seconds) {
    this.#shownSeconds = Math.min(seconds, KEPT_SECONDS);
  }

  /** Returns the time range of a chart in seconds since the epoch: at least a minute, at most the shown time. */
  range() {
    const last = this.#times.at(-1) ?? Date.now() / 1_000;
    return [Math.max(last - this.#shownSeconds, Math.min(this.#times[0] ?? last, last - 60)), last];
  }
}

function step({ seconds }) {
  return Math.floor(seconds / STEP_SECONDS);
}
