// Matches answers to outstanding calls.

import {
  CallTimeoutError, ClientClosedError, ClientFullError, NotEnqueuedError, UnreadableAnswerError, type IoClusterError, type Sent
} from './errors.js'
import { Answer, isObject, parse } from './messages.js'

/** A timer of Node.js with a longer time would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A call without an answer, or a request without a confirmation. */
export class PendingCall<T> {
  readonly promise: Promise<T>
  resolve!: (result: T) => void
  reject!: (error: Error) => void
  timer: NodeJS.Timeout | undefined
  confirmed = false

  constructor (readonly id: string, readonly answered: boolean) {
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
  }
}

/** The outstanding calls of one client. A call ends once: by its answer, a failed publish, its deadline or close. */
export class PendingCalls {
  private readonly open = new Set<PendingCall<any>>()
  private readonly byId = new Map<string, PendingCall<Answer>>()
  private closed = false

  constructor (private readonly maximum: number) {}

  /** Adds a call that ends when its answer arrives. Throws if it cannot be outstanding. */
  startCall (id: string, timeoutMs: number): PendingCall<Answer> {
    if (this.byId.has(id)) throw new RangeError(`a call with the id ${id} is already outstanding`)
    const call = this.start<Answer>(id, timeoutMs, true)
    this.byId.set(id, call)
    return call
  }

  /** Adds a request that ends when the broker has confirmed it. */
  startEnqueuing (id: string, timeoutMs: number): PendingCall<string> {
    return this.start<string>(id, timeoutMs, false)
  }

  private start<T> (id: string, timeoutMs: number, answered: boolean): PendingCall<T> {
    if (this.closed) throw new ClientClosedError(id, 'no')
    if (this.open.size >= this.maximum) throw new ClientFullError(id, this.maximum)
    const call = new PendingCall<T>(id, answered)
    this.open.add(call)
    call.timer = setTimeout(
      () => this.fail(call, new CallTimeoutError(id, timeoutMs, call.confirmed ? 'enqueued' : 'unconfirmed')),
      Math.min(timeoutMs, LONGEST_TIMER_MS))
    return call
  }

  /** Returns whether the call has not ended, so that its request is still worth sending. */
  isOpen (call: PendingCall<any>): boolean {
    return this.open.has(call)
  }

  /** Records that the broker has the request. */
  confirm (call: PendingCall<any>): void {
    call.confirmed = true
    if (!call.answered && this.end(call)) call.resolve(call.id)
  }

  /** Fails the call, because the broker does not have the request, or may not have it. */
  refuse (call: PendingCall<any>, sent: Sent, problem: string): void {
    this.fail(call, new NotEnqueuedError(call.id, sent, problem))
  }

  /** Ends the call of an answer. Returns false if no call is outstanding that has its id. */
  receive (payload: Uint8Array): boolean {
    let raw: unknown
    try {
      raw = parse(payload)
    } catch {
      return false
    }
    const call = isObject(raw) ? this.byId.get(raw.id as string) : undefined
    if (call === undefined || !this.end(call)) return false
    try {
      call.resolve(Answer.of(raw))
    } catch (error) {
      call.reject(new UnreadableAnswerError(call.id, (error as Error).message))
    }
    return true
  }

  /** Fails all calls. */
  close (): void {
    this.closed = true
    for (const call of this.open) this.fail(call, new ClientClosedError(call.id, 'maybe'))
  }

  get size (): number {
    return this.open.size
  }

  private fail (call: PendingCall<any>, error: IoClusterError): void {
    if (this.end(call)) call.reject(error)
  }

  /** Removes the call. Returns true if it had not ended. */
  private end (call: PendingCall<any>): boolean {
    clearTimeout(call.timer)
    if (this.byId.get(call.id) === call) this.byId.delete(call.id)
    return this.open.delete(call)
  }
}
