import { Refused } from './api.js';
import { Chart, showMarks } from './charts.js';
import { ClusterPanel } from './cluster.js';
import { Controls } from './controls.js';
import { DestinationActions } from './destination-actions.js';
import { DestinationPage, openDestination } from './destination-page.js';
import { byId, show } from './dom.js';
import { Feed } from './feed.js';
import { History } from './history.js';
import { DestinationsPanel, FailuresPanel, ProducersPanel, StatusPanel } from './panels.js';
import { DestinationRates, RecentRates } from './rates.js';
import { NodeHistory } from './node-history.js';
import { compact, count, dateTime, duration, percent, perSecond } from './text.js';
import { TuningPanel } from './tuning.js';
import { choice, choose } from './view.js';

/** The node reads the destinations every two seconds, so without an event for longer they have not changed. */
const UNCHANGED_MILLIS = 2_500;

/** What the operator looks for in the lists that the node shortens. */
const SEARCHES = {
  destinations: () => ({ find: choice('find-destinations'), include: openDestination() }),
  apps: () => ({ find: choice('find-producers') }),
};

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
const destinationsPanel = new DestinationsPanel(() => feed.search('destinations'));
const producersPanel = new ProducersPanel(() => feed.search('apps'));
const failuresPanel = new FailuresPanel();
const controls = new Controls(() => feed.refresh());
const destinationActions = new DestinationActions(() => feed.refresh());
const destinationPage = new DestinationPage(history, () => {
  destinationActions.setDestination(openDestination());
  feed.refresh();
});
const clusterPanel = new ClusterPanel();
const tuningPanel = new TuningPanel(advice => controls.propose(advice));

const feed = new Feed({
  mayRead: () => controls.mayRead,
  historyPath: () => nodeHistory.path,
  search: part => SEARCHES[part]?.() ?? {},
  shown: (latest, slow, live) => {
    showReachable(live);
    if (slow) {
      showSlow(latest);
    }
    showStatus(latest);
  },
  lost: showUnreachable,
});
let lostAt = null;
/** The last history that was added. A part stays in the feed until the next one arrives, and must not be added twice. */
let addedHistory = null;
let shownStats = null;
/** What the rates of the destinations were computed from, and when. */
let ratedDestinations = null;
let ratedAttempts = null;
let ratedAt = 0;
let recentRates = new Map();

function chart(title, series, format, more = {}) {
  return new Chart(byId('charts'), () => history, { title, series, format, ...more });
}

function showStatus({ status, stats }) {
  if (stats !== shownStats) {
    shownStats = stats;
    addToHistory(status, stats);
  }
  statusPanel.show(status);
  controls.show(status);
  draw();
}

function addToHistory(status, stats) {
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
}

function draw() {
  Object.entries(charts).forEach(([name, each]) => each.draw(lastNotes[name]));
  showMarks(byId('marks'), history);
}

/** Shows the part of the history that the operator chose. */
function showRange() {
  const seconds = byId('range').value === '1h' ? 3_600 : 600;
  history.showLast(seconds);
  destinationPage.showLast(seconds);
  draw();
}

function showSlow({ history: recent, destinations, attempts, apps, caches, upstreams, failures, tuning, cluster }) {
  if (recent && recent !== addedHistory) {
    addedHistory = recent;
    nodeHistory.add(recent, Date.now());
  }
  const now = performance.now();
  if (destinations !== ratedDestinations || attempts !== ratedAttempts || now - ratedAt > UNCHANGED_MILLIS) {
    recentRates = destinationRates.add(destinations.destinations, attempts.destinations, now);
    ratedDestinations = destinations;
    ratedAttempts = attempts;
    ratedAt = now;
  }
  destinationsPanel.show(destinations, recentRates);
  destinationPage.show(destinations.destinations, attempts.destinations, recentRates, caches);
  destinationPage.showUpstreams(upstreams?.upstreams ?? []);
  destinationActions.show(destinations.destinations.map(each => each.name));
  producersPanel.show(apps);
  showFailures(failures);
  if (tuning) {
    tuningPanel.show(tuning);
  } else {
    tuningPanel.hide();
  }
  if (cluster) {
    clusterPanel.show(cluster);
  } else {
    clusterPanel.hide();
  }
}

function showFailures({ groups, refused }) {
  if (refused) {
    failuresPanel.showNone(refused);
    destinationPage.showFailures([], refused);
  } else {
    failuresPanel.show({ groups });
    destinationPage.showFailures(groups);
  }
}

function showReachable(live) {
  if (lostAt !== null) {
    lostAt = null;
    destinationPage.remember();
  }
  byId('unreachable').hidden = true;
  document.body.classList.remove('lost');
  show(byId('feed'), live ? 'live' : 'polling');
}

function showUnreachable(problem) {
  if (lostAt === null) {
    lostAt = new Date();
    byId('unreachable').hidden = false;
    document.body.classList.add('lost');
    rates.forget();
    show(byId('feed'), '');
  }
  // A node that stops refuses requests before it is gone.
  const why = problem instanceof Refused ? `refuses requests (${problem.message})` : 'does not answer';
  show(byId('unreachable'), `The node ${why} since ${dateTime(lostAt)}. The page shows old values and keeps trying.`);
  history.add(Date.now() / 1_000, {});
  destinationPage.showGap();
  draw();
}

destinationActions.setDestination(openDestination());
byId('range').value = choice('range') === '1h' ? '1h' : '10m';
byId('range').addEventListener('change', () => {
  choose('range', byId('range').value === '1h' ? '1h' : '');
  showRange();
});
showRange();
feed.refresh();
