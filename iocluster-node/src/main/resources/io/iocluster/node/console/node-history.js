import { read } from './api.js';

/** The columns of the page's history, and their names in the response. */
const NODE_COLUMNS = {
  lag: 'lag',
  inFlight: 'inFlight',
  limit: 'inFlightLimit',
  calls: 'callsPerSecond',
  failures: 'failuresPerSecond',
  cpu: 'cpu',
  p50: 'p50Millis',
  p99: 'p99Millis',
};

/** The columns of a destination's page, and their names in the response. */
const DESTINATION_COLUMNS = {
  perSecond: 'attemptsPerSecond',
  errors: 'errorShare',
  p50: 'p50Millis',
  p99: 'p99Millis',
};

const EVENTS = {
  'started': { letter: 'S', text: 'node started' },
  'configuration-applied': { letter: 'C', text: 'configuration applied' },
  'configuration-refused': { letter: 'X', text: 'configuration refused' },
  'resized': { letter: 'R', text: 'resized' },
};

/** Each request repeats the last samples, because the node records an event up to one sample after it happened. */
const OVERLAP_SAMPLES = 2;

/** Copies the samples and events that the node recorded into the history of the page, each time only new ones. */
export class NodeHistory {
  #history;
  #destination;
  #columns;
  #since = 0;

  /** @param destination the name of a destination; empty for the node itself */
  constructor(history, destination = '') {
    this.#history = history;
    this.#destination = destination;
    this.#columns = destination ? DESTINATION_COLUMNS : NODE_COLUMNS;
  }

  /** Returns the path of the samples and events that the page does not know yet. */
  get path() {
    const destination = this.#destination ? `&destination=${encodeURIComponent(this.#destination)}` : '';
    return `/api/history?since=${this.#since}${destination}`;
  }

  async refresh() {
    this.add(await read(this.path), Date.now());
  }

  /** Adds a response, and converts its times from the node's clock to the browser's. */
  add({ now, intervalMillis, times, figures, events }, browserNow) {
    const seconds = millis => (millis + browserNow - now) / 1_000;
    this.#history.fill(times.map((time, i) => ({
      seconds: seconds(time),
      values: Object.fromEntries(Object.entries(this.#columns).map(([name, figure]) => [name, figures[figure][i]])),
    })));
    events.forEach(({ at, kind, detail }) => {
      const { letter, text } = EVENTS[kind] ?? { letter: '?', text: kind };
      this.#history.mark({ id: `${at} ${kind} ${detail}`, seconds: seconds(at), letter, text: detail ? `${text}: ${detail}` : text });
    });
    this.#since = Math.max(0, now - OVERLAP_SAMPLES * intervalMillis);
  }
}
