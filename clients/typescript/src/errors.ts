/** Whether the target may have seen a call: `no` means that it certainly has not and will not. */
export type Sent = 'no' | 'maybe'

/** How far a call came before its deadline. */
export type CallStage = 'unconfirmed' | 'enqueued'

/** A call has no answer. */
export class IoClusterError extends Error {
  constructor (readonly id: string | undefined, readonly sent: Sent, message: string) {
    super(message)
    this.name = new.target.name
  }
}

/** The deadline passed first. */
export class CallTimeoutError extends IoClusterError {
  constructor (id: string, timeoutMs: number, readonly stage: CallStage) {
    super(id, 'maybe', `no answer within ${timeoutMs} ms: ` + (stage === 'enqueued'
      ? 'the request was put on the queue, but no node has answered; it may still wait or be a dead letter'
      : 'the broker or the door has not confirmed the request'))
  }
}

/** The client has its maximum of outstanding calls. */
export class ClientFullError extends IoClusterError {
  constructor (id: string, maximum: number) {
    super(id, 'no', `${maximum} calls are outstanding; raise maxOutstanding, or wait for answers`)
  }
}

/** The broker refused the request (`no`), or did not confirm it (`maybe`). */
export class NotEnqueuedError extends IoClusterError {
  constructor (id: string, sent: Sent, problem: string) {
    super(id, sent, `not enqueued: ${problem}`)
  }
}

/** The client was closed. */
export class ClientClosedError extends IoClusterError {
  constructor (id: string | undefined, sent: Sent) {
    super(id, sent, 'the client is closed')
  }
}

/** The message with the id of the call is not a valid answer. */
export class UnreadableAnswerError extends IoClusterError {
  constructor (id: string, problem: string) {
    super(id, 'maybe', problem)
  }
}

/** The door returned a problem. Its code is stable: see docs/door.md. */
export class DoorError extends IoClusterError {
  constructor (
    id: string | undefined,
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    readonly retryAfterSeconds?: number
  ) {
    super(id, status < 500 ? 'no' : 'maybe', `${code}: ${detail}`)
  }
}
