/** Calls to the node that served this page. */

const TOKEN = 'iocluster-token';
const PATIENCE_MILLIS = 5_000;

/** The node answered, and refused. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** The operator's token, for as long as this tab is open; empty for none. */
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

/** The answer to a GET, as JSON. */
export async function read(path) {
  return (await call('GET', path)).json();
}

/** The answer to a GET, as it is. */
export async function readFile(path) {
  return (await call('GET', path)).blob();
}

/** Changes something; what the node answers. */
export async function change(method, path, body) {
  return (await call(method, path, body)).json();
}

async function call(method, path, body) {
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
    signal: AbortSignal.timeout(PATIENCE_MILLIS),
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
