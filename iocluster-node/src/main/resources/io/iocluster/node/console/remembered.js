import { read } from './api.js';

/** What the page calls the figures of the node. */
const COLUMNS = {
  lag: 'lag',
  inFlight: 'inFlight',
  limit: 'inFlightLimit',
  calls: 'callsPerSecond',
  failures: 'failuresPerSecond',
  cpu: 'cpu',
  p50: 'p50Millis',
  p99: 'p99Millis',
};

const EVENTS = {
  'started': { letter: 'S', text: 'node started' },
  'configuration-applied': { letter: 'C', text: 'configuration applied' },
  'configuration-refused': { letter: 'X', text: 'configuration refused' },
  'resized': { letter: 'R', text: 'resized' },
};

/** The node learns of an event up to one sample later. */
const OVERLAP_SAMPLES = 2;

/** Copies what the node remembers into the history of the page, each time only what is new. */
export class RememberedHistory {
  #history;
  #since = 0;

  constructor(history) {
    this.#history = history;
  }

  async refresh() {
    this.add(await read(`/api/history?since=${this.#since}`), Date.now());
  }

  /** Adds a response. Its times are by the clock of the node; the page uses that of the browser. */
  add({ now, intervalMillis, times, figures, events }, browserNow) {
    const seconds = millis => (millis + browserNow - now) / 1_000;
    this.#history.fill(times.map((time, i) => ({
      seconds: seconds(time),
      values: Object.fromEntries(Object.entries(COLUMNS).map(([name, figure]) => [name, figures[figure][i]])),
    })));
    events.forEach(({ at, kind, detail }) => {
      const { letter, text } = EVENTS[kind] ?? { letter: '?', text: kind };
      this.#history.mark({ id: `${at} ${kind} ${detail}`, seconds: seconds(at), letter, text: detail ? `${text}: ${detail}` : text });
    });
    this.#since = Math.max(0, now - OVERLAP_SAMPLES * intervalMillis);
  }
}
