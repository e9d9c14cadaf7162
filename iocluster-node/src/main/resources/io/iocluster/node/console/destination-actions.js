import { change } from './api.js';
import { byId, element, show } from './dom.js';
import { count } from './text.js';

const MAX_SUGGESTIONS = 50;

/** Fields that an action uses besides the destination. */
const FIELDS = { pause: ['for'], limit: ['in-flight', 'rate', 'for'], resume: [], unlimit: [], 'reset-breaker': [] };

/** The form that pauses, limits or resets one destination. */
export class DestinationActions {
  #changed;
  #busy = false;

  /** @param changed runs after each action, to refresh the page at once */
  constructor(changed) {
    this.#changed = changed;
    byId('destination-action').addEventListener('change', () => this.#showFields());
    byId('destination-form').addEventListener('submit', event => {
      event.preventDefault();
      this.#submit();
    });
    this.#showFields();
  }

  /** Suggests these destinations, most urgent first. */
  show(names) {
    const list = byId('destination-names');
    const shown = names.slice(0, MAX_SUGGESTIONS);
    if (shown.join('\n') !== [...list.children].map(option => option.value).join('\n')) {
      list.replaceChildren(...shown.map(name => {
        const option = element('option');
        option.value = name;
        return option;
      }));
    }
  }

  /** Sets the destination to act on. If the name is empty, the operator enters one. */
  setDestination(name) {
    byId('destination-name').parentElement.hidden = name !== '';
    byId('destination-name').value = name;
    show(byId('destination-form-title'), name === '' ? 'Act on one destination' : 'Act on this destination');
    this.#showOutcome('', false);
  }

  get #action() {
    return byId('destination-action').value;
  }

  #showFields() {
    for (const field of ['in-flight', 'rate', 'for']) {
      byId(`destination-${field}`).parentElement.hidden = !FIELDS[this.#action].includes(field);
    }
  }

  #body() {
    const body = { destination: byId('destination-name').value.trim() };
    const used = FIELDS[this.#action];
    const inFlight = byId('destination-in-flight').valueAsNumber;
    const rate = byId('destination-rate').value.trim();
    const duration = byId('destination-for').value.trim();
    if (used.includes('in-flight') && !Number.isNaN(inFlight)) {
      body['max-in-flight'] = inFlight;
    }
    if (used.includes('rate') && rate) {
      body.rate = rate;
    }
    if (used.includes('for') && duration) {
      body.for = duration;
    }
    return body;
  }

  async #submit() {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    byId('destination-apply').disabled = true;
    try {
      const destination = await change('POST', `/api/destinations/${this.#action}`, this.#body());
      this.#showOutcome(`${destination.name}: ${describe(destination) || 'no action of an operator'}; breaker ${destination.breaker}.`, false);
    } catch (problem) {
      const text = problem.status === undefined ? 'The node does not answer. The change may or may not have been applied.' : `Refused: ${problem.message}`;
      this.#showOutcome(text, true);
    } finally {
      this.#busy = false;
      byId('destination-apply').disabled = false;
      this.#changed();
    }
  }

  #showOutcome(text, bad) {
    byId('destination-outcome').className = bad ? 'outcome bad' : 'outcome';
    show(byId('destination-outcome'), text);
  }
}

/** Returns what an operator has changed at a destination; empty if nothing. */
export function describe({ operatorPause: pause, operatorLimit: limit }) {
  const parts = [];
  if (pause) {
    parts.push(`paused until ${time(pause.until)}`);
  }
  if (limit) {
    const limits = [limit.maxInFlight === null ? '' : `${count(limit.maxInFlight)} in flight`, limit.rate ?? ''].filter(Boolean);
    parts.push(`limited to ${limits.join(', ')} until ${time(limit.until)}`);
  }
  return parts.join('; ');
}

function time(text) {
  return new Date(text).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}
