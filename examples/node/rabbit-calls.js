// Has IOCluster make HTTP calls, over RabbitMQ: envelopes go to one queue, answers come from another.
//
//   node rabbit-calls.js --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints the answers as they come, one JSON object a line; the exit code is 0 if every call has one.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import amqp from 'amqplib'

const USAGE = 'usage: rabbit-calls.js [--uri URI] [--requests QUEUE] [--answers QUEUE] [--patience SECONDS] URL…'

/** Any field of docs/envelope.md can stand here: method, headers, body, retry, context… */
function envelope (id, url) {
  return Buffer.from(JSON.stringify({ id, url, deadlineMs: 10_000 }))
}

/** Sends one envelope for each URL and returns their ids once the broker has them all. */
async function send (channel, queue, urls) {
  let returned // what no queue takes comes back, before its confirm
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
      // When it was sent, which deadlineMs counts from; AMQP's own timestamp knows whole seconds only.
      headers: { timestamp_in_ms: Date.now() }
    })
  }
  await channel.waitForConfirms()
  if (returned) throw new Error(`not sent to ${queue}: ${returned}`)
  return ids
}

/** Prints the answers to the calls until each has one, or the time is over. */
async function printAnswers (channel, queue, waiting, seconds) {
  await channel.prefetch(100)
  await new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error(`without an answer: ${waiting.size}`)), seconds * 1000).unref()
    channel.once('error', reject) // what the broker has against the channel, before it closes it
    channel.once('close', () => reject(new Error('the broker has closed the connection')))
    channel.consume(queue, message => {
      if (message === null) return reject(new Error(`${queue} is no more`))
      const answer = JSON.parse(message.content)
      // After a crash the same answer may come twice: the id tells.
      if (waiting.delete(answer.id)) console.log(JSON.stringify(answer))
      channel.ack(message)
      if (waiting.size === 0) resolve()
    }).catch(reject)
  })
}

async function main ({ values, positionals: urls }) {
  const connection = await amqp.connect(values.uri, { timeout: 10_000 })
  connection.on('error', () => {}) // what was asked of it fails, and says why
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
