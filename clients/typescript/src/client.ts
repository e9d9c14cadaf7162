import { randomUUID } from 'node:crypto'
import type { Sent } from './errors.js'
import { encode, type Answer, type Envelope } from './messages.js'
import { PendingCalls, type PendingCall } from './pending.js'

export interface CallOptions {
  /** The call ends after this time in any case. Default: the `deadlineMs` of the envelope, else the timeout of the client. */
  timeoutMs?: number
  /** Headers of the message, or of the request to the door, such as `traceparent`. */
  messageHeaders?: Record<string, string>
}

export interface QueueCallOptions extends CallOptions {
  /** The Kafka record key or AMQP correlation id. */
  key?: string
}

/** Makes calls. One client is enough for a program. */
export interface Client {
  /** Makes a call. Resolves with its answer, whatever its outcome, or rejects with an IoClusterError. */
  call (envelope: Envelope, options?: CallOptions): Promise<Answer>
  /** Fails all outstanding calls and disconnects. */
  close (): Promise<void>
}

/** An encoded envelope with its message properties. */
export interface OutgoingRequest {
  envelope: Buffer
  key?: string
  headers: Record<string, string>
  /** The wall clock, in milliseconds. */
  created: number
  /** Milliseconds until the message expires. */
  timeoutMs?: number
  /** Returns false if the call has ended, so that the request need not be sent. */
  isWanted: () => boolean
  confirm: () => void
  refuse: (sent: Sent, problem: string) => void
}

/** A broker and its queues. */
export interface Transport {
  /** The topic or queue of answers that each envelope names; undefined for that of the node. */
  readonly replyTo: string | undefined
  /** Connects, and passes each answer that is published from now on to the function. */
  open (receive: (payload: Uint8Array) => void): Promise<void>
  publish (request: OutgoingRequest): void
  close (): Promise<void>
}

export interface ClientOptions {
  /** Limit of a call without its own. Default: 30,000. */
  timeoutMs?: number
  /** Maximum number of outstanding calls. Default: 1,000. */
  maxOutstanding?: number
}

/** Returns the envelope with its id, and with a deadline so that an answer still arrives within the timeout. */
export function withDeadline (envelope: Envelope, id: string, timeoutMs: number): Envelope {
  return { ...envelope, id, deadlineMs: Math.max(1, Math.floor(timeoutMs - Math.min(50, timeoutMs / 10))) }
}

/** Makes calls over Kafka or RabbitMQ. */
export class QueueClient implements Client {
  private readonly prefix = randomUUID()
  private count = 0

  private constructor (
    private readonly transport: Transport, private readonly calls: PendingCalls, private readonly timeoutMs: number
  ) {}

  /** Connects. Rejects if the broker is unreachable or a queue does not exist. */
  static async connect (transport: Transport, options: ClientOptions = {}): Promise<QueueClient> {
    const calls = new PendingCalls(options.maxOutstanding ?? 1000)
    await transport.open(payload => { calls.receive(payload) })
    return new QueueClient(transport, calls, options.timeoutMs ?? 30_000)
  }

  /** Makes a call, which ends by its deadline even if the broker and all nodes are down. */
  async call (envelope: Envelope, options: QueueCallOptions = {}): Promise<Answer> {
    if (envelope.reply || envelope.replyTo) throw new TypeError('call() does not support reply or replyTo; use enqueue()')
    const timeoutMs = options.timeoutMs ?? envelope.deadlineMs ?? this.timeoutMs
    const outgoing = withDeadline(envelope, this.idOf(envelope), timeoutMs)
    if (this.transport.replyTo) outgoing.replyTo = this.transport.replyTo
    const payload = encode(outgoing)
    return await this.publish(this.calls.startCall(outgoing.id!, timeoutMs), payload, options, timeoutMs)
  }

  /** Puts an envelope on the queue. Resolves with its id when the broker has confirmed it. Another consumer gets the answer. */
  async enqueue (envelope: Envelope, options: Omit<QueueCallOptions, 'timeoutMs'> = {}): Promise<string> {
    const id = this.idOf(envelope)
    const payload = encode({ ...envelope, id })
    return await this.publish(this.calls.startEnqueuing(id, this.timeoutMs), payload, options)
  }

  private idOf (envelope: Envelope): string {
    return envelope.id ?? `${this.prefix}.${++this.count}`
  }

  private publish<T> (call: PendingCall<T>, envelope: Buffer, options: QueueCallOptions, timeoutMs?: number): Promise<T> {
    this.transport.publish({
      envelope,
      key: options.key,
      headers: options.messageHeaders ?? {},
      created: Date.now(),
      timeoutMs,
      isWanted: () => this.calls.isOpen(call),
      confirm: () => this.calls.confirm(call),
      refuse: (sent, problem) => this.calls.refuse(call, sent, problem)
    })
    return call.promise
  }

  /** The number of outstanding calls and unconfirmed requests. */
  get outstanding (): number {
    return this.calls.size
  }

  async close (): Promise<void> {
    this.calls.close()
    await this.transport.close()
  }
}
