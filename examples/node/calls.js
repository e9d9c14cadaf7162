// Makes the calls of the examples. The same for Kafka, RabbitMQ and the door.

import { parseArgs } from 'node:util'
import { CallTimeoutError } from 'iocluster'

/** Makes a call to each URL. Prints each answer as it arrives. You can add any field of docs/envelope.md to the envelope. */
export async function makeCalls (client, urls) {
  let late = 0
  const failures = []
  await Promise.all(urls.map(async url => {
    try {
      console.log(JSON.stringify((await client.call({ url })).raw))
    } catch (error) {
      if (error instanceof CallTimeoutError) late++
      else failures.push(error.message)
    }
  }))
  if (late > 0) failures.push(`without an answer: ${late}`)
  if (failures.length > 0) throw new Error(failures.join('\n'))
}

/** Runs the program with the options of its command line, which all have a value by default. */
export async function run (name, defaults, main) {
  const all = { requests: 'iocluster.requests', answers: 'iocluster.answers', timeout: '30', ...defaults }
  try {
    const options = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, { type: 'string', default: value }]))
    const { values, positionals: urls } = parseArgs({ allowPositionals: true, options })
    if (urls.length === 0) throw new Error('there is no URL')
    await main(values, urls).catch(error => {
      console.error(reason(error))
      process.exitCode = 1
    })
  } catch (error) {
    console.error(error.message)
    console.error(`usage: ${name} ${Object.keys(all).map(each => `[--${each} …]`).join(' ')} URL…`)
    process.exitCode = 2
  }
}

/** Returns the messages of an error and of its causes, because the libraries wrap the real error. */
function reason (error) {
  const cause = error.errors?.at(-1)
  return cause ? `${error.message} ${reason(cause)}` : error.message || error.code
}
