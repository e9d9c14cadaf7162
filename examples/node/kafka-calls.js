// Makes HTTP calls through IOCluster over Kafka, with the client for TypeScript.
//
//   node kafka-calls.js --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.

import { QueueClient } from 'iocluster'
import { KafkaTransport } from 'iocluster/kafka'
import { makeCalls, run } from './calls.js'

await run('kafka-calls.js', { 'bootstrap-servers': '127.0.0.1:9092' }, async (options, urls) => {
  const transport = new KafkaTransport({
    bootstrapServers: options['bootstrap-servers'].split(','), requests: options.requests, answers: options.answers
  })
  const client = await QueueClient.connect(transport, { timeoutMs: options.timeout * 1000 })
  try {
    await makeCalls(client, urls)
  } finally {
    await client.close()
  }
})
