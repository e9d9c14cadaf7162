import { number } from './cells.js';
import { byId, show, showList } from './dom.js';
import { Table } from './table.js';
import { NONE, count, dateTime, duration, perSecond, percent } from './text.js';

const MAX_NODES = 1_000;
const MAX_LAGS = 50;
/** An older announcement is late. Longer than the interval, because a busy node announces itself a little later than planned. */
const LATE_MILLIS = 5_000;
const MANY_ERRORS = 0.1;

/** Problems that show the panel even if the node knows no other node. The panel "What is wrong" shows all others of a single node. */
const OF_THE_CLUSTER = ['view-outdated', 'not-announced', 'node-lost', 'duplicate-node-id'];

const STATES = { running: '', paused: 'warn', starting: 'warn', draining: 'warn', stopped: 'bad' };

const VERDICTS = {
  'hold': () => 'Leave the cluster as it is.',
  'grow-in-flight': advice => `More calls in flight: raise them to ${count(advice.maxInFlightPerNode)} on each node.`,
  'add-threads': advice => `More threads: ${count(advice.threadsPerNode)} on each node.`,
  'add-nodes': advice => `More nodes: add about ${count(advice.additionalNodes)}.`,
  'target-saturated': () => 'A target is full. More calls or nodes would not help.',
  'source-empty': () => 'No messages are waiting.',
};

/** Shows all nodes of the cluster, as this node sees them. Hidden while there is only this node and nothing is wrong. */
export class ClusterPanel {
  #nodes = new Table(
    byId('cluster-nodes'),
    ['Node', 'State', 'CPU', 'In flight', 'Limit', 'Waiting', 'Lag', 'Oldest', 'Calls', 'Errors', 'Configuration', 'Version', 'Up', 'Last seen'],
    { sortable: true, name: 'nodes' },
  );
  #apps = new Table(
    byId('cluster-apps'),
    ['App', 'Calls', 'Share', 'Over quota', 'In flight', 'Waiting', 'Nodes'],
    { sortable: true, name: 'producers-of-the-cluster' },
  );
  #lags = new Table(
    byId('cluster-lags'),
    ['Queue', 'Partition', 'Node', 'Messages', 'Oldest'],
    { sortable: true, name: 'lags', more: byId('cluster-more') },
  );

  hide() {
    byId('cluster').hidden = true;
  }

  show(cluster) {
    const { enabled, nodes, problems } = cluster;
    byId('cluster').hidden = !enabled || (nodes.length < 2 && !problems.some(each => OF_THE_CLUSTER.includes(each.kind)));
    const [worst, ...others] = headline(cluster);
    byId('cluster').className = `overview panel problem ${worst.severity}`;
    show(byId('cluster-headline'), worst.text);
    show(byId('cluster-reason'), worst.detail);
    show(byId('cluster-facts'), facts(cluster, worst));
    showList(byId('cluster-problems'), others.map(each => `${each.text} ${each.detail}`));
    this.#nodes.show(nodes.map(row), MAX_NODES);
    this.#showApps(cluster.apps ?? []);
    const lags = nodes.flatMap(node => node.lags.map(lag => ({ ...lag, node: node.node })))
      .sort((a, b) => b.messages - a.messages);
    this.#lags.show(lags.map(lagRow), MAX_LAGS);
    byId('cluster-lags-title').hidden = lags.length === 0;
  }

  /** Shows the busiest apps, unless none of them names itself. */
  #showApps(apps) {
    const named = apps.some(each => each.name !== 'unknown');
    byId('cluster-apps-title').hidden = !named;
    this.#apps.show(named ? apps.map(appRow) : []);
  }
}

/** Returns the headline, then the rest. The advice is the headline if nothing is wrong, because a node that is too small has a problem. */
function headline({ problems, advice }) {
  if (problems.length > 0) {
    return problems.map(({ severity, text, action, since }) => ({ severity, text, detail: action, since }));
  }
  return [{
    severity: '',
    text: advice ? (VERDICTS[advice.verdict] ?? (() => advice.verdict))(advice) : 'The cluster is being observed.',
    detail: advice?.reason ?? '',
    since: advice?.since,
  }];
}

function appRow(app) {
  return [
    app.name,
    number(app.callsPerSecond, perSecond),
    { ...number(app.share, percent), part: app.share },
    number(app.overQuotaPerSecond, perSecond, app.overQuotaPerSecond > 0 ? 'warn' : ''),
    number(app.inFlight, count),
    number(app.waiting, count, app.waiting > 0 ? 'warn' : ''),
    app.nodes.join(', '),
  ];
}

function facts({ nodes }, { since }) {
  const sum = name => nodes.reduce((total, node) => total + (node[name] ?? 0), 0);
  const parts = [
    `${count(nodes.length)} ${nodes.length === 1 ? 'node' : 'nodes'}`,
    `lag ${count(lagOf(nodes))}`,
    `in flight ${count(sum('inFlight'))} of ${count(sum('inFlightLimit'))}`,
    `${perSecond(sum('callsPerSecond'))} calls`,
  ];
  if (since) {
    parts.push(`since ${dateTime(new Date(since))}`);
  }
  return parts.join(' · ');
}

/** Adds up the nodes' partitions. A queue without partitions is the same for all nodes. */
export function lagOf(nodes) {
  const known = nodes.filter(node => node.lag !== null);
  if (known.length === 0) {
    return null;
  }
  const shared = known.some(node => node.lags.some(lag => lag.partition === null));
  const lags = known.map(node => node.lag);
  return shared ? Math.max(...lags) : lags.reduce((total, lag) => total + lag, 0);
}

function row(node) {
  return [
    { text: node.self ? `${node.node} (this node)` : node.node, value: node.node },
    { text: node.state, classes: STATES[node.state] ?? '' },
    number(node.cpu, percent),
    { ...number(node.inFlight, count), part: node.inFlightLimit ? node.inFlight / node.inFlightLimit : undefined },
    number(node.inFlightLimit, count),
    number(node.waiting, count, node.waiting > 0 ? 'warn' : ''),
    number(node.lag, count),
    number(node.oldestAgeMillis, duration),
    number(node.callsPerSecond, perSecond),
    number(node.errorShare, percent, node.errorShare >= MANY_ERRORS ? 'bad' : node.errorShare > 0 ? 'warn' : ''),
    marked(node.configuration, node.otherConfiguration),
    marked(node.version, node.otherVersion),
    number(node.uptimeSeconds * 1_000, duration),
    node.self ? NONE : number(node.ageMillis, age => `${duration(age)} ago`, node.ageMillis > LATE_MILLIS ? 'warn' : ''),
  ];
}

/** Marks a value that differs from that of most nodes, also without colour. */
function marked(value, other) {
  return other ? { text: `other: ${value}`, value, classes: 'badge warn' } : value;
}

function lagRow({ queue, partition, node, messages, oldestAgeMillis, stale }) {
  return [
    queue,
    { text: partition === null ? NONE : `${partition}`, value: partition, classes: 'number' },
    node,
    { ...number(messages, count, stale ? 'warn' : ''), text: stale ? `${count(messages)}, last known` : count(messages) },
    number(oldestAgeMillis, duration),
  ];
}
