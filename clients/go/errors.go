package iocluster

import (
	"errors"
	"fmt"
	"time"
)

// The reasons why a call has no answer; use them with errors.Is.
var (
	ErrTimeout          = errors.New("no answer before the deadline")
	ErrClientFull       = errors.New("the client has its maximum of outstanding calls")
	ErrNotEnqueued      = errors.New("not enqueued")
	ErrClosed           = errors.New("the client is closed")
	ErrUnreadableAnswer = errors.New("the answer is not valid")
	ErrIDInUse          = errors.New("a call with this id is already outstanding")
)

// Sent says whether the target may have seen a call.
type Sent string

const (
	No    Sent = "no"    // certainly not
	Maybe Sent = "maybe" // it may have
)

// Stage says how far a call came before its deadline.
type Stage string

const (
	Unconfirmed Stage = "unconfirmed" // by the broker or the door
	Enqueued    Stage = "enqueued"    // no node has answered
)

// Error says why a call has no answer. Stage is set only for ErrTimeout.
type Error struct {
	ID     string
	Sent   Sent
	Stage  Stage
	reason error
	cause  error
}

func (e *Error) Error() string {
	text := e.reason.Error()
	if e.Stage != "" {
		text += ": " + string(e.Stage)
	}
	if e.cause != nil {
		text += ": " + e.cause.Error()
	}
	return text
}

// Unwrap returns one of the reasons above, and the cause if there is one.
func (e *Error) Unwrap() []error {
	if e.cause == nil {
		return []error{e.reason}
	}
	return []error{e.reason, e.cause}
}

// DoorError is a problem that the door returned. Its code is stable; see docs/door.md.
type DoorError struct {
	ID         string        `json:"id"`
	Status     int           `json:"status"`
	Code       string        `json:"code"`
	Detail     string        `json:"detail"`
	RetryAfter time.Duration `json:"-"`
}

func (e *DoorError) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Detail) }

// Sent returns No if the call was certainly not made.
func (e *DoorError) Sent() Sent {
	if e.Status < 500 {
		return No
	}
	return Maybe
}
