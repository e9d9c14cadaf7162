// Package kafka lets a client use Kafka.
package kafka

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	iocluster "iocluster.io/client"
)

// Transport publishes requests to one topic, and reads the answers of another without a consumer group, from the moment of connecting.
type Transport struct {
	BootstrapServers []string
	Requests         string    // default iocluster.requests
	Answers          string    // another topic than that of the nodes, which must allow it in kafka.answers.reply-to
	Options          []kgo.Opt // such as kgo.SASL and kgo.DialTLSConfig

	client *kgo.Client
	stop   context.CancelFunc
	done   sync.WaitGroup
}

func (t *Transport) ReplyTo() string { return t.Answers }

func (t *Transport) requests() string {
	if t.Requests == "" {
		return "iocluster.requests"
	}
	return t.Requests
}

func (t *Transport) Open(ctx context.Context, receive func([]byte)) error {
	// franz-go's defaults: idempotent, and acknowledged by all in-sync replicas.
	client, err := kgo.NewClient(append([]kgo.Opt{kgo.SeedBrokers(t.BootstrapServers...)}, t.Options...)...)
	if err != nil {
		return err
	}
	topic := t.Answers
	if topic == "" {
		topic = "iocluster.answers"
	}
	ends, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		client.Close()
		return fmt.Errorf("%s: %w", topic, err)
	}
	client.AddConsumePartitions(ends.KOffsets())
	reading, stop := context.WithCancel(context.Background())
	t.client, t.stop = client, stop
	t.done.Go(func() {
		for reading.Err() == nil {
			client.PollFetches(reading).EachRecord(func(record *kgo.Record) { receive(record.Value) })
		}
	})
	return nil
}

func (t *Transport) Publish(ctx context.Context, request iocluster.Request) error {
	record := &kgo.Record{Topic: t.requests(), Value: request.Envelope, Timestamp: request.Created}
	if request.Key != "" {
		record.Key = []byte(request.Key)
	}
	for name, value := range request.Headers {
		record.Headers = append(record.Headers, kgo.RecordHeader{Key: name, Value: []byte(value)})
	}
	err := t.client.ProduceSync(ctx, record).FirstErr()
	if errors.Is(err, kerr.MessageTooLarge) || errors.Is(err, kerr.UnknownTopicOrPartition) {
		err = errors.Join(iocluster.ErrRefused, err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.requests(), err)
	}
	return nil
}

func (t *Transport) Close() error {
	t.stop()
	t.done.Wait()
	t.client.Close()
	return nil
}
