import { lastError, number, time } from './cells.js';
import { describe } from './destination-actions.js';
import { addressOf, openDestination } from './destination-page.js';
import { codeCell, useDocs } from './docs.js';
import { byId, show, showList } from './dom.js';
import { ProblemPanel, nameOf } from './problems.js';
import { Table } from './table.js';
import { NONE, count, duration, perSecond, percent } from './text.js';
import { choice } from './view.js';

const MAX_DESTINATIONS = 50;
const MAX_APPS = 50;
/** Share of the attempts. */
const MANY_ERRORS = 0.1;
const MAX_WORKERS = 64;
const MAX_GROUPS = 30;
const MAX_CALLS_OF_GROUP = 5;
const MAX_FAILURES = 50;

const REASONS = {
  'buffer-full': 'The buffer is full and further messages were requeued. Reading continues when the buffer is empty.',
  'uncommitted-limit': 'A partition has too many uncommitted messages and waits for its oldest call.',
};

const STATES = { running: 'good', paused: 'warn', starting: 'warn', draining: 'warn', stopped: 'bad' };

export class StatusPanel {
  #problems = new ProblemPanel();
  #workers = new Table(byId('workers'), ['Worker', 'In flight', 'Connections in use', 'Idle'], { more: byId('workers-more') });

  show(status) {
    show(byId('node'), status.node);
    const [worst] = status.problems;
    show(byId('state'), status.state);
    byId('state').className = `state ${worst?.severity ?? STATES[status.state] ?? ''}`;
    show(byId('facts'), `${status.transport} · version ${status.version} · up ${duration(status.uptimeSeconds * 1_000)}`);
    const opened = openDestination();
    document.title = `${worst ? `(${nameOf(worst)}) ` : ''}${opened ? `${opened} · ` : ''}${status.node} – IOCluster`;
    useDocs(status.docsUrl);
    this.#problems.show(status.problems);
    showList(byId('notices'), notices(status));
    this.#showWorkers(status);
  }

  #showWorkers({ workers, inFlightLimit }) {
    const share = Math.max(1, inFlightLimit / Math.max(1, workers.length));
    this.#workers.show(workers.map(worker => [
      worker.name,
      { text: count(worker.inFlight), classes: 'number', part: worker.inFlight / share },
      { text: count(worker.activeConnections), classes: 'number' },
      { text: count(worker.idleConnections), classes: 'number' },
    ]), MAX_WORKERS);
  }
}

/** Returns remarks that an operator should know but need not act on. */
function notices({ source, configuration, consul, replacedWorkers, logLevels }) {
  const all = [];
  source.pauseReasons.filter(reason => REASONS[reason]).forEach(reason => all.push(REASONS[reason]));
  if (configuration.restartNeeded.length > 0) {
    all.push(`These keys of the configuration file need a restart: ${configuration.restartNeeded.join(', ')}`);
  } else if (configuration.differs && configuration.lastReload?.result !== 'refused') {
    const file = configuration.file === null ? 'the new size holds until the next start' : 'the configuration file has other values';
    all.push(`The workers were resized by hand; ${file}.`);
  }
  logLevels.forEach(({ logger, level, until }) => all.push(`An operator set the log level of ${logger} to ${level} until ${until}.`));
  if (consul?.key && !consul.key.connected) {
    all.push(`The key in Consul cannot be read: ${consul.key.problem ?? 'its agent does not answer'}`);
  }
  if (consul?.service && !consul.service.registered) {
    all.push(`The node is not registered in Consul: ${consul.service.problem ?? 'its agent does not answer'}`);
  }
  if (replacedWorkers > 0) {
    all.push(`${count(replacedWorkers)} workers died and were replaced since the start. The log has the reason.`);
  }
  return all;
}

export class DestinationsPanel {
  #table;

  /** @param searched runs after the operator has changed the filter */
  constructor(searched) {
    this.#table = new Table(
      byId('destinations'),
      ['Destination', 'Breaker', 'Attempts', 'Errors', 'p50', 'p99', 'Last error', 'In flight', 'Limit', 'Waiting', 'Rate limit', 'Paused for', 'Operator'],
      { sortable: true, name: 'destinations', more: byId('destinations-more'), searched },
    );
  }

  /** @param rates {perSecond, errors, p50, p99} by name */
  show({ destinations, more = 0 }, rates) {
    const known = destinations
      .filter(each => each.name !== 'other' || each.attempts > 0 || each.waiting > 0)
      .map(each => ({ ...each, ...rates.get(each.name) }))
      .sort((a, b) => urgency(b) - urgency(a) || (b.perSecond ?? 0) - (a.perSecond ?? 0) || a.name.localeCompare(b.name));
    this.#table.show(known.map(each => [
      { text: each.name, href: addressOf(each.name) },
      { text: each.breaker, classes: each.breaker === 'open' ? 'bad' : each.breaker === 'half-open' ? 'warn' : '' },
      number(each.perSecond, perSecond),
      number(each.errors, percent, each.errors >= MANY_ERRORS ? 'bad' : each.errors > 0 ? 'warn' : ''),
      number(each.p50, duration),
      number(each.p99, duration),
      lastError(each.lastError),
      { ...number(each.inFlight, count), part: each.inFlightLimit ? each.inFlight / each.inFlightLimit : undefined },
      { ...number(each.inFlightLimit, count), text: each.inFlightLimit ? count(each.inFlightLimit) : 'share' },
      number(each.waiting, count, each.waiting > 0 ? 'warn' : ''),
      { text: each.rate, classes: 'number' },
      { ...number(each.pausedMillis, duration, each.pausedMillis ? 'warn' : ''), text: each.pausedMillis ? duration(each.pausedMillis) : NONE },
      { text: describe(each) || NONE, classes: describe(each) ? 'warn' : '' },
    ]), MAX_DESTINATIONS, more);
    show(byId('destinations-none'), known.length > 0 ? '' : none('destination', 'No destination was called yet.'));
  }
}

/** Returns why a table is empty. The node itself searches a long list. */
function none(what, otherwise) {
  return choice(`find-${what}s`) ? `No ${what} contains these words.` : otherwise;
}

/** Sorts destinations with problems first. */
function urgency({ breaker, errors, waiting, pausedMillis, operatorPause, operatorLimit }) {
  return (errors >= MANY_ERRORS ? 8 : 0) + (breaker === 'open' ? 4 : breaker === 'half-open' ? 3 : 0) + (pausedMillis > 0 || operatorPause || operatorLimit ? 2 : 0) + (waiting > 0 ? 1 : 0);
}

export class ProducersPanel {
  #table;

  /** @param searched runs after the operator has changed the filter */
  constructor(searched) {
    this.#table = new Table(
      byId('producers'),
      ['App', 'Calls', 'Share', 'Over quota', 'In flight', 'Limit', 'Waiting', 'Rate limit', 'Errors'],
      { sortable: true, name: 'producers', more: byId('producers-more'), searched },
    );
  }

  show({ apps, more = 0 }) {
    const known = apps.filter(each => each.configured || each.inFlight > 0 || each.waiting > 0 || ended(each) > 0);
    this.#table.show(known.map(each => [
      each.name,
      number(each.callsPerSecond, perSecond),
      { ...number(each.share, percent), part: each.share },
      number(each.overQuotaPerSecond, perSecond, each.overQuotaPerSecond > 0 ? 'warn' : ''),
      { ...number(each.inFlight, count), part: each.inFlightLimit ? each.inFlight / each.inFlightLimit : undefined },
      { ...number(each.inFlightLimit, count), text: each.inFlightLimit ? count(each.inFlightLimit) : NONE },
      number(each.waiting, count, each.waiting > 0 ? 'warn' : ''),
      { text: each.rate, classes: 'number' },
      number(each.errors, count),
    ]), MAX_APPS, more);
    show(byId('producers-none'), known.length > 0 ? '' : none('producer', 'No app has sent a call yet.'));
  }
}

function ended({ answered, failed, rejected, expired }) {
  return answered + failed + rejected + expired;
}

export class FailuresPanel {
  #groups = new Table(
    byId('failure-groups'),
    ['Destination', 'Code', 'Calls', 'First', 'Last', 'Latest message'],
    { sortable: true, name: 'failures', more: byId('failure-groups-more') },
  );
  #latest = new Table(
    byId('latest'),
    ['At', 'Destination', 'Code', 'Message', 'Id', 'Attempts'],
    { sortable: true, name: 'failed-calls', more: byId('latest-more') },
  );

  show({ groups }) {
    this.#show(groups, groups.length === 0 ? 'No call has failed.' : '');
  }

  /** Shows why there are no failures to show. */
  showNone(why) {
    this.#show([], why);
  }

  #show(groups, none) {
    const calls = latestOfEach(groups);
    byId('failure-groups-title').hidden = groups.length === 0;
    byId('latest-title').hidden = calls.length === 0;
    show(byId('failures-none'), none);
    this.#groups.show(groups.map(each => [
      each.destination ?? NONE,
      codeCell(each.code),
      number(each.count, count),
      time(each.first),
      time(each.last),
      { text: each.latest[0]?.message ?? NONE, classes: 'long' },
    ]), MAX_GROUPS);
    this.#latest.show(calls.map(each => [
      time(each.at),
      each.destination ?? NONE,
      codeCell(each.code),
      { text: each.message, classes: 'long' },
      { text: each.id, classes: 'long' },
      number(each.attempts, count),
    ]), MAX_FAILURES);
  }
}

/** Returns a few calls of each group, latest first, so that one group does not hide the others. */
function latestOfEach(groups) {
  return groups
    .flatMap(({ destination, code, latest }) =>
      latest.slice(0, MAX_CALLS_OF_GROUP).map(call => ({ ...call, destination, code })))
    .sort((a, b) => b.at.localeCompare(a.at));
}
