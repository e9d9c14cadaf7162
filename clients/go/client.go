package iocluster

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"math"
	"sync"
	"time"
)

// Client makes calls. It is safe for use by many goroutines, and one is enough for a program.
type Client interface {
	// Call makes a call and returns its answer, whatever its outcome. It returns when the context ends, or after the DeadlineMs of the
	// envelope, or else after the timeout of the client.
	Call(ctx context.Context, envelope Envelope, options ...CallOption) (*Answer, error)
	// Close fails all outstanding calls and disconnects.
	Close() error
}

// CallOption changes the message of a call.
type CallOption func(*Request)

// WithKey sets the Kafka record key or AMQP correlation id.
func WithKey(key string) CallOption { return func(r *Request) { r.Key = key } }

// WithMessageHeader sets a header of the message, or of the request to the door, such as traceparent.
func WithMessageHeader(name, value string) CallOption {
	return func(r *Request) { r.Headers[name] = value }
}

// Request is an encoded envelope with its message properties.
type Request struct {
	Envelope []byte
	Key      string
	Headers  map[string]string
	Created  time.Time
	Timeout  time.Duration // the message expires after it, unless it is 0
}

// ErrRefused is in the error of a Publish if the broker certainly does not have the request.
var ErrRefused = errors.New("refused by the broker")

// Transport is a broker and its queues.
type Transport interface {
	// ReplyTo returns the topic or queue of answers that each envelope names; "" for that of the node.
	ReplyTo() string
	// Open connects, and passes each answer that is published from now on to the function.
	Open(ctx context.Context, receive func(payload []byte)) error
	// Publish returns when the broker has confirmed the request. The end of the context withdraws a request that was not sent.
	Publish(ctx context.Context, request Request) error
	Close() error
}

// Options of a client. The zero value has the defaults.
type Options struct {
	Timeout        time.Duration // limit of a call without its own; default 30 s
	MaxOutstanding int           // maximum number of outstanding calls; default 1,000
}

// QueueClient makes calls over Kafka or RabbitMQ.
type QueueClient struct {
	transport Transport
	timeout   time.Duration
	slots     chan struct{}
	closed    chan struct{}
	close     sync.Once
	mu        sync.Mutex
	calls     map[string]chan []byte
}

// Connect returns a client, or an error if the broker is unreachable or a queue does not exist.
func Connect(ctx context.Context, transport Transport, options Options) (*QueueClient, error) {
	if options.MaxOutstanding == 0 {
		options.MaxOutstanding = 1000
	}
	client := &QueueClient{
		transport: transport,
		timeout:   timeoutOr(options.Timeout),
		slots:     make(chan struct{}, options.MaxOutstanding),
		closed:    make(chan struct{}),
		calls:     map[string]chan []byte{},
	}
	if err := transport.Open(ctx, client.receive); err != nil {
		return nil, err
	}
	return client, nil
}

func timeoutOr(given time.Duration) time.Duration {
	if given == 0 {
		return 30 * time.Second
	}
	return given
}

// Call makes a call, which ends by its deadline even if the broker and all nodes are down.
func (c *QueueClient) Call(ctx context.Context, envelope Envelope, options ...CallOption) (*Answer, error) {
	if envelope.Reply != "" || envelope.ReplyTo != "" {
		return nil, errors.New("Call does not support Reply or ReplyTo; use Enqueue")
	}
	ctx, cancel := withDeadline(ctx, &envelope, c.timeout)
	defer cancel()
	envelope.ReplyTo = c.transport.ReplyTo()
	answers := make(chan []byte, 1)
	if err := c.start(envelope.ID, answers); err != nil {
		return nil, err
	}
	defer c.end(envelope.ID, answers)
	payload, err := c.await(ctx, envelope, options, answers)
	if err != nil {
		return nil, err
	}
	answer, err := DecodeAnswer(payload)
	if err != nil {
		return nil, &Error{ID: envelope.ID, Sent: Maybe, reason: ErrUnreadableAnswer, cause: err}
	}
	return answer, nil
}

// Enqueue puts an envelope on the queue. It returns its id when the broker has confirmed it. Another consumer gets the answer.
func (c *QueueClient) Enqueue(ctx context.Context, envelope Envelope, options ...CallOption) (string, error) {
	if envelope.ID == "" {
		envelope.ID = rand.Text()
	}
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	if err := c.start(envelope.ID, nil); err != nil {
		return "", err
	}
	defer c.end(envelope.ID, nil)
	_, err := c.await(ctx, envelope, options, nil)
	return envelope.ID, err
}

// A larger number of milliseconds is not a time.Duration.
const maxDeadlineMs = math.MaxInt64 / int64(time.Millisecond)

// withDeadline gives the envelope its id, and a deadline so that an answer still arrives before the context ends.
func withDeadline(ctx context.Context, envelope *Envelope, timeout time.Duration) (context.Context, context.CancelFunc) {
	if envelope.ID == "" {
		envelope.ID = rand.Text()
	}
	if envelope.DeadlineMs > 0 {
		timeout = time.Duration(min(envelope.DeadlineMs, maxDeadlineMs)) * time.Millisecond
	}
	if end, ok := ctx.Deadline(); ok {
		timeout = min(timeout, time.Until(end))
	}
	envelope.DeadlineMs = max(1, (timeout - min(50*time.Millisecond, timeout/10)).Milliseconds())
	return context.WithTimeout(ctx, timeout)
}

// start takes a slot and, with answers, the id.
func (c *QueueClient) start(id string, answers chan []byte) error {
	select {
	case <-c.closed:
		return &Error{ID: id, Sent: No, reason: ErrClosed}
	default:
	}
	select {
	case c.slots <- struct{}{}:
	default:
		return &Error{ID: id, Sent: No, reason: ErrClientFull}
	}
	if answers == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.calls[id] != nil {
		<-c.slots
		return &Error{ID: id, reason: ErrIDInUse}
	}
	c.calls[id] = answers
	return nil
}

func (c *QueueClient) end(id string, answers chan []byte) {
	<-c.slots
	c.mu.Lock()
	defer c.mu.Unlock()
	if answers != nil {
		delete(c.calls, id)
	}
}

// await publishes, and waits for the answer, or for the confirmation if there are no answers.
func (c *QueueClient) await(ctx context.Context, envelope Envelope, options []CallOption, answers chan []byte) ([]byte, error) {
	id := envelope.ID
	payload, err := json.Marshal(envelope)
	if err != nil {
		return nil, err
	}
	request := Request{Envelope: payload, Headers: map[string]string{}, Created: time.Now()}
	if end, ok := ctx.Deadline(); ok && answers != nil {
		request.Timeout = time.Until(end)
	}
	for _, option := range options {
		option(&request)
	}
	published := make(chan error, 1)
	go func() { published <- c.transport.Publish(ctx, request) }()
	stage := Unconfirmed
	for {
		select {
		case answer := <-answers:
			return answer, nil
		case err := <-published:
			if err == nil && answers == nil {
				return nil, nil
			}
			if err == nil {
				stage = Enqueued
			} else if ctx.Err() == nil {
				sent := Maybe
				if errors.Is(err, ErrRefused) {
					sent = No
				}
				return nil, &Error{ID: id, Sent: sent, reason: ErrNotEnqueued, cause: err}
			}
		case <-ctx.Done():
			return nil, &Error{ID: id, Sent: Maybe, Stage: stage, reason: ErrTimeout, cause: ctx.Err()}
		case <-c.closed:
			return nil, &Error{ID: id, Sent: Maybe, reason: ErrClosed}
		}
	}
}

// receive passes an answer to its call. Answers to other clients and duplicates are ignored.
func (c *QueueClient) receive(payload []byte) {
	var answer struct {
		ID *string `json:"id"`
	}
	if json.Unmarshal(payload, &answer) != nil || answer.ID == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if call := c.calls[*answer.ID]; call != nil {
		select {
		case call <- payload:
		default: // the same answer again
		}
	}
}

// Outstanding returns the number of outstanding calls and unconfirmed requests.
func (c *QueueClient) Outstanding() int { return len(c.slots) }

// Close fails all outstanding calls and disconnects.
func (c *QueueClient) Close() error {
	var err error
	c.close.Do(func() {
		close(c.closed)
		err = c.transport.Close()
	})
	return err
}
