// Makes HTTP calls through IOCluster over Kafka: sends envelopes to one topic and reads answers from another.
//
//	go run ./kafka-calls --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"
)

// You can add any field of docs/envelope.md: method, headers, body, retry, context…
type envelope struct {
	ID         string `json:"id"`
	URL        string `json:"url"`
	DeadlineMs int    `json:"deadlineMs"`
}

// Makes the client read all partitions of the topic from their current ends. Call it before sending.
func readFromNowOn(client *kgo.Client, topic string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	ends, err := kadm.NewClient(client).ListEndOffsets(ctx, topic)
	if err == nil {
		err = ends.Error()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", topic, err)
	}
	client.AddConsumePartitions(ends.KOffsets())
	return nil
}

// Sends one envelope for each URL and returns the ids when the broker has confirmed all.
func send(client *kgo.Client, topic string, urls []string) (map[string]bool, error) {
	ids := map[string]bool{}
	var records []*kgo.Record
	for _, url := range urls {
		id := rand.Text()
		ids[id] = true
		value, err := json.Marshal(envelope{ID: id, URL: url, DeadlineMs: 10_000})
		if err != nil {
			return nil, err
		}
		records = append(records, &kgo.Record{Topic: topic, Value: value})
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	// franz-go's defaults: idempotent, and acknowledged by all in-sync replicas.
	if err := client.ProduceSync(ctx, records...).FirstErr(); err != nil {
		return nil, fmt.Errorf("not sent to %s: %w", topic, err)
	}
	return ids, nil
}

// Prints the answers until every call has one or the time is up.
func printAnswers(client *kgo.Client, waiting map[string]bool, patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for len(waiting) > 0 {
		fetches := client.PollFetches(ctx)
		if ctx.Err() != nil {
			return fmt.Errorf("without an answer: %d", len(waiting))
		}
		if err := fetches.Err(); err != nil {
			return err
		}
		for record := range fetches.RecordsAll() {
			var answer struct{ ID string }
			if err := json.Unmarshal(record.Value, &answer); err != nil {
				return fmt.Errorf("invalid answer: %w", err)
			}
			// The topic also has answers to other programs, and an answer may arrive twice: check the id.
			if waiting[answer.ID] {
				delete(waiting, answer.ID)
				fmt.Printf("%s\n", record.Value)
			}
		}
	}
	return nil
}

func run(servers, requests, answers string, patience time.Duration, urls []string) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(strings.Split(servers, ",")...))
	if err != nil {
		return err
	}
	defer client.Close()
	if err := readFromNowOn(client, answers); err != nil {
		return err
	}
	waiting, err := send(client, requests, urls)
	if err != nil {
		return err
	}
	return printAnswers(client, waiting, patience)
}

func main() {
	servers := flag.String("bootstrap-servers", "127.0.0.1:9092", "brokers, separated by commas")
	requests := flag.String("requests", "iocluster.requests", "topic of the envelopes")
	answers := flag.String("answers", "iocluster.answers", "topic of the answers")
	patience := flag.Float64("patience", 30, "seconds to wait for all answers")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: kafka-calls [options] URL...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	err := run(*servers, *requests, *answers, time.Duration(*patience*float64(time.Second)), flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
