// Package rabbit lets a client use RabbitMQ.
package rabbit

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	iocluster "iocluster.io/client"
)

// The reply queue lives longer than any call may take, so that it still exists when the connection comes back.
const replyQueueExpiryMs = 30 * 60 * 1000

// Transport publishes requests to one queue, and reads the answers to calls from another. It connects again after an outage.
type Transport struct {
	URI      string
	Requests string      // default iocluster.requests
	Answers  string      // a queue that exists and only this client reads; by default the client has its own, iocluster.replies.…
	Config   amqp.Config // such as TLSClientConfig

	ownQueue  bool
	mu        sync.Mutex
	channel   *channel
	connected chan struct{} // closed when there is a channel
	returned  map[string]chan struct{}
	stop      context.CancelFunc
	done      sync.WaitGroup
}

// channel is an AMQP channel and its returned messages.
type channel struct {
	*amqp.Channel
	returnsSeen chan struct{}      // a receive ends when all earlier returns are recorded; closed with the channel
	reason      func() *amqp.Error // why the channel was closed
}

func (t *Transport) ReplyTo() string { return t.Answers }

func (t *Transport) Open(ctx context.Context, receive func([]byte)) error {
	if t.Requests == "" {
		t.Requests = "iocluster.requests"
	}
	if t.Answers == "" {
		t.Answers, t.ownQueue = "iocluster.replies.go."+rand.Text(), true
	}
	t.connected, t.returned = make(chan struct{}), map[string]chan struct{}{}
	connection, deliveries, err := t.connect()
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(context.Background())
	t.stop = stop
	t.done.Go(func() { t.run(running, connection, deliveries, receive) })
	return nil
}

// connect opens a channel that publishes with confirms and consumes the answers.
func (t *Transport) connect() (*amqp.Connection, <-chan amqp.Delivery, error) {
	connection, err := amqp.DialConfig(t.URI, t.Config)
	if err != nil {
		return nil, nil, fmt.Errorf("cannot connect: %w", err)
	}
	deliveries, err := t.openChannel(connection)
	if err != nil {
		connection.Close()
		return nil, nil, err
	}
	return connection, deliveries, nil
}

func (t *Transport) openChannel(connection *amqp.Connection) (<-chan amqp.Delivery, error) {
	opened, err := connection.Channel()
	if err == nil {
		err = opened.Confirm(false)
	}
	if err == nil {
		err = opened.Qos(1000, 0, false)
	}
	if err == nil && t.ownQueue {
		table := amqp.Table{"x-queue-type": "classic", "x-expires": replyQueueExpiryMs}
		_, err = opened.QueueDeclare(t.Answers, true, false, false, false, table)
	}
	if err != nil {
		return nil, err
	}
	seen := make(chan struct{})
	closed := opened.NotifyClose(make(chan *amqp.Error, 1))
	reason := sync.OnceValue(func() *amqp.Error { return <-closed })
	go t.seeReturns(opened.NotifyReturn(make(chan amqp.Return)), seen)
	deliveries, err := opened.Consume(t.Answers, "", false, false, false, false, nil)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.channel = &channel{opened, seen, reason}
	close(t.connected)
	return deliveries, nil
}

// seeReturns records which messages RabbitMQ returned because no queue takes them. RabbitMQ returns a message before it confirms it.
func (t *Transport) seeReturns(returns <-chan amqp.Return, seen chan<- struct{}) {
	defer close(seen)
	for {
		select {
		case each, open := <-returns:
			if !open {
				return
			}
			t.mu.Lock()
			if message := t.returned[each.MessageId]; message != nil {
				close(message)
				delete(t.returned, each.MessageId)
			}
			t.mu.Unlock()
		case seen <- struct{}{}:
		}
	}
}

// run owns the connection.
func (t *Transport) run(ctx context.Context, connection *amqp.Connection, deliveries <-chan amqp.Delivery, receive func([]byte)) {
	for {
		for open := true; open; {
			var delivery amqp.Delivery
			select {
			case <-ctx.Done():
				connection.Close()
				return
			case delivery, open = <-deliveries:
				if open {
					receive(delivery.Body)
					_ = delivery.Ack(false) // fails only if the connection ends; the broker then delivers the answer again
				}
			}
		}
		connection.Close()
		t.mu.Lock()
		t.channel, t.connected = nil, make(chan struct{})
		t.mu.Unlock()
		for delay, err := 100*time.Millisecond, errors.New("not connected"); err != nil; delay = min(5*time.Second, 2*delay) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(delay):
			}
			connection, deliveries, err = t.connect()
		}
	}
}

// Publish waits for a connection. It publishes again if the confirm is lost with the connection, so a node may see the request twice.
func (t *Transport) Publish(ctx context.Context, request iocluster.Request) error {
	for {
		t.mu.Lock()
		channel, connected := t.channel, t.connected
		t.mu.Unlock()
		if channel == nil {
			select {
			case <-connected:
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		err := t.publishOn(ctx, channel, request)
		if err == nil || ctx.Err() != nil || !errors.Is(err, amqp.ErrClosed) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (t *Transport) publishOn(ctx context.Context, channel *channel, request iocluster.Request) error {
	id := rand.Text()
	returned := make(chan struct{})
	t.mu.Lock()
	t.returned[id] = returned
	t.mu.Unlock()
	defer func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.returned, id)
	}()
	headers := amqp.Table{}
	for name, value := range request.Headers {
		headers[name] = value
	}
	// The start of deadlineMs, in milliseconds; AMQP's timestamp property has a resolution of one second.
	headers["timestamp_in_ms"] = request.Created.UnixMilli()
	message := amqp.Publishing{
		ContentType: "application/json", CorrelationId: request.Key, MessageId: id, DeliveryMode: amqp.Persistent,
		Headers: headers, Body: request.Envelope,
	}
	if request.Timeout > 0 {
		left := request.Timeout - time.Since(request.Created)
		message.Expiration = strconv.FormatInt(max(1, left.Milliseconds()), 10)
	}
	confirm, err := channel.PublishWithDeferredConfirm("", t.Requests, true, false, message)
	if err != nil {
		return err
	}
	select {
	case <-confirm.Done():
	case <-ctx.Done():
		return ctx.Err()
	}
	<-channel.returnsSeen
	select {
	case <-returned:
		return fmt.Errorf("%w: the queue %q does not exist", iocluster.ErrRefused, t.Requests)
	default:
	}
	if confirm.Acked() {
		return nil
	}
	if channel.IsClosed() {
		// RabbitMQ closes only the channel if it refuses a message, for example because it is too large. It would refuse it again.
		if reason := channel.reason(); reason != nil && reason.Server && reason.Recover {
			return reason
		}
		return amqp.ErrClosed
	}
	return fmt.Errorf("RabbitMQ did not accept the message for the queue %q", t.Requests)
}

func (t *Transport) Close() error {
	t.stop()
	t.done.Wait()
	return nil
}
