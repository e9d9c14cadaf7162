// Runs the test vectors that the clients of all languages share.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mock, test } from 'node:test'
import { Answer, CallTimeoutError, ClientClosedError, ClientFullError, NotEnqueuedError, UnreadableAnswerError, encode } from '../dist/index.js'
import { PendingCalls } from '../dist/pending.js'

const FAILURES = {
  'client-closed': ClientClosedError,
  'client-full': ClientFullError,
  'id-in-use': RangeError,
  'not-enqueued': NotEnqueuedError,
  timeout: CallTimeoutError,
  'unreadable-answer': UnreadableAnswerError
}

const read = name => readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8')

test('writes valid envelopes unchanged', () => {
  for (const line of read('envelopes-valid.ndjson').trim().split('\n')) {
    assert.deepEqual(JSON.parse(encode(JSON.parse(line))), JSON.parse(line))
  }
})

test('writes bytes as base64', () => {
  const written = JSON.parse(encode({ id: 'i', any: [{ url: 'http://a/', body: Uint8Array.of(0, 255) }] }))

  assert.deepEqual(written, { id: 'i', any: [{ url: 'http://a/', bodyBase64: 'AP8=' }] })
})

test('refuses bytes that are not UTF-8', () => {
  assert.throws(() => Answer.decode(Buffer.from('{"id": "\xff", "outcome": "answered"}', 'latin1')), TypeError)
})

for (const vector of JSON.parse(read('answers.json'))) {
  test(`reads ${vector.name}`, () => {
    const payload = Buffer.from(vector.text ?? JSON.stringify(vector.answer))
    if (vector.invalid) assert.throws(() => Answer.decode(payload), TypeError)
    else check(Answer.decode(payload), vector.expect)
  })
}

function check (answer, expected) {
  for (const [name, value] of Object.entries(expected)) {
    if (name === 'results') {
      assert.equal(answer.results.length, value.length)
      value.forEach((each, i) => check(answer.results[i], each))
    } else {
      assert.deepEqual(field(answer, name) ?? null, value, name)
    }
  }
}

function field (answer, name) {
  if (name === 'body') return answer.text
  if (name === 'bodyBase64') return answer.body.toString('base64')
  return answer[name]
}

for (const vector of JSON.parse(read('matching.json'))) {
  test(`matching: ${vector.name}`, async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const scenario = new Scenario(vector.maxOutstanding ?? 1000)
      for (const step of vector.steps) await scenario.run(step)
    } finally {
      mock.timers.reset()
    }
  })
}

class Scenario {
  ends = new Map()
  byId = new Map()

  constructor (maxOutstanding) {
    this.calls = new PendingCalls(maxOutstanding)
  }

  async run (step) {
    const [name, value] = Object.entries(step)[0]
    await this[name](value, step)
  }

  call (id, step, method = 'startCall') {
    const start = () => this.calls[method](id, step.timeoutMs ?? 60_000)
    if (step.failure) {
      assert.throws(start, error => error instanceof FAILURES[step.failure] && error.sent === step.sent)
      return
    }
    const call = start()
    this.byId.set(id, call)
    this.ends.set(id, undefined)
    call.promise.then(result => this.ends.set(id, { result }), error => this.ends.set(id, { error }))
  }

  enqueue (id, step) {
    this.call(id, step, 'startEnqueuing')
  }

  confirm (id) {
    this.calls.confirm(this.byId.get(id))
  }

  refuse (id, step) {
    this.calls.refuse(this.byId.get(id), step.sent, 'for people')
  }

  receive (answer) {
    this.calls.receive(Buffer.from(JSON.stringify(answer)))
  }

  receiveText (text) {
    this.calls.receive(Buffer.from(text))
  }

  advanceMs (millis) {
    mock.timers.tick(millis)
  }

  close () {
    this.calls.close()
  }

  outstanding (count) {
    assert.equal(this.calls.size, count)
  }

  async expect (id, step) {
    await new Promise(resolve => setImmediate(resolve)) // lets promises complete
    const end = this.ends.get(id)
    if (step.pending) {
      assert.equal(end, undefined)
    } else if (step.failure) {
      assert.ok(end.error instanceof FAILURES[step.failure], String(end.error))
      assert.deepEqual([end.error.id, end.error.sent, end.error.stage], [id, step.sent, step.stage])
    } else if (step.enqueued) {
      assert.equal(end.result, id)
    } else {
      for (const name of ['status', 'outcome']) assert.equal(end.result[name], step[name] ?? end.result[name])
    }
  }
}
