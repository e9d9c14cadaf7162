// Makes HTTP calls through IOCluster over RabbitMQ: sends envelopes to one queue and reads answers from another.
//
//   node rabbit-calls.js --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import amqp from 'amqplib'

const USAGE = 'usage: rabbit-calls.js [--uri URI] [--requests QUEUE] [--answers QUEUE] [--patience SECONDS] URL…'

/** You can add any field of docs/envelope.md: method, headers, body, retry, context… */
function envelope (id, url) {
  return Buffer.from(JSON.stringify({ id, url, deadlineMs: 10_000 }))
}

/** Sends one envelope for each URL and returns the ids when the broker has confirmed all. */
async function send (channel, queue, urls) {
  let returned // unroutable messages are returned before their confirm
  channel.on('return', message => { returned = message.fields.replyText })
  const ids = new Set()
  for (const url of urls) {
    const id = randomUUID()
    ids.add(id)
    channel.sendToQueue(queue, envelope(id, url), {
      contentType: 'application/json',
      correlationId: id,
      persistent: true,
      mandatory: true,
      // The start of deadlineMs, in milliseconds; AMQP's timestamp property has a resolution of one second.
      headers: { timestamp_in_ms: Date.now() }
    })
  }
  await channel.waitForConfirms()
  if (returned) throw new Error(`not sent to ${queue}: ${returned}`)
  return ids
}

/** Prints the answers until every call has one or the time is up. */
async function printAnswers (channel, queue, waiting, seconds) {
  await channel.prefetch(100)
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`without an answer: ${waiting.size}`)), seconds * 1000).unref()
    channel.once('error', reject) // the reason why the broker closes the channel
    channel.once('close', () => reject(new Error('the broker has closed the connection')))
    channel.consume(queue, message => {
      if (message === null) return reject(new Error(`${queue} was deleted`))
      const answer = JSON.parse(message.content)
      // An answer may arrive twice: check the id.
      if (waiting.delete(answer.id)) console.log(JSON.stringify(answer))
      channel.ack(message)
      if (waiting.size === 0) resolve()
    }).catch(reject)
  })
}

async function main ({ values, positionals: urls }) {
  const connection = await amqp.connect(values.uri, { timeout: 10_000 })
  connection.on('error', () => {}) // pending operations fail with the reason
  const channel = await connection.createConfirmChannel()
  channel.on('error', () => {})
  const waiting = await send(channel, values.requests, urls)
  await printAnswers(channel, values.answers, waiting, Number(values.patience))
  await connection.close()
}

function commandLine () {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: {
        uri: { type: 'string', default: 'amqp://guest:guest@127.0.0.1:5672/' },
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

main(commandLine()).catch(error => {
  console.error(error.message || error.code)
  process.exit(1)
})
