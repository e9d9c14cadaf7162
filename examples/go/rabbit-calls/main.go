// Makes HTTP calls through IOCluster over RabbitMQ: sends envelopes to one queue and reads answers from another.
//
//	go run ./rabbit-calls --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// You can add any field of docs/envelope.md: method, headers, body, retry, context…
type envelope struct {
	ID         string `json:"id"`
	URL        string `json:"url"`
	DeadlineMs int    `json:"deadlineMs"`
}

// Sends one envelope for each URL and returns the ids when the broker has confirmed all.
func send(channel *amqp.Channel, queue string, urls []string) (map[string]bool, error) {
	if err := channel.Confirm(false); err != nil {
		return nil, err
	}
	// Unroutable messages are returned here before their confirm.
	returned := channel.NotifyReturn(make(chan amqp.Return, len(urls)))
	ids := map[string]bool{}
	var confirms []*amqp.DeferredConfirmation
	for _, url := range urls {
		id := rand.Text()
		ids[id] = true
		body, err := json.Marshal(envelope{ID: id, URL: url, DeadlineMs: 10_000})
		if err != nil {
			return nil, err
		}
		confirm, err := channel.PublishWithDeferredConfirm("", queue, true, false, amqp.Publishing{
			ContentType:   "application/json",
			CorrelationId: id,
			DeliveryMode:  amqp.Persistent,
			// The start of deadlineMs, in milliseconds; AMQP's timestamp property has a resolution of one second.
			Headers: amqp.Table{"timestamp_in_ms": time.Now().UnixMilli()},
			Body:    body,
		})
		if err != nil {
			return nil, fmt.Errorf("not sent to %s: %w", queue, err)
		}
		confirms = append(confirms, confirm)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for _, confirm := range confirms {
		if acked, err := confirm.WaitContext(ctx); err != nil {
			return nil, fmt.Errorf("not sent to %s: %w", queue, err)
		} else if !acked {
			return nil, fmt.Errorf("not sent to %s: refused by the broker", queue)
		}
	}
	if len(returned) > 0 {
		return nil, fmt.Errorf("not sent to %s: %s", queue, (<-returned).ReplyText)
	}
	return ids, nil
}

// Prints the answers until every call has one or the time is up.
func printAnswers(channel *amqp.Channel, queue string, waiting map[string]bool, patience time.Duration) error {
	if err := channel.Qos(100, 0, false); err != nil {
		return err
	}
	deliveries, err := channel.Consume(queue, "", false, false, false, false, nil)
	if err != nil {
		return err
	}
	timeout := time.After(patience)
	for len(waiting) > 0 {
		select {
		case delivery, open := <-deliveries:
			if !open {
				return errors.New("the broker has closed the connection")
			}
			var answer struct{ ID string }
			if err := json.Unmarshal(delivery.Body, &answer); err != nil {
				return fmt.Errorf("invalid answer: %w", err)
			}
			// An answer may arrive twice: check the id.
			if waiting[answer.ID] {
				delete(waiting, answer.ID)
				fmt.Printf("%s\n", delivery.Body)
			}
			if err := delivery.Ack(false); err != nil {
				return err
			}
		case <-timeout:
			return fmt.Errorf("without an answer: %d", len(waiting))
		}
	}
	return nil
}

func run(uri, requests, answers string, patience time.Duration, urls []string) error {
	connection, err := amqp.Dial(uri)
	if err != nil {
		return fmt.Errorf("cannot connect: %w", err)
	}
	defer connection.Close()
	channel, err := connection.Channel()
	if err != nil {
		return err
	}
	waiting, err := send(channel, requests, urls)
	if err != nil {
		return err
	}
	return printAnswers(channel, answers, waiting, patience)
}

func main() {
	uri := flag.String("uri", "amqp://guest:guest@127.0.0.1:5672/", "address of the broker")
	requests := flag.String("requests", "iocluster.requests", "queue of the envelopes")
	answers := flag.String("answers", "iocluster.answers", "queue of the answers, not shared")
	patience := flag.Float64("patience", 30, "seconds to wait for all answers")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: rabbit-calls [options] URL...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := run(*uri, *requests, *answers, time.Duration(*patience*float64(time.Second)), flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
