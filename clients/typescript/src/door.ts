// The door as a way to make calls.

import { randomUUID } from 'node:crypto'
import { type CallOptions, type Client, withDeadline } from './client.js'
import { CallTimeoutError, ClientClosedError, DoorError, IoClusterError, UnreadableAnswerError } from './errors.js'
import { Answer, encode, isObject, parse, type Envelope } from './messages.js'

export interface DoorOptions {
  /** Default: http://127.0.0.1:8081. */
  url?: string
  token?: string
  /** Limit of a call without its own. Default: 30,000. */
  timeoutMs?: number
}

/** How much longer than its deadline a call waits for the response of the door, in milliseconds. */
const GRACE_MS = 1000

/** Makes calls through a door. */
export class DoorClient implements Client {
  private readonly url: string
  private readonly timeoutMs: number
  private readonly closing = new AbortController()

  constructor (private readonly options: DoorOptions = {}) {
    this.url = (options.url ?? 'http://127.0.0.1:8081').replace(/\/+$/, '')
    this.timeoutMs = options.timeoutMs ?? 30_000
  }

  async call (envelope: Envelope, options: CallOptions = {}): Promise<Answer> {
    const id = envelope.id ?? randomUUID()
    const timeoutMs = options.timeoutMs ?? envelope.deadlineMs ?? this.timeoutMs
    const body = encode(withDeadline(envelope, id, timeoutMs))
    return answer(id, await this.exchange(id, 'POST', '/v1/calls', body, options.messageHeaders, timeoutMs))
  }

  /** Starts an asynchronous call and returns its id. The door keeps the answer for a while: see `fetch`. */
  async start (envelope: Envelope, options: Omit<CallOptions, 'timeoutMs'> = {}): Promise<string> {
    const id = envelope.id ?? randomUUID()
    const headers = { ...options.messageHeaders, prefer: 'respond-async' }
    await this.exchange(id, 'POST', '/v1/calls', encode({ ...envelope, id }), headers, this.timeoutMs)
    return id
  }

  /** Returns the answer to an asynchronous call, or undefined while it is open. Waits for it up to `waitSeconds`. */
  async fetch (id: string, waitSeconds = 0): Promise<Answer | undefined> {
    const headers = { prefer: `wait=${waitSeconds}` }
    const path = '/v1/calls/' + encodeURIComponent(id)
    const json = await this.exchange(id, 'GET', path, undefined, headers, this.timeoutMs + waitSeconds * 1000)
    return isObject(json) && json.state === 'pending' ? undefined : answer(id, json)
  }

  /** Makes many calls. Yields the index of each envelope with its answer or problem, as soon as its call ends. */
  async * batch (envelopes: Iterable<Envelope>): AsyncGenerator<[number, Answer | DoorError]> {
    const body = Buffer.concat([...envelopes].flatMap(each => [encode(each), Buffer.from('\n')]))
    const response = await this.request(undefined, 'POST', '/v1/calls:batch', body, { 'content-type': 'application/x-ndjson' })
    let rest = ''
    for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + part).split('\n')
      rest = lines.pop()!
      for (const line of lines) {
        const json = JSON.parse(line)
        yield [json.line - 1, json.problem ? doorError(json.id, json.problem) : Answer.of(json)]
      }
    }
  }

  /** Returns the JSON of a response. */
  private async exchange (
    id: string, method: string, path: string, body: Buffer | undefined, headers: Record<string, string> = {}, timeoutMs: number
  ): Promise<unknown> {
    const timeout = AbortSignal.timeout(timeoutMs + GRACE_MS)
    try {
      const response = await this.request(id, method, path, body, { 'content-type': 'application/json', ...headers }, timeout)
      return parse(new Uint8Array(await response.arrayBuffer()))
    } catch (error) {
      if (error instanceof IoClusterError) throw error
      if (timeout.aborted) throw new CallTimeoutError(id, timeoutMs, 'unconfirmed')
      if (this.closing.signal.aborted) throw new ClientClosedError(id, 'maybe')
      throw error instanceof TypeError && error.message.startsWith('not an answer')
        ? new UnreadableAnswerError(id, error.message)
        : error
    }
  }

  private async request (
    id: string | undefined, method: string, path: string, body: Buffer | undefined, headers: Record<string, string>,
    timeout?: AbortSignal
  ): Promise<Response> {
    if (this.closing.signal.aborted) throw new ClientClosedError(id, 'no')
    const authorization = this.options.token ? { authorization: `Bearer ${this.options.token}` } : undefined
    const signal = timeout ? AbortSignal.any([timeout, this.closing.signal]) : this.closing.signal
    const response = await fetch(this.url + path, {
      method, body: body as BodyInit | undefined, headers: { ...headers, ...authorization }, signal
    })
    if (response.ok) return response
    const problem = await response.json().catch(() => ({}))
    throw doorError(id, { status: response.status, ...problem }, response.headers.get('retry-after'))
  }

  /** Aborts all calls, whose targets may have received them. */
  async close (): Promise<void> {
    this.closing.abort()
  }
}

function answer (id: string, json: unknown): Answer {
  try {
    return Answer.of(json)
  } catch (error) {
    throw new UnreadableAnswerError(id, (error as Error).message)
  }
}

function doorError (id: string | undefined, problem: any, retryAfter: string | null = null): DoorError {
  return new DoorError(
    id, problem.status, problem.code ?? 'protocol-error', problem.detail ?? 'the response is not one of a door',
    /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined)
}
