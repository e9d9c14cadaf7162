// Package iocluster makes HTTP calls through IOCluster, over Kafka, RabbitMQ or the door.
package iocluster

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// Envelope is a request: one call, or several in Any or All. docs/envelope.md explains the fields.
type Envelope struct {
	ID string `json:"id,omitempty"`
	Branch
	DeadlineMs int64           `json:"deadlineMs,omitempty"`
	Reply      string          `json:"reply,omitempty"`
	ReplyTo    string          `json:"replyTo,omitempty"`
	Context    json.RawMessage `json:"context,omitempty"`
	Any        []Branch        `json:"any,omitempty"`
	All        []Branch        `json:"all,omitempty"`
}

// Branch is one of several calls. Set Body, or BodyBase64 for bytes that are not text.
type Branch struct {
	URL            string            `json:"url,omitempty"`
	Method         string            `json:"method,omitempty"`
	Headers        map[string]Values `json:"headers,omitempty"`
	Body           string            `json:"body,omitempty"`
	BodyBase64     string            `json:"bodyBase64,omitempty"`
	TimeoutMs      int64             `json:"timeoutMs,omitempty"`
	Retry          *Retry            `json:"retry,omitempty"`
	IdempotencyKey string            `json:"idempotencyKey,omitempty"`
	Auth           string            `json:"auth,omitempty"`
	Usable         *Usable           `json:"usable,omitempty"`
}

type Retry struct {
	MaxAttempts int `json:"maxAttempts,omitempty"`
}

// Usable says which answers of the target are usable.
type Usable struct {
	Status []any       `json:"status,omitempty"`
	JSON   *UsableJSON `json:"json,omitempty"`
}

type UsableJSON struct {
	Pointer string   `json:"pointer,omitempty"`
	Equals  any      `json:"equals,omitempty"`
	Exists  *bool    `json:"exists,omitempty"`
	In      []any    `json:"in,omitempty"`
	Less    *float64 `json:"less,omitempty"`
	Greater *float64 `json:"greater,omitempty"`
}

// Values are the values of a header.
type Values []string

func (v Values) MarshalJSON() ([]byte, error) {
	if len(v) == 1 {
		return json.Marshal(v[0])
	}
	return json.Marshal([]string(v))
}

func (v *Values) UnmarshalJSON(data []byte) error {
	var one *string
	if json.Unmarshal(data, &one) == nil && one != nil {
		*v = Values{*one}
		return nil
	}
	var list []string
	if err := json.Unmarshal(data, &list); err != nil || list == nil {
		return errors.New("a header is not text or a list of texts")
	}
	*v = list
	return nil
}

// Answer is the answer to a call, whatever its Outcome: answered, failed, rejected or expired.
// Status is 0, and Error set, unless it is answered.
type Answer struct {
	ID         string            `json:"id"`
	Outcome    string            `json:"outcome"`
	Status     int               `json:"status"`
	Headers    map[string]Values `json:"headers"`
	Truncated  bool              `json:"truncated"`
	Unusable   string            `json:"unusable"`
	Error      *CallError        `json:"error"`
	Attempts   int               `json:"attempts"`
	Node       string            `json:"node"`
	Timing     Timing            `json:"timing"`
	Cache      *CacheUse         `json:"cache"`
	Branch     *int              `json:"branch"`
	Results    []Answer          `json:"results"`
	Context    json.RawMessage   `json:"context"`
	Text       *string           `json:"body"`
	BodyBase64 []byte            `json:"bodyBase64"`
	Raw        json.RawMessage   `json:"-"` // all fields as they arrived; only of a whole answer
}

type CallError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Sent    Sent   `json:"sent"`
}

// Timing has durations in milliseconds.
type Timing struct {
	QueuedMs    int64 `json:"queuedMs"`
	TotalMs     int64 `json:"totalMs"`
	DNSMs       int64 `json:"dnsMs"`
	ConnectMs   int64 `json:"connectMs"`
	TLSMs       int64 `json:"tlsMs"`
	FirstByteMs int64 `json:"firstByteMs"`
}

type CacheUse struct {
	Hit   bool  `json:"hit"`
	AgeMs int64 `json:"ageMs"`
	Stale bool  `json:"stale"`
}

// Body returns the bytes of the body.
func (a *Answer) Body() []byte {
	if a.Text != nil {
		return []byte(*a.Text)
	}
	return a.BodyBase64
}

// Header returns the first value of a header, whose name is in lower case, or "".
func (a *Answer) Header(name string) string {
	for _, value := range a.Headers[name] {
		return value
	}
	return ""
}

// DecodeAnswer reads an answer. It ignores fields that it does not know.
func DecodeAnswer(payload []byte) (*Answer, error) {
	if !utf8.Valid(payload) {
		return nil, errors.New("not an answer: not UTF-8")
	}
	var answer Answer
	if err := json.Unmarshal(payload, &answer); err != nil {
		return nil, fmt.Errorf("not an answer: %w", err)
	}
	answer.Raw = payload
	return &answer, answer.check()
}

func (a *Answer) check() error {
	switch a.Outcome {
	case "answered", "failed", "rejected", "expired":
	default:
		return fmt.Errorf("not an answer: the outcome is %q", a.Outcome)
	}
	if a.Error != nil && a.Error.Sent != No {
		a.Error.Sent = Maybe
	}
	for i := range a.Results {
		if err := a.Results[i].check(); err != nil {
			return err
		}
	}
	return nil
}
