// Has IOCluster make HTTP calls, over Kafka: envelopes go to one topic, answers come from another.
//
//   node kafka-calls.js --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints the answers as they come, one JSON object a line; the exit code is 0 if every call has one.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { Consumer, ListOffsetTimestamps, Producer } from '@platformatic/kafka'

const USAGE =
  'usage: kafka-calls.js [--bootstrap-servers HOST:PORT,…] [--requests TOPIC] [--answers TOPIC] [--patience SECONDS] URL…'

/** A stream of all partitions from their present ends, so that it is asked for before anything is sent. */
async function answersFromNowOn (consumer, topic) {
  const ends = await consumer.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.LATEST })
  const offsets = ends.get(topic).map((offset, partition) => ({ topic, partition, offset }))
  return consumer.consume({ topics: [topic], mode: 'manual', offsets, autocommit: false, maxWaitTime: 500 })
}

/** Any field of docs/envelope.md can stand here: method, headers, body, retry, context… */
function envelope (id, url) {
  return Buffer.from(JSON.stringify({ id, url, deadlineMs: 10_000 }))
}

/** Sends one envelope for each URL and returns their ids once the broker has them all. */
async function send (producer, topic, urls) {
  const calls = urls.map(url => ({ id: randomUUID(), url }))
  await producer.send({ messages: calls.map(({ id, url }) => ({ topic, value: envelope(id, url) })) })
  return new Set(calls.map(call => call.id))
}

/** Prints the answers to the calls until each has one, or the time is over. */
async function printAnswers (answers, waiting, seconds) {
  const timeout = setTimeout(() => answers.close(), seconds * 1000)
  for await (const message of answers) {
    const answer = JSON.parse(message.value)
    // Others' answers come by here too, and after a crash the same answer may come twice: the id tells.
    if (waiting.delete(answer.id)) console.log(JSON.stringify(answer))
    if (waiting.size === 0) break
  }
  clearTimeout(timeout)
  if (waiting.size > 0) throw new Error(`without an answer: ${waiting.size}`)
}

async function main ({ values, positionals: urls }) {
  const kafka = { clientId: 'example', bootstrapBrokers: values['bootstrap-servers'].split(',') }
  // A group of its own that commits nothing: it only reads what comes.
  const consumer = new Consumer({ ...kafka, groupId: `example-${randomUUID()}` })
  const producer = new Producer({ ...kafka, idempotent: true }) // which has all replicas in sync confirm
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

/** The client's errors hold others, which say more. */
function reason (error) {
  return error.errors?.length > 0 ? `${error.message} ${reason(error.errors.at(-1))}` : error.message
}

main(commandLine()).catch(error => {
  console.error(reason(error))
  process.exitCode = 1
})
