// Package calls makes the calls of the examples. The same for Kafka, RabbitMQ and the door.
package calls

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	iocluster "iocluster.io/client"
)

// Flags are the options of all examples.
type Flags struct {
	Requests, Answers string
	timeout           float64
}

// Parse reads the command line, and ends the program if it has no URL.
func Parse(name string) *Flags {
	flags := &Flags{}
	flag.StringVar(&flags.Requests, "requests", "iocluster.requests", "topic or queue of the envelopes")
	flag.StringVar(&flags.Answers, "answers", "iocluster.answers", "topic, or queue that is not shared, of the answers")
	flag.Float64Var(&flags.timeout, "timeout", 30, "seconds to wait for all answers")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: "+name+" [options] URL...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	return flags
}

// Run makes a call to each URL, and ends the program. You can add any field of docs/envelope.md to the envelope.
func (f *Flags) Run(transport iocluster.Transport) {
	if err := f.run(transport); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func (f *Flags) run(transport iocluster.Transport) error {
	timeout := time.Duration(f.timeout * float64(time.Second))
	connecting, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	client, err := iocluster.Connect(connecting, transport, iocluster.Options{Timeout: timeout})
	if err != nil {
		return err
	}
	defer client.Close()
	type result struct {
		answer *iocluster.Answer
		err    error
	}
	results := make(chan result)
	for _, url := range flag.Args() {
		go func() {
			envelope := iocluster.Envelope{Branch: iocluster.Branch{URL: url}}
			answer, err := client.Call(context.Background(), envelope)
			results <- result{answer, err}
		}()
	}
	late := 0
	var failures []string
	for range flag.NArg() {
		result := <-results
		switch {
		case errors.Is(result.err, iocluster.ErrTimeout):
			late++
		case result.err != nil:
			failures = append(failures, result.err.Error())
		default:
			fmt.Println(string(result.answer.Raw))
		}
	}
	if late > 0 {
		failures = append(failures, fmt.Sprintf("without an answer: %d", late))
	}
	if len(failures) > 0 {
		return errors.New(strings.Join(failures, "\n"))
	}
	return nil
}
