/** Rates between two reads of /api/stats. They use the clock of the node, so that network delays do not count. */

const WINDOW_MILLIS = 5_000;

/**
 * Returns the rates, or null if the node has restarted in between or no time has passed. Durations are in milliseconds, null if no
 * call ended.
 */
export function between(before, after) {
  const seconds = (after.uptimeMillis - before.uptimeMillis) / 1_000;
  if (seconds <= 0) {
    return null;
  }
  const rate = name => (after[name] - before[name]) / seconds;
  const durations = difference(before.durations, after.durations);
  return {
    callsPerSecond: durations.reduce((sum, each) => sum + each.calls, 0) / seconds,
    failuresPerSecond: rate('failures'),
    retriesPerSecond: rate('retries'),
    deadLettersPerSecond: rate('deadLetters'),
    cpu: Math.min(1, rate('cpuMillis') / 1_000 / after.cpus),
    p50: percentile(durations, 0.5),
    p99: percentile(durations, 0.99),
  };
}

function difference(before, after) {
  const earlier = new Map(before.map(each => [each.upToMillis, each.calls]));
  return after
    .map(each => ({ upToMillis: each.upToMillis, calls: each.calls - (earlier.get(each.upToMillis) ?? 0) }))
    .filter(each => each.calls > 0);
}

/** Returns the smallest bucket limit that this part of the calls did not exceed. The buckets are in ascending order. */
export function percentile(buckets, part) {
  const total = buckets.reduce((sum, each) => sum + each.calls, 0);
  let seen = 0;
  for (const each of buckets) {
    seen += each.calls;
    if (seen >= total * part) {
      return each.upToMillis;
    }
  }
  return null;
}

/** Rates over the last few seconds, so that one slow request causes no spike. */
export class RecentRates {
  #stats = [];

  /** Adds stats and returns the rates up to them, or null for the first ones. */
  add(stats) {
    if (this.#stats.length > 0 && stats.uptimeMillis < this.#stats.at(-1).uptimeMillis) {
      this.#stats = [];
    }
    this.#stats.push(stats);
    while (this.#stats.length > 2 && stats.uptimeMillis - this.#stats[1].uptimeMillis >= WINDOW_MILLIS) {
      this.#stats.shift();
    }
    return between(this.#stats[0], stats);
  }

  /** Forgets all stats, because rates across a gap would be misleading. */
  forget() {
    this.#stats = [];
  }
}

/** The attempts a second of each destination. */
export class AttemptRates {
  #before = new Map();
  #beforeMillis = null;

  /** Returns the rates by name since the previous call. A new name has none. */
  add(destinations, nowMillis) {
    const seconds = this.#beforeMillis === null ? 0 : (nowMillis - this.#beforeMillis) / 1_000;
    const rates = new Map();
    for (const { name, attempts } of destinations) {
      const more = attempts - (this.#before.get(name) ?? Infinity);
      if (seconds > 0 && more >= 0) {
        rates.set(name, more / seconds);
      }
    }
    this.#before = new Map(destinations.map(each => [each.name, each.attempts]));
    this.#beforeMillis = nowMillis;
    return rates;
  }
}
