// Makes HTTP calls through IOCluster over RabbitMQ, with the client for TypeScript.
//
//   node rabbit-calls.js --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.

import { QueueClient } from 'iocluster'
import { RabbitTransport } from 'iocluster/rabbit'
import { makeCalls, run } from './calls.js'

await run('rabbit-calls.js', { uri: 'amqp://guest:guest@127.0.0.1:5672/' }, async (options, urls) => {
  const transport = new RabbitTransport({ uri: options.uri, requests: options.requests, answers: options.answers })
  const client = await QueueClient.connect(transport, { timeoutMs: options.timeout * 1000 })
  try {
    await makeCalls(client, urls)
  } finally {
    await client.close()
  }
})
