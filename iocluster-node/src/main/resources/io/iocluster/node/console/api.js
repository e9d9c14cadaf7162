/** Calls to the node that served this page. */

const TOKEN = 'iocluster-token';
const TIMEOUT_MILLIS = 5_000;
/** A silence after which the stream counts as broken, because the node sends an event each second. */
const SILENCE_MILLIS = 5_000;
const EVENT = /^event: (.*)\ndata: (.*)$/;

/** The node answered with an error status. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Returns the operator's token, which the tab keeps until it is closed; empty for none. */
export function token() {
  return sessionStorage.getItem(TOKEN) ?? '';
}

export function useToken(value) {
  if (value) {
    sessionStorage.setItem(TOKEN, value);
  } else {
    sessionStorage.removeItem(TOKEN);
  }
}

/** Returns the JSON of a GET. */
export async function read(path) {
  return (await call('GET', path)).json();
}

/** Returns the body of a GET as a blob. */
export async function readFile(path) {
  return (await call('GET', path)).blob();
}

/** Sends a change and returns the JSON of the response. */
export async function change(method, path, body) {
  return (await call(method, path, body)).json();
}

/**
 * Reads the server-sent events of a GET and calls `received(name, value)` for each, until the node ends the response. Does not use an
 * EventSource, because it cannot send the token.
 *
 * @param abort an AbortController that ends the request; this function aborts it if the node sends nothing for too long
 */
export async function follow(path, received, abort) {
  let silence;
  const listen = () => {
    clearTimeout(silence);
    silence = setTimeout(() => abort.abort(), SILENCE_MILLIS);
  };
  listen();
  try {
    const response = await call('GET', path, undefined, abort.signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let parts = [];
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
      listen();
      parts.push(value);
      if (value.includes('\n')) {
        const events = parts.join('').split('\n\n');
        parts = [events.pop()];
        events.map(event => event.match(EVENT)).filter(Boolean).forEach(([, name, data]) => received(name, JSON.parse(data)));
      }
    }
  } finally {
    clearTimeout(silence);
  }
}

async function call(method, path, body, signal = AbortSignal.timeout(TIMEOUT_MILLIS)) {
  const headers = {};
  if (token()) {
    headers.Authorization = `Bearer ${token()}`;
  }
  if (body !== undefined) {
    headers['Content-Type'] = 'application/json';
  }
  const response = await fetch(path, {
    method,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body),
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal,
  });
  if (!response.ok) {
    throw new Refused(response.status, await problem(response));
  }
  return response;
}

async function problem(response) {
  try {
    return (await response.json()).error ?? `the node answered ${response.status}`;
  } catch {
    return `the node answered ${response.status}`;
  }
}
