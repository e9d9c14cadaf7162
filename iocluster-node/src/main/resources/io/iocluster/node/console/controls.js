import { change, readFile, token, useToken } from './api.js';
import { byId, show } from './dom.js';
import { count } from './text.js';

/** The slider is logarithmic: this many positions are a factor of ten. */
const POSITIONS_PER_DECADE = 50;

/** The controls of an operator. A field follows the value of the node until the operator edits it, and again after apply or undo. */
export class Controls {
  #changed;
  #edited = new Set();
  #status = null;
  #busy = false;

  /** @param changed runs after each change, to refresh the page at once */
  constructor(changed) {
    this.#changed = changed;
    for (const event of ['input', 'change']) {
      byId('in-flight').addEventListener(event, () => this.#edit('in-flight', () => this.#followNumber()));
      byId('threads').addEventListener(event, () => this.#edit('threads', () => {}));
    }
    byId('in-flight-slider').addEventListener('input', () => this.#edit('in-flight', () => this.#followSlider()));
    byId('undo').addEventListener('click', () => this.#undo());
    byId('workers-form').addEventListener('submit', event => this.#submit(event, () => this.#resize()));
    byId('token-form').addEventListener('submit', event => this.#submit(event, () => this.#setToken()));
    byId('token-forget').addEventListener('click', () => this.#forgetToken());
    byId('pause').addEventListener('click', () => this.#post('/api/pause', 'Paused. The node reads no messages.'));
    byId('resume').addEventListener('click', () => this.#post('/api/resume', 'Resumed.'));
    byId('drain').addEventListener('click', () => byId('drain-dialog').showModal());
    byId('drain-cancel').addEventListener('click', () => byId('drain-dialog').close());
    byId('drain-confirm').addEventListener('click', () => this.#drain());
    byId('save-threads').addEventListener('click', () => this.#save('/api/threads', 'threads.txt'));
    byId('save-config').addEventListener('click', () => this.#save('/api/config', 'config.json'));
  }

  /** Shows the status of the node. */
  show(status) {
    this.#status = status;
    byId('token-form').hidden = !status.tokenRequired;
    if (!byId('token-state').textContent) {
      show(byId('token-state'), token() ? 'This tab keeps a token.' : '');
    }
    if (!this.#busy) {
      this.#follow();
    }
    this.#enable();
  }

  #follow() {
    if (this.#follows('in-flight')) {
      byId('in-flight').value = this.#status.inFlightLimit;
      this.#followNumber();
    }
    if (this.#follows('threads')) {
      byId('threads').value = this.#status.workers.length;
    }
    byId('undo').hidden = this.#edited.size === 0;
  }

  /** A focused field does not change, because the operator may be about to type. */
  #follows(field) {
    return !this.#edited.has(field) && document.activeElement !== byId(field);
  }

  /** Returns whether the page can request data that needs the token. */
  get mayRead() {
    return !this.#status?.tokenRequired || token() !== '';
  }

  /** Copies advice into the fields. The operator applies it. */
  propose({ threads, maxInFlight }) {
    if (maxInFlight) {
      byId('in-flight').value = maxInFlight;
      this.#edit('in-flight', () => this.#followNumber());
    }
    if (threads) {
      byId('threads').value = threads;
      this.#edit('threads', () => {});
    }
    byId('apply').focus();
  }

  #enable() {
    const running = this.#status?.state === 'running';
    const paused = this.#status?.state === 'paused';
    byId('apply').disabled = this.#busy || !this.#status;
    byId('pause').disabled = this.#busy || !running;
    byId('resume').disabled = this.#busy || !paused;
    byId('drain').disabled = this.#busy || !(running || paused);
  }

  #edit(field, follow) {
    this.#edited.add(field);
    byId('undo').hidden = false;
    follow();
  }

  #undo() {
    this.#edited.clear();
    if (this.#status) {
      this.#follow();
    }
    byId('in-flight').focus();
  }

  #followNumber() {
    const value = Math.max(1, byId('in-flight').valueAsNumber || 1);
    byId('in-flight-slider').value = Math.round(Math.log10(value) * POSITIONS_PER_DECADE);
    byId('in-flight-slider').setAttribute('aria-valuetext', count(value));
  }

  #followSlider() {
    const exact = 10 ** (byId('in-flight-slider').valueAsNumber / POSITIONS_PER_DECADE);
    const step = 10 ** Math.max(0, Math.floor(Math.log10(exact)) - 1);
    byId('in-flight').value = Math.min(1_000_000, Math.round(exact / step) * step);
    byId('in-flight-slider').setAttribute('aria-valuetext', count(byId('in-flight').valueAsNumber));
  }

  #submit(event, action) {
    event.preventDefault();
    action();
  }

  async #resize() {
    const edited = [...this.#edited].map(byId);
    if (edited.length === 0) {
      this.#showOutcome('Nothing was changed.', false);
      return;
    }
    const invalid = edited.find(field => !field.checkValidity());
    if (invalid) {
      const name = invalid.labels[0].textContent;
      this.#showOutcome(`${name}: a whole number from ${count(invalid.min)} to ${count(invalid.max)}.`, true);
      invalid.focus();
      return;
    }
    await this.#run(async () => {
      const wanted = Object.fromEntries(edited.map(field => [field.name, field.valueAsNumber]));
      const workers = await change('PATCH', '/api/workers', wanted);
      this.#edited.clear();
      byId('undo').hidden = true;
      const threads = workers.threads === 0 ? 'one thread for each core' : `${count(workers.threads)} threads`;
      return `Resized: ${count(workers['max-in-flight'])} calls in flight, ${threads}.`;
    });
  }

  async #post(path, done) {
    await this.#run(async () => {
      await change('POST', path);
      return done;
    });
  }

  async #drain() {
    byId('drain-dialog').close();
    await this.#post('/api/drain', 'Draining. The node finishes its open calls and reads no more messages.');
  }

  #save(path, name) {
    return this.#run(async () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await readFile(path));
      link.download = `${byId('node').textContent}-${name}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
      return `Saved ${link.download}.`;
    });
  }

  /** Runs one change at a time and enables the buttons again after success or failure. */
  async #run(action) {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    this.#enable();
    try {
      this.#showOutcome(await action(), false);
    } catch (problem) {
      this.#showOutcome(problem.status === undefined ? 'The node does not answer. The change may or may not have been applied.' : describe(problem), true);
      if (problem.status === 401) {
        byId('token').focus();
      }
    } finally {
      this.#busy = false;
      this.#enable();
      this.#changed();
    }
  }

  #showOutcome(text, bad) {
    byId('outcome').className = bad ? 'outcome bad' : 'outcome';
    show(byId('outcome'), text);
  }

  #setToken() {
    useToken(byId('token').value.trim());
    byId('token').value = '';
    show(byId('token-state'), 'This tab keeps the token.');
    this.#changed();
  }

  #forgetToken() {
    useToken('');
    show(byId('token-state'), 'The token was removed.');
    this.#changed();
  }
}

function describe({ status, message }) {
  return status === 401 ? 'The token is missing or wrong.' : `Refused: ${message}`;
}
