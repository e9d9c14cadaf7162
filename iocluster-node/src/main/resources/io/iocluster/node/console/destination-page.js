import { lastError, number, time } from './cells.js';
import { Chart, showMarks } from './charts.js';
import { describe } from './destination-actions.js';
import { codeCell } from './docs.js';
import { byId, show } from './dom.js';
import { History } from './history.js';
import { NodeHistory } from './node-history.js';
import { Table } from './table.js';
import { NONE, compact, count, duration, percent, perSecond } from './text.js';
import { addressWith, choice, follow } from './view.js';

const CHOICE = 'destination';
const MAX_CODES = 30;
const MAX_FAILURES = 50;
const MAX_UPSTREAMS = 50;

const UPSTREAM_STATES = { 'slow-start': 'warn', ejected: 'bad', unhealthy: 'bad' };

/** Returns the name of the destination whose page is open; empty for none. */
export function openDestination() {
  return choice(CHOICE);
}

/** Returns the address of a destination's page; of the overview if the name is empty. */
export function addressOf(name) {
  return addressWith(CHOICE, name).href;
}

/** The page of one destination. The address of the console has its name. */
export class DestinationPage {
  #overview;
  #history;
  #remembered;
  /** Null until the first page is opened, because hidden charts cost time. */
  #charts = null;
  #changed;
  #name = '';
  #facts = new Table(byId('destination-facts'), ['Figure', 'Now']);
  #upstreams = new Table(
    byId('destination-upstreams'),
    ['Upstream', 'Zone', 'State', 'Share', 'In flight', 'Latency', 'Answered', 'Failed', 'Ejections'],
    { sortable: true, name: 'upstreams', more: byId('destination-upstreams-more') },
  );
  #codes = new Table(byId('destination-codes'), ['Code', 'Of', 'Count', 'Share'], { more: byId('destination-codes-more') });
  #failures = new Table(
    byId('destination-failures'),
    ['At', 'Code', 'Message', 'Id', 'Attempts'],
    { sortable: true, name: 'failures-of-destination', more: byId('destination-failures-more') },
  );

  /**
   * @param overview the history of the node, whose marks are shown in the charts
   * @param changed runs after another page was opened
   */
  constructor(overview, changed) {
    this.#overview = overview;
    this.#changed = changed;
    this.#clearHistory();
    byId('destinations').addEventListener('click', event =>
      this.#follow(event, event.target.closest('tbody tr')?.querySelector('a')));
    byId('destination-back').addEventListener('click', event => this.#follow(event, byId('destination-back')));
    window.addEventListener('popstate', () => {
      this.#open();
      this.#changed();
    });
    this.#open();
  }

  #createCharts() {
    const chart = (title, series, format, more = {}) =>
      new Chart(byId('destination-charts'), () => this.#history, { title, series, format, ...more });
    return [
      chart('Attempts', [{ name: 'perSecond', label: 'attempts', color: 'a' }], perSecond, { axis: compact }),
      chart('Errors', [{ name: 'errors', label: 'of the ended attempts', color: 'b' }], percent, { max: 1 }),
      chart('Attempt latency', [
        { name: 'p50', label: 'p50', color: 'a' },
        { name: 'p99', label: 'p99', color: 'b', dashed: true },
      ], duration),
    ];
  }

  #clearHistory() {
    this.#history = new History(['perSecond', 'errors', 'p50', 'p99'], this.#overview);
    this.#remembered = new NodeHistory(this.#history, this.#name);
  }

  #follow(event, link) {
    if (link && follow(event, link.href)) {
      this.#open();
      this.#changed();
      byId(this.#name ? 'destination-title' : 'destinations-title').focus();
    }
  }

  #open() {
    const name = openDestination();
    if (name === this.#name) {
      return;
    }
    this.#name = name;
    this.#clearHistory();
    this.#charts ??= this.#createCharts();
    byId('destination-page').hidden = name === '';
    document.body.classList.toggle('drilled', name !== '');
    document.querySelector('.skip').href = name === '' ? '#controls' : '#destination-actions';
    show(byId('destination-title'), `Destination ${name}`);
    show(byId('destination-unknown'), '');
    this.#facts.show([]);
    this.#codes.show([]);
    this.showUpstreams([]);
    this.showFailures([]);
    this.draw();
    this.remember();
  }

  /** Fills the charts with what the node remembers. */
  async remember() {
    if (this.#name === '') {
      return;
    }
    try {
      await this.#remembered.refresh();
      this.draw();
    } catch {
      // The node does not answer. This runs again when it does.
    }
  }

  /**
   * Shows what the node reports of the destination.
   *
   * @param rates {perSecond, errors, p50, p99} by name
   * @param caches the caches of all destinations that have one, and the cache that nodes share
   */
  show(destinations, attempts, rates, caches) {
    if (this.#name === '') {
      return;
    }
    byId('destination-back').href = addressOf('');
    const known = destinations.find(each => each.name === this.#name);
    this.#history.add(Date.now() / 1_000, rates.get(this.#name) ?? {});
    this.draw();
    show(byId('destination-unknown'), known
      ? ''
      : 'The node knows no destination of this name. It was never called, or not for a long time.');
    const cache = caches?.caches.find(each => each.destination === this.#name);
    const own = attempts.find(each => each.name === this.#name);
    this.#facts.show(known ? [...facts(known, own), ...(cache ? cacheFacts(cache, caches.shared) : [])] : []);
    this.#codes.show(codes(own), MAX_CODES);
  }

  /** Shows the upstreams of the destination, if it has some. */
  showUpstreams(upstreams) {
    const own = upstreams.filter(each => each.destination === this.#name);
    byId('destination-upstreams-part').hidden = own.length === 0;
    this.#upstreams.show(own.map(each => [
      each.upstream,
      each.zone || NONE,
      { text: stateOf(each), classes: UPSTREAM_STATES[each.state] ?? '' },
      { ...number(each.share, percent), part: each.share },
      number(each.inFlight, count),
      number(each.latencyMillis || null, duration),
      number(each.successes, count),
      number(each.failures, count),
      number(each.ejections, count),
    ]), MAX_UPSTREAMS);
  }

  /** Shows a gap in the charts, because the node did not answer. */
  showGap() {
    this.#history.add(Date.now() / 1_000, {});
    this.draw();
  }

  /** Shows the latest failures of the destination, or why there are none to show. */
  showFailures(groups, why = '') {
    const calls = groups
      .filter(each => each.destination === this.#name)
      .flatMap(({ code, latest }) => latest.map(call => ({ ...call, code })))
      .sort((a, b) => b.at.localeCompare(a.at));
    show(byId('destination-failures-none'), calls.length > 0 ? '' : why || 'No call to this destination has failed.');
    this.#failures.show(calls.map(each => [
      time(each.at),
      codeCell(each.code),
      { text: each.message, classes: 'long' },
      { text: each.id, classes: 'long' },
      number(each.attempts, count),
    ]), MAX_FAILURES);
  }

  /** Shows this many seconds in the charts. */
  showLast(seconds) {
    this.#history.showLast(seconds);
    this.draw();
  }

  /** Draws the charts, if the page is open. */
  draw() {
    if (this.#name !== '') {
      this.#charts.forEach(each => each.draw());
      showMarks(byId('destination-marks'), this.#history);
    }
  }
}

function stateOf({ state, problem, returnsInMillis }) {
  const until = returnsInMillis > 0 ? `, for ${duration(returnsInMillis)}` : '';
  return problem === null ? state : `${state} (${problem})${until}`;
}

function facts(destination, attempts) {
  const limit = destination.inFlightLimit ? `of ${count(destination.inFlightLimit)}` : 'of its share';
  return [
    ['Breaker', { text: destination.breaker, classes: destination.breaker === 'open' ? 'bad' : destination.breaker === 'half-open' ? 'warn' : '' }],
    ['Last error', lastError(destination.lastError)],
    ['Calls in flight', `${count(destination.inFlight)} ${limit}`],
    ['Calls waiting', { text: count(destination.waiting), classes: destination.waiting > 0 ? 'warn' : '' }],
    ['Rate limit', destination.rate],
    ['Limit of the cluster', ofCluster(destination.cluster)],
    ['Paused by the target for', destination.pausedMillis ? duration(destination.pausedMillis) : NONE],
    ['Changed by an operator', describe(destination) || NONE],
    ['Attempts since the start', count(destination.attempts)],
    ['Errors since the start', count(destination.errors)],
    ['Redelivered calls since the start', attempts === undefined ? NONE : count(attempts.redelivered)],
    ['Retries that the budget refused', count(destination.retryBudgetExhausted)],
    ...(destination.hedge ? hedgeFacts(destination.hedge, attempts?.hedges ?? {}) : []),
  ];
}

function hedgeFacts({ after, delayMillis, budgetPercent }, hedges) {
  const of = result => hedges[result] ?? 0;
  const started = of('won') + of('lost') + of('failed') + of('cancelled');
  return [
    ['Second attempt of a slow call after', after.startsWith('p') ? `${after}: ${delayMillis === null ? 'not known yet' : duration(delayMillis)}` : after],
    ['Second attempts', `${count(started)} (at most ${budgetPercent} % of the calls), of which ${count(of('won'))} won`],
    ['Second attempts not started', `${count(of('over-budget'))} over the budget, ${count(of('saturated'))} without room`],
  ];
}

function cacheFacts(cache, shared) {
  const answered = cache.hit + cache.shared + cache.revalidated + cache.stale + cache.coalesced;
  const calls = answered + cache.miss;
  return [
    ['Calls answered by the cache', calls > 0 ? `${percent(answered / calls)} of ${count(calls)}` : NONE],
    ['of these: hits', count(cache.hit)],
    ...(shared ? [['of these: from the shared cache', count(cache.shared)], ['Shared cache', sharedState(shared)]] : []),
    ['of these: answered by an identical call', count(cache.coalesced)],
    ['of these: confirmed by the target', count(cache.revalidated)],
    ['of these: expired, because the target failed', count(cache.stale)],
    ['Responses refreshed in the background', count(cache.refreshes)],
    ['Memory of the cache', `${mebibytes(cache.bytes)} of ${mebibytes(cache.maxBytes)}`],
    ['Entries removed from the full cache', count(cache.evictions)],
  ];
}

/** Returns whether the cache that nodes share can be used. */
function sharedState(shared) {
  if (shared.reason !== null) {
    return { text: `not usable for ${duration(shared.outageMs)}: ${shared.reason}`, classes: 'warn' };
  }
  return shared.connected ? `connected, ${shared.meanLookupMs.toFixed(2)} ms per lookup` : 'connecting';
}

function mebibytes(bytes) {
  return `${(bytes / (1 << 20)).toFixed(1)} MiB`;
}

/** Returns the limits that the nodes divide. */
function ofCluster(limits) {
  if (!limits) {
    return NONE;
  }
  const all = [limits.rate, limits.maxInFlight === null ? null : `${count(limits.maxInFlight)} in flight`].filter(each => each !== null);
  return limits.nodes === 0
    ? { text: `${all.join(', ')}: calls wait, because this node does not know its share`, classes: 'warn' }
    : `${all.join(', ')}, divided by ${count(limits.nodes)}`;
}

/** Returns the statuses of attempts, the codes of failed calls and why answers are not usable, each the most frequent first. */
function codes(attempts) {
  return attempts === undefined
    ? []
    : [
        ...shares(attempts.statuses, 'attempts with a response', codeCell),
        ...shares(attempts.failures, 'calls without an answer', codeCell),
        ...shares(attempts.unusable, 'answers that are not usable', reason => reason),
      ];
}

function shares(counts, of, cell) {
  const all = Object.entries(counts).filter(([, each]) => each > 0).sort(([, a], [, b]) => b - a);
  const total = all.reduce((sum, [, each]) => sum + each, 0);
  return all.map(([code, each]) => [cell(code), of, number(each, count), { ...number(each / total, percent), part: each / total }]);
}
