// The envelopes. Their fields are those of docs/envelope.md.

import type { Sent } from './errors.js'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Headers = Record<string, string | string[]>
export type Scalar = string | number | boolean

export interface Usable {
  status?: (number | string)[]
  json?: { pointer?: string, equals?: Scalar, exists?: boolean, in?: Scalar[], less?: number, greater?: number }
}

/** One of several calls. Bytes as the body are sent as `bodyBase64`. */
export interface Branch {
  url: string
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
  headers?: Headers
  body?: string | Uint8Array
  bodyBase64?: string
  timeoutMs?: number
  retry?: { maxAttempts?: number }
  idempotencyKey?: string
  auth?: string
  usable?: Usable
}

interface EveryEnvelope {
  id?: string
  deadlineMs?: number
  reply?: 'always' | 'failures' | 'never'
  replyTo?: string
  context?: Json
}

/** A request: one call, or several in `any` or `all`. */
export type Envelope = EveryEnvelope & (Branch | { any: Branch[] } | { all: Branch[] })

/** Returns the envelope as JSON. */
export function encode (envelope: Envelope): Buffer {
  return Buffer.from(JSON.stringify(envelope, (name, value) => {
    if (name === 'context' || !(value?.body instanceof Uint8Array)) return value
    const { body, ...others } = value
    return { ...others, bodyBase64: Buffer.from(body).toString('base64') }
  }))
}

export type Outcome = 'answered' | 'failed' | 'rejected' | 'expired'
const OUTCOMES: readonly unknown[] = ['answered', 'failed', 'rejected', 'expired']

export interface CallError { code: string, message: string, sent: Sent }
export interface CacheUse { hit: boolean, ageMs: number, stale: boolean }
const TIMES = ['queuedMs', 'totalMs', 'dnsMs', 'connectMs', 'tlsMs', 'firstByteMs'] as const
/** Durations in milliseconds. */
export type Timing = Record<typeof TIMES[number], number>

type Fields = Record<string, unknown>
type Kind = 'string' | 'number' | 'boolean' | 'object' | 'array'

/** The answer to a call, whatever its outcome. Immutable. */
export class Answer {
  readonly id: string | undefined
  readonly outcome: Outcome
  /** 0 unless the outcome is `answered`. */
  readonly status: number
  /** For each name, in lower case, its values. */
  readonly headers: Record<string, string[]>
  readonly body: Buffer
  readonly truncated: boolean
  readonly unusable: string | undefined
  /** Undefined if the outcome is `answered`. */
  readonly error: CallError | undefined
  readonly attempts: number
  readonly node: string | undefined
  readonly timing: Timing
  readonly cache: CacheUse | undefined
  readonly branch: number | undefined
  readonly results: readonly Answer[]
  readonly context: Json | undefined

  /** Reads an answer. Ignores fields that it does not know. Throws if the value is not an answer. */
  constructor (/** All fields as they arrived. */ readonly raw: Fields) {
    this.id = field(raw, 'id', 'string')
    this.outcome = field<Outcome>(raw, 'outcome', 'string') ?? invalid('outcome is missing')
    if (!OUTCOMES.includes(this.outcome)) invalid('unknown outcome')
    this.status = field(raw, 'status', 'number') ?? 0
    this.headers = headers(field(raw, 'headers', 'object') ?? {})
    this.body = body(raw)
    this.truncated = field(raw, 'truncated', 'boolean') ?? false
    this.unusable = field(raw, 'unusable', 'string')
    const error = field<Fields>(raw, 'error', 'object')
    this.error = error && {
      code: field(error, 'code', 'string') ?? '',
      message: field(error, 'message', 'string') ?? '',
      sent: error.sent === 'no' ? 'no' : 'maybe'
    }
    this.attempts = field(raw, 'attempts', 'number') ?? 0
    this.node = field(raw, 'node', 'string')
    const timing = field<Fields>(raw, 'timing', 'object') ?? {}
    this.timing = Object.fromEntries(TIMES.map(name => [name, field(timing, name, 'number') ?? 0])) as Timing
    const cache = field<Fields>(raw, 'cache', 'object')
    this.cache = cache && {
      hit: field(cache, 'hit', 'boolean') ?? false,
      ageMs: field(cache, 'ageMs', 'number') ?? 0,
      stale: field(cache, 'stale', 'boolean') ?? false
    }
    this.branch = field(raw, 'branch', 'number')
    this.results = (field<unknown[]>(raw, 'results', 'array') ?? []).map(Answer.of)
    this.context = raw.context as Json | undefined
  }

  /** Reads an answer from its bytes. Throws if they are not an answer. */
  static decode (payload: Uint8Array): Answer {
    return Answer.of(parse(payload))
  }

  /** Reads an answer from its JSON. Throws if it is not an answer. */
  static of (this: void, json: unknown): Answer {
    return new Answer(isObject(json) ? json : invalid('not a JSON object'))
  }

  /** The body as text in UTF-8. */
  get text (): string {
    return this.body.toString()
  }

  /** Returns the body, read as JSON. */
  json (): any {
    return JSON.parse(this.text)
  }

  /** Returns the first value of a header. */
  header (name: string): string | undefined {
    return this.headers[name.toLowerCase()]?.[0]
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Returns the JSON of bytes. Throws if they are not JSON in UTF-8. */
export function parse (payload: Uint8Array): unknown {
  try {
    return JSON.parse(UTF8.decode(payload))
  } catch (error) {
    return invalid((error as Error).message)
  }
}

export function isObject (value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid (problem: string): never {
  throw new TypeError(`not an answer: ${problem}`)
}

function field<T> (raw: Fields, name: string, kind: Kind): T | undefined {
  const value = raw[name]
  if (value === null || value === undefined) return undefined
  if ((Array.isArray(value) ? 'array' : typeof value) !== kind) invalid(`${name} has the wrong type`)
  return value as T
}

function headers (raw: Fields): Record<string, string[]> {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => {
    const values = Array.isArray(value) ? value : [value]
    return values.every(each => typeof each === 'string') ? [name, values] : invalid('headers has the wrong type')
  }))
}

function body (raw: Fields): Buffer {
  const encoded = field<string>(raw, 'bodyBase64', 'string')
  if (encoded === undefined) return Buffer.from(field<string>(raw, 'body', 'string') ?? '')
  return /^[A-Za-z0-9+/]*={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : invalid('bodyBase64 is not base64')
}
