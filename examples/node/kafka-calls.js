// Makes HTTP calls through IOCluster over Kafka: sends envelopes to one topic and reads answers from another.
//
//   node kafka-calls.js --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Consumer, ListOffsetTimestamps, Producer } from '@platformatic/kafka'

const USAGE =
  'usage: kafka-calls.js [--bootstrap-servers HOST:PORT,…] [--requests TOPIC] [--answers TOPIC] [--patience SECONDS] URL…'

/** Returns a stream of all partitions from their current ends. Call it before sending. */
async function answersFromNowOn (consumer, topic) {
  const ends = await consumer.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.LATEST })
  const offsets = ends.get(topic).map((offset, partition) => ({ topic, partition, offset }))
  return consumer.consume({ topics: [topic], mode: 'manual', offsets, autocommit: false, maxWaitTime: 500 })
}

/** You can add any field of docs/envelope.md: method, headers, body, retry, context… */
function envelope (id, url) {
  return Buffer.from(JSON.stringify({ id, url, deadlineMs: 10_000 }))
}

/** Sends one envelope for each URL and returns the ids when the broker has confirmed all. */
async function send (producer, topic, urls) {
  const calls = urls.map(url => ({ id: randomUUID(), url }))
  await producer.send({ messages: calls.map(({ id, url }) => ({ topic, value: envelope(id, url) })) })
  return new Set(calls.map(call => call.id))
}

/** Prints the answers until every call has one or the time is up. */
async function printAnswers (answers, waiting, seconds) {
  const timeout = setTimeout(() => answers.close(), seconds * 1000)
  for await (const message of answers) {
    const answer = JSON.parse(message.value)
    // The topic also has answers to other programs, and an answer may arrive twice: check the id.
    if (waiting.delete(answer.id)) console.log(JSON.stringify(answer))
    if (waiting.size === 0) break
  }
  clearTimeout(timeout)
  if (waiting.size > 0) throw new Error(`without an answer: ${waiting.size}`)
}

async function main ({ values, positionals: urls }) {
  const kafka = { clientId: 'example', bootstrapBrokers: values['bootstrap-servers'].split(',') }
  // A new group, because this program commits no offsets.
  const consumer = new Consumer({ ...kafka, groupId: `example-${randomUUID()}` })
  const producer = new Producer({ ...kafka, idempotent: true }) // requires the acknowledgement of all in-sync replicas
  try {
    const answers = await answersFromNowOn(consumer, values.answers)
    const waiting = await send(producer, values.requests, urls)
    await printAnswers(answers, waiting, Number(values.patience))
  } finally {
    await Promise.all([producer.close(), consumer.close(true)])
  }
}

function commandLine () {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        'bootstrap-servers': { type: 'string', default: '127.0.0.1:9092' },
        requests: { type: 'string', default: 'iocluster.requests' },
        answers: { type: 'string', default: 'iocluster.answers' },
        patience: { type: 'string', default: '30' }
      }
    })
    if (parsed.positionals.length > 0 && parsed.values.patience > 0) return parsed
  } catch (error) {
    console.error(error.message)
  }
  console.error(USAGE)
  process.exit(2)
}

/** Returns the messages of an error and of its causes, because the client wraps the real error. */
function reason (error) {
  return error.errors?.length > 0 ? `${error.message} ${reason(error.errors.at(-1))}` : error.message
}

main(commandLine()).catch(error => {
  console.error(reason(error))
  process.exitCode = 1
})
