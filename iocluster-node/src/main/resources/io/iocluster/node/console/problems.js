import { byId, show, showList } from './dom.js';
import { dateTime } from './text.js';

const NAMES = {
  'node-stopping': 'stopping',
  'broker-unreachable': 'broker unreachable',
  'broker-blocked': 'broker blocked',
  'answers-not-published': 'answers not published',
  'node-stuck': 'stuck',
  'destination-failing': 'destination failing',
  'calls-rejected': 'calls rejected',
  'dead-letters': 'dead letters',
  'destination-slow': 'destination slow',
  'destination-saturated': 'targets full',
  'node-too-small': 'node too small',
  'calls-not-made': 'calls not made in time',
  'app-over-quota': 'app over its quota',
  'app-dominates': 'one app dominates',
  'node-paused': 'paused',
  'destination-paused': 'destination paused',
  'destination-limited': 'destination limited',
  'cluster-share-unknown': 'share of a limit unknown',
  'cluster-limit-too-small': 'limit below the number of nodes',
  'upstreams-out': 'upstreams without calls',
  'shared-cache-out': 'shared cache not usable',
  'configuration-refused': 'configuration refused',
};

/** Shows what is wrong and what to do: the most urgent problem in full, and the others as a list. */
export class ProblemPanel {
  show([first, ...others]) {
    byId('problem').hidden = !first;
    byId('health').hidden = !first;
    if (!first) {
      return;
    }
    byId('problem').className = `panel problem ${first.severity}`;
    byId('health').className = `state ${first.severity}`;
    show(byId('health'), nameOf(first));
    show(byId('problem-text'), first.text);
    show(byId('problem-action'), first.action);
    show(byId('problem-since'), `since ${dateTime(new Date(first.since))}`);
    showList(byId('problem-others'), others.map(each => `${each.text} ${each.action}`));
  }
}

/** Returns a few words for a problem, for the badge and the title of the page. */
export function nameOf({ kind }) {
  return NAMES[kind] ?? kind;
}
