/** Rates between two reads of /api/stats. They use the clock of the node, so that network delays do not count. */

const WINDOW_MILLIS = 5_000;
/** Rates over a shorter time are noise, such as those between a poll and the first event of a stream. */
const SHORTEST_SECONDS = 0.5;
/** Longer than for the node, because the rates of destinations use the times at which values arrive. */
const SHORTEST_DESTINATION_SECONDS = 1;
/** Longer, because a single destination has fewer calls. */
const DESTINATION_WINDOW_MILLIS = 15_000;

/**
 * Returns the rates, or null if the node has restarted in between or too little time has passed. Durations are in milliseconds, null if no
 * call ended.
 */
export function between(before, after) {
  const seconds = (after.uptimeMillis - before.uptimeMillis) / 1_000;
  if (seconds < SHORTEST_SECONDS) {
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

/** The rate, errors and latency of each destination over the last seconds. */
export class DestinationRates {
  #snapshots = [];

  /**
   * Adds what the node reports and returns the rates by name: {perSecond, errors, p50, p99}. `errors` is the share of the ended
   * attempts. A value is null if it is unknown.
   */
  add(destinations, attempts, nowMillis) {
    const durations = new Map(attempts.map(each => [each.name, each.durations]));
    this.#snapshots.push({
      nowMillis,
      byName: new Map(destinations.map(each => [each.name, { ...each, durations: durations.get(each.name) }])),
    });
    while (this.#snapshots.length > 2 && nowMillis - this.#snapshots[1].nowMillis >= DESTINATION_WINDOW_MILLIS) {
      this.#snapshots.shift();
    }
    const [first] = this.#snapshots;
    const seconds = (nowMillis - first.nowMillis) / 1_000;
    return new Map([...this.#snapshots.at(-1).byName].map(([name, after]) =>
      [name, destinationRates(first.byName.get(name), after, seconds)]));
  }
}

function destinationRates(before, after, seconds) {
  // The counts restart at zero if the node has forgotten the destination in between.
  if (!before || seconds < SHORTEST_DESTINATION_SECONDS || after.attempts < before.attempts) {
    return { perSecond: null, errors: null, p50: null, p99: null };
  }
  const ended = after.endedAttempts - before.endedAttempts;
  const recent = difference(before.durations ?? [], after.durations ?? []);
  return {
    perSecond: (after.attempts - before.attempts) / seconds,
    errors: ended > 0 ? (after.errors - before.errors) / ended : null,
    p50: percentile(recent, 0.5),
    p99: percentile(recent, 0.99),
  };
}
