import { Refused, read } from './api.js';
import { Chart } from './charts.js';
import { ClusterPanel } from './cluster.js';
import { Controls } from './controls.js';
import { DestinationActions } from './destination-actions.js';
import { DestinationPage, openDestination } from './destination-page.js';
import { byId, show, showList } from './dom.js';
import { History } from './history.js';
import { DestinationsPanel, FailuresPanel, ProducersPanel, StatusPanel } from './panels.js';
import { DestinationRates, RecentRates } from './rates.js';
import { NodeHistory } from './node-history.js';
import { compact, count, dateTime, duration, percent, perSecond } from './text.js';
import { TuningPanel } from './tuning.js';
import { choice, choose } from './view.js';

const REFRESH_MILLIS = 1_000;
const REFRESH_MILLIS_HIDDEN = 10_000;
/** Slowly changing data is read on every second refresh. */
const SLOW_REFRESHES = 2;
const MAX_MARKS = 8;

const history = new History(['lag', 'calls', 'failures', 'inFlight', 'limit', 'cpu', 'p50', 'p99']);
const nodeHistory = new NodeHistory(history);
const rates = new RecentRates();
const destinationRates = new DestinationRates();
const lastNotes = {};

const charts = {
  lag: chart('Lag', [{ name: 'lag', label: 'messages', color: 'a' }], count, { axis: compact }),
  calls: chart('Throughput', [
    { name: 'calls', label: 'calls', color: 'a' },
    { name: 'failures', label: 'failed', color: 'b', dashed: true },
  ], perSecond, { axis: compact }),
  inFlight: chart('In flight', [
    { name: 'inFlight', label: 'calls', color: 'a' },
    { name: 'limit', label: 'limit', color: 'quiet', dashed: true },
  ], count, { axis: compact }),
  cpu: chart('CPU', [{ name: 'cpu', label: 'of all cores', color: 'a' }], percent, { max: 1 }),
  latency: chart('Latency', [
    { name: 'p50', label: 'p50', color: 'a' },
    { name: 'p99', label: 'p99', color: 'b', dashed: true },
  ], duration),
};

const statusPanel = new StatusPanel();
const destinationsPanel = new DestinationsPanel();
const producersPanel = new ProducersPanel();
const failuresPanel = new FailuresPanel();
const controls = new Controls(() => refreshNow());
const destinationActions = new DestinationActions(() => refreshNow());
const destinationPage = new DestinationPage(history, () => {
  destinationActions.keep(openDestination());
  refreshNow();
});
const clusterPanel = new ClusterPanel();
const tuningPanel = new TuningPanel(advice => controls.propose(advice));

let refreshes = 0;
let timer = 0;
let refreshing = false;
let again = false;
/** The API paths of this node; null until they are known. */
let paths = null;
let lostAt = null;

function chart(title, series, format, more = {}) {
  return new Chart(byId('charts'), () => history, { title, series, format, ...more });
}

/** Reads the state of the node and shows it. Runs again at once if {@link refreshNow} was called meanwhile. */
async function refresh() {
  clearTimeout(timer);
  refreshing = true;
  again = false;
  try {
    await refreshStatus();
    if (refreshes++ % SLOW_REFRESHES === 0) {
      await Promise.all([refreshDestinations(), refreshProducers(), refreshFailures(), refreshTuning(), refreshCluster()]);
    }
    showReachable();
  } catch (problem) {
    showUnreachable(problem);
  } finally {
    refreshing = false;
    timer = setTimeout(refresh, again ? 0 : document.hidden ? REFRESH_MILLIS_HIDDEN : REFRESH_MILLIS);
  }
}

function refreshNow() {
  refreshes = 0;
  again = true;
  if (!refreshing) {
    refresh();
  }
}

async function refreshStatus() {
  paths ??= Object.keys((await read('/api/openapi.json')).paths);
  if (refreshes % SLOW_REFRESHES === 0 && paths.includes('/api/history')) {
    await nodeHistory.refresh();
  }
  const [status, stats] = await Promise.all([read('/api/status'), read('/api/stats')]);
  const recent = rates.add(stats);
  history.add(Date.now() / 1_000, {
    lag: status.source.lag,
    inFlight: status.inFlight,
    limit: status.inFlightLimit,
    calls: recent?.callsPerSecond,
    failures: recent?.failuresPerSecond,
    cpu: recent?.cpu,
    p50: recent?.p50,
    p99: recent?.p99,
  });
  const stale = !status.source.connected || status.source.lags.some(each => each.stale);
  lastNotes.lag = status.source.lag === null
    ? 'unknown'
    : `${stale ? 'last known; ' : ''}oldest ${duration(status.source.oldestAgeMillis)}`;
  lastNotes.calls = recent ? `${perSecond(recent.failuresPerSecond)} failed` : '';
  lastNotes.inFlight = `of ${count(status.inFlightLimit)}, ${count(status.waiting)} waiting`;
  lastNotes.cpu = `${count(stats.cpus)} cores`;
  lastNotes.latency = recent ? `p50 · p99 ${duration(recent.p99)}` : '';
  statusPanel.show(status);
  controls.show(status);
  draw();
}

function draw() {
  Object.entries(charts).forEach(([name, each]) => each.draw(lastNotes[name]));
  byId('marks').hidden = history.marks.length === 0;
  showList(byId('marks'), history.marks.slice(0, MAX_MARKS)
    .map(({ seconds, letter, text }) => `${letter}: ${text} at ${dateTime(seconds * 1_000)}`));
}

/** Shows the part of the history that the operator chose. */
function showRange() {
  const seconds = byId('range').value === '1h' ? 3_600 : 600;
  history.showLast(seconds);
  destinationPage.showLast(seconds);
  draw();
}

async function refreshDestinations() {
  const [destinations, attempts] = await Promise.all([read('/api/destinations'), read('/api/attempts')]);
  const recent = destinationRates.add(destinations.destinations, attempts.destinations, performance.now());
  destinationsPanel.show(destinations, recent);
  destinationPage.show(destinations.destinations, attempts.destinations, recent);
  destinationActions.show(destinations.destinations.map(each => each.name));
}

async function refreshProducers() {
  producersPanel.show(await read('/api/apps'));
}

async function refreshFailures() {
  if (!controls.mayRead) {
    showNoFailures('The node asks for its token before it shows failures.');
    return;
  }
  try {
    const failures = await read('/api/failures');
    failuresPanel.show(failures);
    destinationPage.showFailures(failures.groups);
  } catch (problem) {
    if (!(problem instanceof Refused)) {
      throw problem;
    }
    showNoFailures(problem.status === 401 ? 'The token is wrong.' : problem.message);
  }
}

function showNoFailures(why) {
  failuresPanel.showNone(why);
  destinationPage.showFailures([], why);
}

async function refreshTuning() {
  if (!paths.includes('/api/tuning')) {
    tuningPanel.hide();
    return;
  }
  try {
    tuningPanel.show(await read('/api/tuning'));
  } catch (problem) {
    if (problem.status !== 404) {
      throw problem;
    }
    tuningPanel.hide();
  }
}

async function refreshCluster() {
  if (paths.includes('/api/cluster')) {
    clusterPanel.show(await read('/api/cluster'));
  } else {
    clusterPanel.hide();
  }
}

function showReachable() {
  lostAt = null;
  byId('unreachable').hidden = true;
  document.body.classList.remove('lost');
}

function showUnreachable(problem) {
  if (lostAt === null) {
    lostAt = new Date();
    const why = problem instanceof Refused ? `refuses requests (${problem.message})` : 'does not answer';
    show(byId('unreachable'), `The node ${why} since ${dateTime(lostAt)}. The page shows old values and keeps trying.`);
    byId('unreachable').hidden = false;
    document.body.classList.add('lost');
    paths = null;
    rates.forget();
  }
  history.add(Date.now() / 1_000, {});
  destinationPage.showGap();
  draw();
}

destinationActions.keep(openDestination());
byId('range').value = choice('range') === '1h' ? '1h' : '10m';
byId('range').addEventListener('change', () => {
  choose('range', byId('range').value === '1h' ? '1h' : '');
  showRange();
});
showRange();
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) {
    refreshNow();
  }
});
refresh();
