// Makes HTTP calls through a door in four ways. Needs only the standard library.
//
//	go run . http://127.0.0.1:8000/
//
// Prints the answers of the door as JSON, and the response to an ordinary request as it is. Exits with 0 if each call has an answer.
package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// An Envelope describes a call. You can add any field of docs/envelope.md: method, headers, body, retry, context…
type Envelope struct {
	ID         string `json:"id,omitempty"`
	URL        string `json:"url"`
	DeadlineMs int    `json:"deadlineMs,omitempty"`
}

// A Door makes calls. Many goroutines can share it.
type Door struct {
	address string
	token   string
	client  *http.Client
}

// Call makes one call and returns its answer.
func (d *Door) Call(envelope Envelope) ([]byte, error) {
	response, err := d.post("/v1/calls", "application/json", "", envelope)
	if err != nil {
		return nil, err
	}
	return read(response)
}

// CallAsync starts a call and returns its answer as soon as the event stream of the app has it.
// A service reads one stream for all of its calls.
func (d *Door) CallAsync(envelope Envelope) ([]byte, error) {
	// The stream sends the calls that end from now on, so it is opened before the call.
	stream, err := d.get("/v1/answers", "")
	if err != nil {
		return nil, err
	}
	defer stream.Body.Close()
	accepted, err := d.post("/v1/calls", "application/json", "respond-async", envelope)
	if err != nil {
		return nil, err
	}
	if _, err := read(accepted); err != nil {
		return nil, err
	}
	if answer := find(stream.Body, envelope.ID); answer != nil {
		return answer, nil
	}
	// The stream ended, or the door has left out an answer. It keeps each answer for a while.
	response, err := d.get("/v1/calls/"+url.PathEscape(envelope.ID), "wait=30")
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusAccepted {
		response.Body.Close()
		return nil, fmt.Errorf("%s: no answer yet", envelope.ID)
	}
	return read(response)
}

// Returns the data of the event about this call: its answer, or a problem if it has none. Returns nil if the stream ends before.
func find(stream io.Reader, id string) []byte {
	lines := bufio.NewReader(stream)
	name := ""
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return nil
		}
		line = strings.TrimSuffix(line, "\n")
		if event, found := strings.CutPrefix(line, "event: "); found {
			name = event
		}
		if name == "lost" {
			return nil
		}
		if data, found := strings.CutPrefix(line, "data: "); found {
			var call struct{ ID string }
			if json.Unmarshal([]byte(data), &call) == nil && call.ID == id {
				return []byte(data)
			}
		}
	}
}

// Batch makes many calls and passes each answer on as soon as its call ends. The order differs.
func (d *Door) Batch(envelopes []Envelope, answered func(line []byte)) error {
	// The door reads further envelopes as calls end, so they are written while the answers are read.
	body, lines := io.Pipe()
	go func() {
		encoder := json.NewEncoder(lines)
		for _, envelope := range envelopes {
			if err := encoder.Encode(envelope); err != nil {
				return
			}
		}
		lines.Close()
	}()
	defer body.Close()
	request, err := http.NewRequest(http.MethodPost, d.address+"/v1/calls:batch", body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/x-ndjson")
	response, err := d.send(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answers := bufio.NewReader(response.Body)
	for {
		line, err := answers.ReadBytes('\n')
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		answered(bytes.TrimSuffix(line, []byte("\n")))
	}
}

// Forward makes the call of an ordinary request and returns the response of its target. Its Authorization is for the target.
func (d *Door) Forward(request *http.Request) (*http.Response, error) {
	forwarded, err := http.NewRequestWithContext(
		request.Context(), request.Method, d.address+"/v1/forward/"+request.URL.String(), request.Body)
	if err != nil {
		return nil, err
	}
	forwarded.Header = request.Header.Clone()
	if d.token != "" {
		forwarded.Header.Set("IOCluster-Token", d.token)
	}
	response, err := d.client.Do(forwarded)
	// A response of the target has no code of the door, whatever its status.
	if err == nil && response.Header.Get("IOCluster-Code") != "" {
		return nil, problem(response)
	}
	return response, err
}

func (d *Door) get(path, prefer string) (*http.Response, error) {
	request, err := http.NewRequest(http.MethodGet, d.address+path, nil)
	if err != nil {
		return nil, err
	}
	if prefer != "" {
		request.Header.Set("Prefer", prefer)
	}
	return d.send(request)
}

func (d *Door) post(path, contentType, prefer string, envelope Envelope) (*http.Response, error) {
	body, err := json.Marshal(envelope)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, d.address+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", contentType)
	if prefer != "" {
		request.Header.Set("Prefer", prefer)
	}
	return d.send(request)
}

func (d *Door) send(request *http.Request) (*http.Response, error) {
	if d.token != "" {
		request.Header.Set("Authorization", "Bearer "+d.token)
	}
	response, err := d.client.Do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= 300 {
		return nil, problem(response)
	}
	return response, nil
}

// Returns the error of a response with application/problem+json. Its code is stable, and its detail is for people.
func problem(response *http.Response) error {
	defer response.Body.Close()
	var problem struct{ Code, Detail string }
	if err := json.NewDecoder(response.Body).Decode(&problem); err != nil {
		return errors.New(response.Status)
	}
	retry := ""
	if seconds := response.Header.Get("Retry-After"); seconds != "" {
		retry = "; retry after " + seconds + " s"
	}
	return fmt.Errorf("%s: %s%s", problem.Code, problem.Detail, retry)
}

func read(response *http.Response) ([]byte, error) {
	defer response.Body.Close()
	return io.ReadAll(response.Body)
}

func run(door *Door, target string) error {
	fmt.Println("one call, which returns the answer envelope:")
	answer, err := door.Call(Envelope{URL: target, DeadlineMs: 10_000})
	if err != nil {
		return err
	}
	unanswered := 0
	show := func(answer []byte) {
		fmt.Printf("%s\n", answer)
		var parsed struct{ Outcome string }
		if json.Unmarshal(answer, &parsed) != nil || parsed.Outcome != "answered" {
			unanswered++
		}
	}
	show(answer)

	fmt.Println("an asynchronous call, whose answer arrives on the event stream:")
	answer, err = door.CallAsync(Envelope{ID: rand.Text(), URL: target, DeadlineMs: 10_000})
	if err != nil {
		return err
	}
	show(answer)

	fmt.Println("a batch, one envelope on each line:")
	if err := door.Batch([]Envelope{{ID: "a", URL: target}, {ID: "b", URL: target}}, show); err != nil {
		return err
	}

	fmt.Println("an ordinary request, which returns the response of the target:")
	request, err := http.NewRequest(http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	response, err := door.Forward(request)
	if err != nil {
		return err
	}
	body, err := read(response)
	fmt.Printf("%s\n", body)
	if err == nil && unanswered > 0 {
		err = fmt.Errorf("without an answer of the target: %d", unanswered)
	}
	return err
}

func main() {
	address := flag.String("door", "http://127.0.0.1:8081", "address of the door")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: door [options] URL")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	client := &http.Client{
		Timeout: time.Minute,
		// Only the target redirects. Its response goes to the caller, who calls the new address through the door too.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	door := &Door{*address, os.Getenv("DOOR_TOKEN"), client}
	if err := run(door, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
