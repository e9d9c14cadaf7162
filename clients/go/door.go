package iocluster

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Door makes calls through a door. The zero value uses http://127.0.0.1:8081.
type Door struct {
	URL     string
	Token   string
	Timeout time.Duration // limit of a call without its own; default 30 s
	HTTP    *http.Client  // default http.DefaultClient
}

// Call makes a call and returns its answer, whatever its outcome.
func (d *Door) Call(ctx context.Context, envelope Envelope, options ...CallOption) (*Answer, error) {
	ctx, cancel := withDeadline(ctx, &envelope, timeoutOr(d.Timeout))
	defer cancel()
	answer, err := d.exchange(ctx, envelope.ID, "POST", "/v1/calls", envelope, "", options)
	if err == nil && answer == nil {
		err = &Error{ID: envelope.ID, Sent: Maybe, reason: ErrUnreadableAnswer}
	}
	return answer, err
}

// Start starts an asynchronous call and returns its id. The door keeps the answer for a while; see Fetch.
func (d *Door) Start(ctx context.Context, envelope Envelope, options ...CallOption) (string, error) {
	if envelope.ID == "" {
		envelope.ID = rand.Text()
	}
	_, err := d.exchange(ctx, envelope.ID, "POST", "/v1/calls", envelope, "respond-async", options)
	return envelope.ID, err
}

// Fetch returns the answer to an asynchronous call, or nil while it is open. It waits for the answer up to wait.
func (d *Door) Fetch(ctx context.Context, id string, wait time.Duration) (*Answer, error) {
	prefer := fmt.Sprintf("wait=%d", int(wait.Seconds()))
	return d.exchange(ctx, id, "GET", "/v1/calls/"+url.PathEscape(id), nil, prefer, nil)
}

// Batch makes many calls. It yields the index of each envelope with its answer or error, as soon as its call ends. The index is -1 if the
// whole batch fails.
func (d *Door) Batch(ctx context.Context, envelopes []Envelope) iter.Seq2[int, BatchResult] {
	return func(yield func(int, BatchResult) bool) {
		var lines bytes.Buffer
		for _, envelope := range envelopes {
			if err := json.NewEncoder(&lines).Encode(envelope); err != nil {
				yield(-1, BatchResult{Err: err})
				return
			}
		}
		response, err := d.send(ctx, "", "POST", "/v1/calls:batch", "application/x-ndjson", &lines, nil)
		if err != nil {
			yield(-1, BatchResult{Err: err})
			return
		}
		defer response.Body.Close()
		reader := bufio.NewReader(response.Body)
		for {
			line, err := reader.ReadBytes('\n')
			if errors.Is(err, io.EOF) {
				return
			}
			index, result := -1, BatchResult{Err: err}
			if err == nil {
				index, result = batchResult(line)
			}
			if !yield(index, result) || err != nil {
				return
			}
		}
	}
}

// BatchResult is the answer to a call of a batch, or the error why there is none.
type BatchResult struct {
	Answer *Answer
	Err    error
}

func batchResult(line []byte) (int, BatchResult) {
	var head struct {
		Line    int        `json:"line"`
		ID      string     `json:"id"`
		Problem *DoorError `json:"problem"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return -1, BatchResult{Err: err}
	}
	if head.Problem != nil {
		head.Problem.ID = head.ID
		return head.Line - 1, BatchResult{Err: head.Problem}
	}
	answer, err := DecodeAnswer(line)
	return head.Line - 1, BatchResult{answer, err}
}

// exchange returns the answer in a response, or nil if the call is open.
func (d *Door) exchange(
	ctx context.Context, id, method, path string, envelope any, prefer string, options []CallOption,
) (*Answer, error) {
	var body io.Reader
	if envelope != nil {
		payload, err := json.Marshal(envelope)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(payload)
	}
	request := Request{Headers: map[string]string{}}
	for _, option := range options {
		option(&request)
	}
	if prefer != "" {
		request.Headers["Prefer"] = prefer
	}
	response, err := d.send(ctx, id, method, path, "application/json", body, request.Headers)
	if err == nil {
		defer response.Body.Close()
		var payload []byte
		payload, err = io.ReadAll(response.Body)
		if err == nil && response.StatusCode == http.StatusAccepted {
			return nil, nil
		}
		if err == nil {
			answer, unreadable := DecodeAnswer(payload)
			if unreadable != nil {
				return nil, &Error{ID: id, Sent: Maybe, reason: ErrUnreadableAnswer, cause: unreadable}
			}
			return answer, nil
		}
	}
	if ctx.Err() != nil {
		return nil, &Error{ID: id, Sent: Maybe, Stage: Unconfirmed, reason: ErrTimeout, cause: ctx.Err()}
	}
	return nil, err
}

// send returns a response with a status below 300.
func (d *Door) send(
	ctx context.Context, id, method, path, contentType string, body io.Reader, headers map[string]string,
) (*http.Response, error) {
	base := d.URL
	if base == "" {
		base = "http://127.0.0.1:8081"
	}
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimRight(base, "/")+path, body)
	if err != nil {
		return nil, err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	request.Header.Set("Content-Type", contentType)
	if d.Token != "" {
		request.Header.Set("Authorization", "Bearer "+d.Token)
	}
	client := d.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	if err != nil || response.StatusCode < 300 {
		return response, err
	}
	defer response.Body.Close()
	problem := &DoorError{Code: "protocol-error", Detail: "the response is not one of a door"}
	_ = json.NewDecoder(response.Body).Decode(problem)
	problem.ID, problem.Status = id, response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		problem.RetryAfter = time.Duration(seconds) * time.Second
	}
	return nil, problem
}

// Close does nothing, because a Door keeps no connection.
func (d *Door) Close() error { return nil }

var _ Client = (*Door)(nil)
var _ Client = (*QueueClient)(nil)
