// Makes HTTP calls through a door in four ways. Needs only Node.js, version 20 or newer.
//
//   node door-calls.mjs http://127.0.0.1:8000/
//
// Prints the answers of the door as JSON, and the response to an ordinary request as it is. Exits with 0 if each call has an answer.

import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'

const TIMEOUT_MILLIS = 60_000

/** The door has no answer, because it refused the call or could not make it. The code is stable. */
class DoorProblem extends Error {
  constructor ({ code, detail }, retryAfter) {
    super(`${code}: ${detail}` + (retryAfter ? `; retry after ${retryAfter} s` : ''))
    this.code = code
  }
}

/** Makes calls. You can add any field of docs/envelope.md to an envelope: method, headers, body, retry, context… */
class Door {
  constructor (address, token) {
    this.address = address
    this.token = token
  }

  /** Makes one call and returns its answer. */
  async call (envelope) {
    const response = await this.#send('/v1/calls', 'application/json', JSON.stringify(envelope))
    return response.json()
  }

  /**
   * Starts a call and returns its answer as soon as the event stream of the app has it. A service reads one stream for all of its
   * calls.
   */
  async callAsync (envelope) {
    // The stream sends the calls that end from now on, so it is opened before the call.
    const stream = await this.#send('/v1/answers')
    const accepted = await this.#send('/v1/calls', 'application/json', JSON.stringify(envelope), { Prefer: 'respond-async' })
    await accepted.json()
    for await (const { name, data } of events(stream)) {
      if (name === 'lost') break
      const answer = JSON.parse(data)
      // The stream also has the other calls of the app.
      if (answer.id === envelope.id) return answer
    }
    // The stream ended, or the door has left out an answer. It keeps each answer for a while.
    const kept = await this.#send(`/v1/calls/${encodeURIComponent(envelope.id)}`, undefined, undefined, { Prefer: 'wait=30' })
    if (kept.status === 202) throw new Error(`${envelope.id}: no answer yet`)
    return kept.json()
  }

  /** Makes many calls and yields each answer as soon as its call ends. The order differs. */
  async * batch (envelopes) {
    const body = envelopes.map(envelope => JSON.stringify(envelope) + '\n').join('')
    const response = await this.#send('/v1/calls:batch', 'application/x-ndjson', body)
    for await (const line of lines(response)) yield JSON.parse(line)
  }

  /** Makes the call of an ordinary request and returns the response of its target. The header Authorization is for the target. */
  async forward (url, request = {}) {
    const headers = new Headers(request.headers)
    if (this.token) headers.set('IOCluster-Token', this.token)
    const signal = AbortSignal.timeout(TIMEOUT_MILLIS)
    // Only the target redirects. Its response goes to the caller, who calls the new address through the door too.
    const response = await fetch(`${this.address}/v1/forward/${url}`, { signal, redirect: 'manual', ...request, headers })
    // A response of the target has no code of the door, whatever its status.
    if (response.headers.has('IOCluster-Code')) throw await problem(response)
    return response
  }

  async #send (path, type, body, headers = {}) {
    if (type) headers['Content-Type'] = type
    if (this.token) headers.Authorization = `Bearer ${this.token}`
    const method = body === undefined ? 'GET' : 'POST'
    const response = await fetch(this.address + path, { method, headers, body, signal: AbortSignal.timeout(TIMEOUT_MILLIS) })
    if (!response.ok) throw await problem(response)
    return response
  }
}

async function problem (response) {
  return new DoorProblem(await response.json(), response.headers.get('Retry-After'))
}

/** Yields the lines of a response as they arrive. */
async function * lines (response) {
  let rest = ''
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + part).split('\n')
    rest = parts.pop()
    yield * parts
  }
}

/** Yields the server-sent events of a response. The door writes the data of each event on one line. */
async function * events (response) {
  let name = ''
  for await (const line of lines(response)) {
    if (line.startsWith('event: ')) name = line.slice('event: '.length)
    if (line.startsWith('data: ')) yield { name, data: line.slice('data: '.length) }
  }
}

async function main (door, url) {
  let unanswered = 0
  const print = answer => {
    console.log(JSON.stringify(answer))
    if (answer.outcome !== 'answered') unanswered++
  }

  console.log('one call, which returns the answer envelope:')
  print(await door.call({ url, deadlineMs: 10_000 }))

  console.log('an asynchronous call, whose answer arrives on the event stream:')
  print(await door.callAsync({ id: randomUUID(), url, deadlineMs: 10_000 }))

  console.log('a batch, one envelope on each line:')
  for await (const answer of door.batch([{ id: 'a', url }, { id: 'b', url }])) print(answer)

  console.log('an ordinary request, which returns the response of the target:')
  console.log(await (await door.forward(url)).text())
  if (unanswered > 0) throw new Error(`without an answer of the target: ${unanswered}`)
}

function commandLine () {
  try {
    const parsed = parseArgs({
      allowPositionals: true,
      options: { door: { type: 'string', default: 'http://127.0.0.1:8081' } }
    })
    if (parsed.positionals.length === 1) return parsed
  } catch (error) {
    console.error(error.message)
  }
  console.error('usage: door-calls.mjs [--door ADDRESS] URL')
  process.exit(2)
}

const { values, positionals: [url] } = commandLine()
main(new Door(values.door, process.env.DOOR_TOKEN), url).catch(error => {
  // fetch puts the reason why it has no response into the cause.
  console.error(error.cause ? `${error.message}: ${error.cause.message}` : error.message)
  process.exitCode = 1
})
