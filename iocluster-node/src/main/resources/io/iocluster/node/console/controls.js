import { change, readFile, token, useToken } from './api.js';
import { byId, show } from './dom.js';
import { count } from './text.js';

/** The slider is logarithmic: this many positions multiply the value by ten. */
const A_TENFOLD = 50;

/** What an operator changes. A field follows the node until somebody edits it, and again when that was applied or undone. */
export class Controls {
  #changed;
  #edited = new Set();
  #status = null;
  #busy = false;

  /** @param changed is called after each change, to look at the node at once */
  constructor(changed) {
    this.#changed = changed;
    for (const event of ['input', 'change']) {
      byId('in-flight').addEventListener(event, () => this.#edit('in-flight', () => this.#followNumber()));
      byId('threads').addEventListener(event, () => this.#edit('threads', () => {}));
    }
    byId('in-flight-slider').addEventListener('input', () => this.#edit('in-flight', () => this.#followSlider()));
    byId('undo').addEventListener('click', () => this.#undo());
    byId('workers-form').addEventListener('submit', event => this.#submit(event, () => this.#resize()));
    byId('token-form').addEventListener('submit', event => this.#submit(event, () => this.#takeToken()));
    byId('token-forget').addEventListener('click', () => this.#forgetToken());
    byId('pause').addEventListener('click', () => this.#post('/api/pause', 'Paused: nothing more is read.'));
    byId('resume').addEventListener('click', () => this.#post('/api/resume', 'Resumed.'));
    byId('drain').addEventListener('click', () => byId('drain-dialog').showModal());
    byId('drain-cancel').addEventListener('click', () => byId('drain-dialog').close());
    byId('drain-confirm').addEventListener('click', () => this.#drain());
    byId('save-threads').addEventListener('click', () => this.#save('/api/threads', 'threads.txt'));
    byId('save-config').addEventListener('click', () => this.#save('/api/config', 'config.json'));
  }

  /** Follows what the node says of itself. */
  show(status) {
    this.#status = status;
    byId('token-form').hidden = !status.tokenRequired;
    if (!byId('token-state').textContent) {
      show(byId('token-state'), token() ? 'A token is kept for this tab.' : '');
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

  /** Where somebody is about to type, nothing changes under the hand. */
  #follows(field) {
    return !this.#edited.has(field) && document.activeElement !== byId(field);
  }

  /** Whether what is for operators alone can be asked for. */
  get mayRead() {
    return !this.#status?.tokenRequired || token() !== '';
  }

  /** Puts advice into the fields, for an operator to apply. */
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
    const runs = this.#status?.state === 'running';
    const paused = this.#status?.state === 'paused';
    byId('apply').disabled = this.#busy || !this.#status;
    byId('pause').disabled = this.#busy || !runs;
    byId('resume').disabled = this.#busy || !paused;
    byId('drain').disabled = this.#busy || !(runs || paused);
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
    byId('in-flight-slider').value = Math.round(Math.log10(value) * A_TENFOLD);
    byId('in-flight-slider').setAttribute('aria-valuetext', count(value));
  }

  #followSlider() {
    const exact = 10 ** (byId('in-flight-slider').valueAsNumber / A_TENFOLD);
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
      this.#say('Nothing was edited.', false);
      return;
    }
    const invalid = edited.find(field => !field.checkValidity());
    if (invalid) {
      const name = invalid.labels[0].textContent;
      this.#say(`${name}: a whole number from ${count(invalid.min)} to ${count(invalid.max)}.`, true);
      invalid.focus();
      return;
    }
    await this.#do(async () => {
      const wanted = Object.fromEntries(edited.map(field => [field.name, field.valueAsNumber]));
      const workers = await change('PATCH', '/api/workers', wanted);
      this.#edited.clear();
      byId('undo').hidden = true;
      const threads = workers.threads === 0 ? 'one thread for each core' : `${count(workers.threads)} threads`;
      return `Resized: ${count(workers['max-in-flight'])} calls in flight, ${threads}.`;
    });
  }

  async #post(path, done) {
    await this.#do(async () => {
      await change('POST', path);
      return done;
    });
  }

  async #drain() {
    byId('drain-dialog').close();
    await this.#post('/api/drain', 'Draining: what is under way ends, and nothing more is read.');
  }

  #save(path, name) {
    return this.#do(async () => {
      const link = document.createElement('a');
      link.href = URL.createObjectURL(await readFile(path));
      link.download = `${byId('node').textContent}-${name}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1_000);
      return `Saved ${link.download}.`;
    });
  }

  /** One change at a time; the buttons come back whatever became of it. */
  async #do(action) {
    if (this.#busy) {
      return;
    }
    this.#busy = true;
    this.#enable();
    try {
      this.#say(await action(), false);
    } catch (problem) {
      this.#say(problem.status === undefined ? 'The node does not answer; nothing is known of what became of it.' : said(problem), true);
      if (problem.status === 401) {
        byId('token').focus();
      }
    } finally {
      this.#busy = false;
      this.#enable();
      this.#changed();
    }
  }

  #say(text, bad) {
    byId('outcome').className = bad ? 'outcome bad' : 'outcome';
    show(byId('outcome'), text);
  }

  #takeToken() {
    useToken(byId('token').value.trim());
    byId('token').value = '';
    show(byId('token-state'), 'The token is kept for this tab.');
    this.#changed();
  }

  #forgetToken() {
    useToken('');
    show(byId('token-state'), 'The token is forgotten.');
    this.#changed();
  }
}

function said({ status, message }) {
  return status === 401 ? 'The node asks for its token, and this is not the one.' : `Refused: ${message}`;
}
