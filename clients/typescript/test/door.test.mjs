// Tests the client of a door with a real one: DOOR is its address, and TARGET that of a server that answers each GET with 200.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CallTimeoutError, ClientClosedError, DoorClient, DoorError } from '../dist/index.js'

const { DOOR, TARGET } = process.env
const options = { skip: DOOR ? false : 'no real door' }

test('makes a call', options, async () => {
  const answer = await new DoorClient({ url: DOOR }).call({ id: 'ts-1', url: TARGET, context: [1] })

  assert.deepEqual([answer.id, answer.status, answer.context], ['ts-1', 200, [1]])
})

test('starts a call and fetches its answer', options, async () => {
  const client = new DoorClient({ url: DOOR })
  const id = await client.start({ id: 'a/b ä', url: TARGET })

  let answer
  while (!answer) answer = await client.fetch(id, 10)

  assert.deepEqual([answer.id, answer.status], ['a/b ä', 200])
})

test('matches the results of a batch by their lines', options, async () => {
  const results = new Map()
  for await (const [index, result] of new DoorClient({ url: DOOR }).batch([{ url: TARGET }, { url: 'ftp://h/' }])) {
    results.set(index, result)
  }

  assert.equal(results.get(0).status, 200)
  assert.equal(results.get(1).code, 'scheme-not-allowed')
})

test('reports a problem, and that the call was not made', options, async () => {
  await assert.rejects(
    new DoorClient({ url: DOOR, token: 'x' }).call({ id: 'c', url: 'ftp://h/' }),
    error => error instanceof DoorError && error.id === 'c' && error.status === 403 && error.sent === 'no')
})

test('refuses invalid envelopes with their code', options, async () => {
  const client = new DoorClient({ url: DOOR })
  for (const line of readFileSync(new URL('../../vectors/envelopes-invalid.ndjson', import.meta.url), 'utf8').trim().split('\n')) {
    const [code] = line.split(' ', 1)
    const body = Buffer.from(line.slice(code.length + 1))
    await assert.rejects(client.exchange('i', 'POST', '/v1/calls', body, {}, 60_000), { status: 400, code })
  }
})

test('a closed client makes no call', options, async () => {
  const client = new DoorClient({ url: DOOR })
  await client.close()

  await assert.rejects(client.call({ url: TARGET }), error => error instanceof ClientClosedError && error.sent === 'no')
})

test('a call ends although the door does not answer', async () => {
  const { createServer } = await import('node:http')
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await new Promise(resolve => silent.once('listening', resolve))
  try {
    const client = new DoorClient({ url: `http://127.0.0.1:${silent.address().port}` })
    await assert.rejects(client.call({ url: 'http://h/' }, { timeoutMs: 1 }), CallTimeoutError)
  } finally {
    silent.closeAllConnections()
    silent.close()
  }
})
