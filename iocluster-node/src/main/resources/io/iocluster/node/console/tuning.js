import { byId, show, showList } from './dom.js';
import { count, dateTime, percent, perSecond } from './text.js';

const MAX_STEPS = 5;

const VERDICTS = {
  'hold': () => 'Leave the size as it is.',
  'grow-in-flight': advice => `Raise the calls in flight to ${count(advice.maxInFlight)}.`,
  'add-threads': advice => (advice.threads ? `Raise the threads to ${count(advice.threads)}.` : 'Add threads.'),
  'add-nodes': advice => (advice.additionalNodes ? `Add about ${count(advice.additionalNodes)} more nodes.` : 'Add nodes.'),
  'target-saturated': () => 'A target is saturated. More workers would not help.',
  'source-empty': () => 'No messages are waiting.',
};

/** Shows the verdict of the advisor, on nodes that have one. */
export class TuningPanel {
  #advice = {};

  /** @param use copies {threads, maxInFlight} into the controls; one of them may be null */
  constructor(use) {
    byId('verdict-use').addEventListener('click', () => use(this.#advice));
  }

  hide() {
    byId('tuning').hidden = true;
  }

  show(advice) {
    this.#advice = advice;
    byId('tuning').hidden = advice.mode === 'off';
    const describe = VERDICTS[advice.verdict] ?? (() => advice.verdict);
    show(byId('verdict'), describe(advice));
    show(byId('verdict-reason'), advice.reason ?? '');
    show(byId('verdict-facts'), facts(advice));
    const usable = advice.mode === 'advise' && ['grow-in-flight', 'add-threads'].includes(advice.verdict)
      && Boolean(advice.maxInFlight ?? advice.threads);
    byId('verdict-use').hidden = !usable;
    show(byId('verdict-use'), 'Copy to the controls');
    showList(byId('verdict-steps'), (advice.steps ?? []).slice(0, MAX_STEPS).map(step =>
      `${dateTime(new Date(step.at))}: ${step.setting} from ${count(step.before)} to ${count(step.after)}, ${step.reason}`));
  }
}

function facts({ mode, since, cpu, cpuCeiling, lag, lagTrendPerSecond, callsPerSecond }) {
  const parts = [mode === 'auto' ? 'applied automatically' : 'advice'];
  if (since) {
    parts.push(`since ${dateTime(new Date(since))}`);
  }
  if (typeof cpu === 'number') {
    parts.push(`CPU ${percent(cpu)} of at most ${percent(cpuCeiling)}`);
  }
  if (typeof lag === 'number') {
    const trend = typeof lagTrendPerSecond === 'number'
      ? `, ${lagTrendPerSecond < 0 ? 'falling' : 'rising'} by ${perSecond(Math.abs(lagTrendPerSecond))}`
      : '';
    parts.push(`lag ${count(lag)}${trend}`);
  }
  if (typeof callsPerSecond === 'number') {
    parts.push(`${perSecond(callsPerSecond)} calls`);
  }
  return parts.join(' · ');
}
