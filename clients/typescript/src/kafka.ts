// Kafka as a transport. Needs @platformatic/kafka.

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Consumer, ListOffsetTimestamps, Producer, type ConsumerOptions } from '@platformatic/kafka'
import type { OutgoingRequest, Transport } from './client.js'

export interface KafkaOptions {
  bootstrapServers: string[]
  /** Topic of the requests. Default: iocluster.requests. */
  requests?: string
  /** Another topic than that of the nodes, which each envelope then names; nodes must allow it in kafka.answers.reply-to. */
  answers?: string
  /** More options of the library, such as `tls` and `sasl`. */
  connection?: Partial<ConsumerOptions<Buffer, Buffer, Buffer, Buffer>>
}

const REFUSALS = ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'UNKNOWN_TOPIC_OR_PARTITION', 'INVALID_TOPIC_EXCEPTION']

/** Publishes requests to one topic, and reads the answers of another without a consumer group, from the moment of connecting. */
export class KafkaTransport implements Transport {
  readonly replyTo: string | undefined
  private readonly requests: string
  private readonly topic: string
  private readonly consumer: Consumer<Buffer, Buffer, Buffer, Buffer>
  private readonly producer: Producer<Buffer, Buffer, Buffer, Buffer>
  private readonly next = new Map<number, bigint>()
  private closed = false
  private reading: Promise<void> | undefined
  private stream: Awaited<ReturnType<typeof this.consumer.consume>> | undefined

  constructor (options: KafkaOptions) {
    this.requests = options.requests ?? 'iocluster.requests'
    this.topic = options.answers ?? 'iocluster.answers'
    this.replyTo = options.answers
    const connection = { clientId: 'iocluster-client', bootstrapBrokers: options.bootstrapServers, ...options.connection }
    // A new group, because it commits no offsets.
    this.consumer = new Consumer({ ...connection, groupId: `iocluster-client-${randomUUID()}` })
    this.producer = new Producer({ ...connection, idempotent: true }) // requires the acknowledgement of all in-sync replicas
  }

  async open (receive: (payload: Uint8Array) => void): Promise<void> {
    try {
      const ends = await this.consumer.listOffsets({ topics: [this.topic], timestamp: ListOffsetTimestamps.LATEST })
      ends.get(this.topic)!.forEach((offset, partition) => this.next.set(partition, offset))
      await this.consume()
    } catch (error) {
      await this.close()
      throw error
    }
    this.reading = this.read(receive)
  }

  private async consume (): Promise<void> {
    const offsets = [...this.next].map(([partition, offset]) => ({ topic: this.topic, partition, offset }))
    this.stream = await this.consumer.consume({
      topics: [this.topic], mode: 'manual', offsets, autocommit: false, maxWaitTime: 500
    })
  }

  /** Reads until close. After an error it continues where it was. */
  private async read (receive: (payload: Uint8Array) => void): Promise<void> {
    for (let delay = 100; !this.closed; delay = Math.min(5000, 2 * delay)) {
      try {
        if (this.stream === undefined) await this.consume()
        for await (const message of this.stream!) {
          this.next.set(message.partition, message.offset + 1n)
          if (message.value) receive(message.value)
          delay = 100
        }
      } catch {
        if (!this.closed) await sleep(delay)
      }
      this.stream = undefined
    }
  }

  /** Publishes an envelope. A request that reaches the broker after its deadline is not tried by the nodes. */
  publish (request: OutgoingRequest): void {
    const headers = new Map(Object.entries(request.headers).map(([name, value]) => [Buffer.from(name), Buffer.from(value)]))
    this.producer.send({
      messages: [{
        topic: this.requests,
        key: request.key === undefined ? undefined : Buffer.from(request.key),
        value: request.envelope,
        headers,
        timestamp: BigInt(request.created) // deadlines are relative to it
      }]
    }).then(request.confirm, (error: any) => {
      const refused = REFUSALS.some(id => error.findBy?.('apiId', id))
      request.refuse(refused ? 'no' : 'maybe', `${this.requests}: ${reason(error)}`)
    })
  }

  async close (): Promise<void> {
    this.closed = true
    await Promise.all([this.producer.close(), this.consumer.close(true)])
    await this.reading
  }
}

/** Returns the messages of an error and of its causes, because the library wraps the real error. */
function reason (error: any): string {
  return error.errors?.length > 0 ? `${error.message} ${reason(error.errors.at(-1))}` : error.message
}
