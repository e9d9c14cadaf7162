import { Refused, follow, read, token } from './api.js';

const POLL_MILLIS = 1_000;
const POLL_MILLIS_HIDDEN = 10_000;
/** Slowly changing parts are read, and shown, in every second round. */
const SLOW_ROUNDS = 2;
const FIRST_RETRY_MILLIS = 1_000;
const LAST_RETRY_MILLIS = 30_000;
/** After this time a stream counts as stable, and the delay before the next retry is short again. */
const STABLE_MILLIS = 10_000;

const STREAM = '/api/events';
const FAST = ['status', 'stats'];
const SLOW = ['history', 'destinations', 'attempts', 'apps', 'caches', 'upstreams', 'failures', 'tuning', 'cluster'];

/**
 * Keeps the latest parts of the node's state, by the name of their API path. The node sends what has changed while the page is visible.
 * Otherwise, and whenever the stream fails, the page polls.
 */
export class Feed {
  #latest = {};
  #listener;
  /** The API paths of this node; null until they are known. */
  #paths = null;
  #rounds = 0;
  #timer = 0;
  #polling = false;
  /** The parts to read at once. */
  #requested = new Set();
  /** The lists that the node shortens. */
  #long = new Set();
  /** The AbortController of the open stream; null if there is none. */
  #stream = null;
  /** The token and the parts of the request that opened the stream. */
  #asked = '';
  #live = false;
  #liveSince = 0;
  #slowArrived = false;
  #retryMillis = FIRST_RETRY_MILLIS;
  #retryAt = 0;

  /**
   * @param listener an object with these functions: `mayRead()` returns whether the page can request parts that need the token;
   *     `historyPath()` returns the path of the history that the page does not know yet; `search(part)` returns what the operator looks
   *     for in a list: the words `find`, and `include`, the name of an entry; `shown(latest, slow, live)` runs after each round, and
   *     `slow` tells whether it included the slow parts; `lost(problem)` runs if the node does not answer
   */
  constructor(listener) {
    this.#listener = listener;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) {
        this.#disconnect();
        this.#schedule();
      } else {
        this.refresh();
      }
    });
  }

  /** Reads everything now, because something was changed or opened. */
  refresh() {
    this.#request([...FAST, ...SLOW]);
  }

  /** Reads this list now if the node shortens it, because the operator looks for other entries. */
  search(part) {
    if (this.#long.has(part)) {
      this.#request([part]);
    }
  }

  #request(parts) {
    parts.forEach(each => this.#requested.add(each));
    if (!this.#polling) {
      this.#poll();
    }
  }

  async #poll() {
    clearTimeout(this.#timer);
    this.#polling = true;
    const requested = this.#requested;
    this.#requested = new Set();
    try {
      this.#paths ??= Object.keys((await read('/api/openapi.json')).paths);
      const due = !this.#live && this.#rounds % SLOW_ROUNDS === 0;
      const slow = SLOW.filter(each => due || requested.has(each) || this.#isSearched(each));
      await this.#readAll(FAST.filter(each => !this.#live || requested.has(each)));
      this.#listener.shown(this.#latest, false, this.#live);
      if (slow.length > 0) {
        await this.#readAll(slow);
        this.#listener.shown(this.#latest, true, this.#live);
      }
      this.#rounds++;
      this.#connect();
    } catch (problem) {
      this.#paths = null;
      this.#rounds = 0;
      this.#disconnect();
      this.#listener.lost(problem);
    } finally {
      this.#polling = false;
      this.#schedule();
    }
  }

  #schedule() {
    clearTimeout(this.#timer);
    if (this.#polling) {
      return;
    }
    if (this.#requested.size > 0) {
      this.#timer = setTimeout(() => this.#poll(), 0);
    } else if (!this.#live) {
      this.#timer = setTimeout(() => this.#poll(), document.hidden ? POLL_MILLIS_HIDDEN : POLL_MILLIS);
    } else if (SLOW.some(each => this.#isSearched(each))) {
      this.#timer = setTimeout(() => this.#poll(), SLOW_ROUNDS * POLL_MILLIS);
    }
  }

  /** Returns whether the operator looks for entries that the stream may leave out. The page polls such a list. */
  #isSearched(part) {
    const { find, include } = this.#listener.search(part);
    return this.#long.has(part) && Boolean(find || include);
  }

  /** Remembers whether the node shortens this list, which it did not search. */
  #notice(part, { more = 0 }) {
    const known = this.#long.has(part);
    if (more === 0) {
      this.#long.delete(part);
    } else {
      this.#long.add(part);
    }
    if (!known && this.#isSearched(part)) {
      this.#requested.add(part);
      this.#schedule();
    }
  }

  #readAll(parts) {
    return Promise.all(parts.filter(each => this.#paths.includes(`/api/${each}`)).map(async each => {
      const value = await this.#read(each);
      // The stream has newer values, and rates need them in order.
      if (each !== 'stats' || !this.#live) {
        this.#latest[each] = value;
      }
    }));
  }

  async #read(part) {
    if (part === 'history') {
      return read(this.#listener.historyPath());
    }
    if (part === 'failures' && !this.#listener.mayRead()) {
      return { refused: 'The node asks for its token before it shows failures.' };
    }
    try {
      return await this.#readPart(part);
    } catch (problem) {
      if (part !== 'failures' || !(problem instanceof Refused)) {
        throw problem;
      }
      return { refused: problem.status === 401 ? 'The token is wrong.' : problem.message };
    }
  }

  async #readPart(part) {
    const { find, include } = this.#listener.search(part);
    // The page searches a short list itself, in all columns.
    const words = this.#long.has(part) ? find : '';
    const query = new URLSearchParams(Object.entries({ find: words, include }).filter(([, value]) => value)).toString();
    const value = await read(query ? `/api/${part}?${query}` : `/api/${part}`);
    if (!words) {
      this.#notice(part, value);
    }
    return value;
  }

  /** Opens the stream unless it is open, the page is hidden, or a retry is not due. Opens it again if another token gives other parts. */
  async #connect() {
    const parts = [...SLOW, ...FAST].filter(each => this.#latest[each] && !this.#latest[each].refused && !this.#isSearched(each));
    const asked = `${token()} ${parts}`;
    if (this.#stream && this.#asked !== asked) {
      // Stays live, because the node sends all parts to the new stream at once.
      this.#stream.abort();
      this.#stream = null;
    }
    if (this.#stream) {
      return;
    }
    // The state of a node that has stopped does not change.
    if (document.hidden || !this.#paths.includes(STREAM) || Date.now() < this.#retryAt || this.#latest.status.state === 'stopped') {
      this.#live = false;
      return;
    }
    const stream = new AbortController();
    this.#stream = stream;
    this.#asked = asked;
    try {
      await follow(`${STREAM}?parts=${parts}`, (name, value) => this.#receive(stream, name, value), stream);
    } catch {
      // The next poll tells whether the node answers.
    }
    if (this.#stream === stream) {
      this.#disconnect();
      this.#retryAt = Date.now() + this.#retryMillis * (0.5 + Math.random() / 2);
      this.#retryMillis = Math.min(2 * this.#retryMillis, LAST_RETRY_MILLIS);
      this.refresh();
    }
  }

  #receive(stream, name, value) {
    if (this.#stream !== stream || this.#isSearched(name)) {
      return;
    }
    this.#latest[name] = value;
    this.#notice(name, value);
    if (name !== 'stats') {
      this.#slowArrived ||= SLOW.includes(name);
      return;
    }
    // `stats` is the last event of each round.
    if (!this.#live) {
      this.#live = true;
      this.#liveSince = Date.now();
      this.#schedule();
    } else if (Date.now() - this.#liveSince > STABLE_MILLIS) {
      this.#retryMillis = FIRST_RETRY_MILLIS;
    }
    const slow = this.#slowArrived || ++this.#rounds % SLOW_ROUNDS === 0;
    this.#slowArrived = false;
    this.#listener.shown(this.#latest, slow, true);
  }

  #disconnect() {
    this.#stream?.abort();
    this.#stream = null;
    this.#live = false;
  }
}
