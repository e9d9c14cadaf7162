// RabbitMQ as a transport. Needs amqplib.

import { randomUUID } from 'node:crypto'
import amqp, { type ChannelModel, type ConfirmChannel, type RecoveringChannelModel, type SocketOptions } from 'amqplib'
import type { OutgoingRequest, Transport } from './client.js'

export interface RabbitOptions {
  uri: string
  /** Queue of the requests. Default: iocluster.requests. */
  requests?: string
  /**
   * A queue that exists and that only this client reads. By default each client has its own, which nodes must allow:
   * `rabbit.answers.reply-to: [iocluster.replies.*]`.
   */
  answers?: string
  /** Options of the socket, such as `ca` and `timeout`. */
  socket?: SocketOptions
}

/** Longer than any call may take, so that the queue still exists when the connection comes back. */
const REPLY_QUEUE_EXPIRY_MS = 30 * 60 * 1000

/** Publishes requests to one queue, and reads the answers to calls from another. Connects again after an outage. */
export class RabbitTransport implements Transport {
  readonly replyTo: string
  private readonly requests: string
  private connection: RecoveringChannelModel | undefined
  private channel: ConfirmChannel | undefined
  private readonly waiting = new Set<OutgoingRequest>()
  private readonly sent = new Map<string, OutgoingRequest>()
  private count = 0

  constructor (private readonly options: RabbitOptions) {
    this.requests = options.requests ?? 'iocluster.requests'
    this.replyTo = options.answers ?? `iocluster.replies.node.${randomUUID()}`
  }

  async open (receive: (payload: Uint8Array) => void): Promise<void> {
    this.connection = await amqp.connect(this.options.uri, {
      timeout: 10_000,
      ...this.options.socket,
      recovery: {
        initialMaxRetries: 0,
        maxDelay: 5000,
        maxRetries: Infinity,
        setup: async (model: ChannelModel) => await this.attach(model, receive)
      }
    })
    this.connection.on('error', () => {}) // it connects again
  }

  private async attach (model: ChannelModel, receive: (payload: Uint8Array) => void): Promise<void> {
    const channel = await model.createConfirmChannel()
    let failure: Error | undefined
    channel.on('error', error => {
      failure = error
      // RabbitMQ closes only the channel if it refuses a message, for example because it is too large. It would refuse it again.
      for (const request of this.sent.values()) request.refuse('maybe', error.message)
    })
    channel.on('close', () => {
      if (this.channel !== channel) return
      this.channel = undefined
      this.attach(model, receive).catch(() => {}) // fails if the connection ended too, which then recovers by itself
    })
    channel.on('return', message => {
      this.sent.get(message.properties.messageId)?.refuse('no', `the queue "${this.requests}" does not exist`)
    })
    try {
      await channel.prefetch(1000)
      if (this.options.answers === undefined) {
        const args = { 'x-queue-type': 'classic', 'x-expires': REPLY_QUEUE_EXPIRY_MS }
        await channel.assertQueue(this.replyTo, { durable: true, arguments: args })
      }
      await channel.consume(this.replyTo, message => {
        if (message === null) return void channel.close() // the queue was deleted; the next channel declares it again
        receive(message.content)
        channel.ack(message)
      })
    } catch (error) {
      throw failure ?? error
    }
    this.channel = channel
    for (const request of this.waiting) this.send(channel, request)
  }

  /** Publishes an envelope as soon as there is a connection, unless its call has ended before. */
  publish (request: OutgoingRequest): void {
    if (this.channel === undefined) this.waiting.add(request)
    else this.send(this.channel, request)
  }

  private send (channel: ConfirmChannel, request: OutgoingRequest): void {
    this.waiting.delete(request)
    if (!request.isWanted()) return
    const messageId = String(++this.count)
    this.sent.set(messageId, request)
    const left = request.timeoutMs === undefined ? undefined : request.timeoutMs - (Date.now() - request.created)
    channel.sendToQueue(this.requests, request.envelope, {
      contentType: 'application/json',
      correlationId: request.key,
      messageId,
      persistent: true,
      mandatory: true,
      expiration: left === undefined ? undefined : Math.max(1, Math.floor(left)),
      // The start of deadlineMs, in milliseconds; AMQP's timestamp property has a resolution of one second.
      headers: { ...request.headers, timestamp_in_ms: request.created }
    }, error => {
      this.sent.delete(messageId)
      if (!error) request.confirm()
      // The confirm was lost with the channel, so a node may see the request twice.
      else if (this.channel !== channel) this.publish(request)
      else request.refuse('maybe', `RabbitMQ did not accept the message for the queue "${this.requests}"`)
    })
  }

  async close (): Promise<void> {
    await this.connection?.close()
  }
}
