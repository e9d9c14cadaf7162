import { number, time } from './cells.js';
import { byId, show } from './dom.js';
import { Table } from './table.js';
import { NONE, bytes, count, dateTime, duration, perSecond } from './text.js';

const PATH = '/v1/status';
const INTERVAL_MILLIS = 2_000;
const TIMEOUT_MILLIS = 5_000;
const MAX_APPS = 50;
const MAX_PROBLEMS = 50;
/** Part of a limit from which on it is shown as a warning. */
const NEARLY_FULL = 0.8;
const STATES = { ready: 'good', 'not-ready': 'bad', draining: 'warn' };

const limits = new Table(byId('limits'), ['What', 'Used', 'Limit', 'Setting']);
const apps = new Table(
  byId('apps'),
  ['App', 'In flight', 'Limit', 'Calls', 'Rate limit', 'Calls since start', 'Kept answers', 'Size of them', 'Streams', 'Problems'],
  { sortable: true, name: 'apps', more: byId('apps-more') },
);
const problems = new Table(
  byId('problems'),
  ['App', 'Code', 'Problems', 'Last'],
  { sortable: true, name: 'problems', more: byId('problems-more') },
);

/** Only in memory, because the door also serves responses of targets, and a page among them could read the storage. */
let token = '';
let lostAt = null;
let timer = null;

/** The door answered with an error status. */
class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function read() {
  const response = await fetch(PATH, {
    headers: token ? { Authorization: `Bearer ${token}` } : {},
    cache: 'no-store',
    // With the client certificate of the browser, which some doors require. The door uses no cookies.
    credentials: 'same-origin',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLIS),
  });
  if (!response.ok) {
    throw new Refused(response.status, await detail(response));
  }
  return response.json();
}

async function detail(response) {
  try {
    return (await response.json()).detail ?? `status ${response.status}`;
  } catch {
    return `status ${response.status}`;
  }
}

function showStatus(status) {
  lostAt = null;
  byId('unreachable').hidden = true;
  document.body.classList.remove('lost');
  byId('token-form').hidden = !token;
  show(byId('token-state'), token ? 'This page keeps the token until it is closed.' : '');
  document.title = `${status.problem ? `(${status.state}) ` : ''}${status.door} – IOCluster door`;
  show(byId('door'), status.door);
  show(byId('state'), status.state.replace('-', ' '));
  byId('state').className = `state ${STATES[status.state] ?? ''}`;
  show(byId('facts'), `${status.transport} · version ${status.version} · up ${duration(status.uptimeSeconds * 1_000)}`);
  byId('problem').hidden = !status.problem;
  show(byId('problem-text'), status.problem ?? '');
  showLimits(status);
  showApps(status.apps);
  showProblems(status.apps);
}

function showLimits({ inFlight, bodyBytes, keptAnswers, keptBytes, streams, waiting, unreadBytes, spool }) {
  limits.show([
    limit('Calls in flight', inFlight, count, 'door.limits.max-in-flight'),
    limit('Request bodies', bodyBytes, bytes, 'door.limits.max-bodies'),
    limit('Kept answers', keptAnswers, count, 'door.answers.max-count'),
    limit('Size of the kept answers', keptBytes, bytes, 'door.answers.max-bytes'),
    limit('Streams of answers', streams, count, 'door.answers.max-streams'),
    limit('Requests that wait for an answer', waiting, count, 'door.answers.max-waiting'),
    limit('Responses that callers have not read', unreadBytes, bytes, 'door.limits.max-answers'),
    ...(spool ? spoolRows(spool) : []),
  ]);
}

function spoolRows({ calls, bytes: size, oldestSeconds }) {
  const age = oldestSeconds > 0 ? `, the oldest for ${duration(oldestSeconds * 1_000)}` : '';
  return [
    limit('Calls in the spool or without an answer', calls, count, 'door.spool.max-calls'),
    limit(`Size of the calls that wait in the spool${age}`, size, bytes, 'door.spool.max-bytes'),
  ];
}

function limit(what, usage, format, setting) {
  return [what, used(usage.used, usage.limit, format), number(usage.limit, format), setting];
}

function used(value, limitOf, format) {
  const part = limitOf ? value / limitOf : undefined;
  return { ...number(value, format, part >= NEARLY_FULL ? 'warn' : ''), part };
}

function showApps(all) {
  const known = all
    .filter(each => each.configured || each.calls > 0 || each.problemsTotal > 0 || each.keptAnswers > 0 || each.streams > 0)
    .map(each => ({ ...each, recent: each.problems.reduce((sum, problem) => sum + problem.recent, 0) }))
    .sort((a, b) => b.inFlight - a.inFlight || b.callsPerSecond - a.callsPerSecond || b.recent - a.recent || a.name.localeCompare(b.name));
  apps.show(known.map(each => [
    each.name,
    used(each.inFlight, each.inFlightLimit, count),
    { ...number(each.inFlightLimit, count), text: each.inFlightLimit === null ? NONE : count(each.inFlightLimit) },
    number(each.callsPerSecond, perSecond),
    each.rateLimit ?? NONE,
    number(each.calls, count),
    number(each.keptAnswers, count),
    number(each.keptBytes, bytes),
    number(each.streams, count),
    number(each.recent, count, each.recent > 0 ? 'warn' : ''),
  ]), MAX_APPS);
}

function showProblems(all) {
  const known = all
    .flatMap(({ name, problems: each }) => each.map(problem => ({ name, ...problem })))
    .sort((a, b) => b.recent - a.recent || a.name.localeCompare(b.name));
  problems.show(known.map(each => [each.name, each.code, number(each.recent, count), time(each.last)]), MAX_PROBLEMS);
  show(byId('problems-none'), known.length > 0
    ? 'Each code is explained in the section “Errors” of the page about the door.'
    : 'No request was refused, and no call ended without an answer.');
}

function showFailure(problem) {
  if (problem instanceof Refused && problem.status === 401) {
    byId('token-form').hidden = false;
    show(byId('token-state'), token ? 'The token is wrong.' : 'The door asks for a token before it shows its status.');
    show(byId('state'), 'token needed');
    byId('state').className = 'state warn';
    return;
  }
  lostAt ??= new Date();
  document.body.classList.add('lost');
  byId('unreachable').hidden = false;
  const why = problem instanceof Refused ? `refuses requests (${problem.message})` : 'does not answer';
  show(byId('unreachable'), `The door ${why} since ${dateTime(lostAt)}. The page shows old values and keeps trying.`);
}

/** Reads the status and shows it, and again after a while. Waits if the page is hidden, or for another token if the door refuses this one. */
async function refresh() {
  clearTimeout(timer);
  timer = null;
  let waits = false;
  try {
    showStatus(await read());
  } catch (problem) {
    showFailure(problem);
    waits = problem.status === 401;
  }
  clearTimeout(timer);
  timer = waits || document.hidden ? null : setTimeout(refresh, INTERVAL_MILLIS);
}

byId('token-form').addEventListener('submit', event => {
  event.preventDefault();
  token = byId('token').value;
  byId('token').value = '';
  refresh();
});
document.addEventListener('visibilitychange', () => {
  if (!document.hidden && timer === null) {
    refresh();
  }
});
refresh();
