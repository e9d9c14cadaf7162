package iocluster

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// Runs the test vectors that the clients of all languages share.

func read(t *testing.T, name string) []byte {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "vectors", name))
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func parse[T any](t *testing.T, text []byte) T {
	t.Helper()
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		t.Fatalf("%s: %s", text, err)
	}
	return value
}

func TestWritesValidEnvelopesUnchanged(t *testing.T) {
	for line := range strings.Lines(string(read(t, "envelopes-valid.ndjson"))) {
		decoder := json.NewDecoder(strings.NewReader(line))
		decoder.DisallowUnknownFields()
		var envelope Envelope
		if err := decoder.Decode(&envelope); err != nil {
			t.Errorf("%s: %s", line, err)
			continue
		}
		written, err := json.Marshal(envelope)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := present(parse[any](t, written)), present(parse[any](t, []byte(line))); !reflect.DeepEqual(got, want) {
			t.Errorf("wrote %v, want %v", got, want)
		}
	}
}

// present removes members that are null or empty text, which nodes read as absent.
func present(value any) any {
	if list, ok := value.([]any); ok {
		for i := range list {
			list[i] = present(list[i])
		}
	}
	if object, ok := value.(map[string]any); ok {
		for name, member := range object {
			if member == nil || member == "" {
				delete(object, name)
			} else {
				object[name] = present(member)
			}
		}
	}
	return value
}

func TestReadsAnswers(t *testing.T) {
	type vector struct {
		Name    string
		Text    *string
		Answer  json.RawMessage
		Invalid bool
		Expect  map[string]json.RawMessage
	}
	for _, each := range parse[[]vector](t, read(t, "answers.json")) {
		t.Run(each.Name, func(t *testing.T) {
			payload := []byte(each.Answer)
			if each.Text != nil {
				payload = []byte(*each.Text)
			}
			answer, err := DecodeAnswer(payload)
			if each.Invalid != (err != nil) {
				t.Fatalf("error: %v", err)
			}
			if err == nil {
				check(t, answer, each.Expect)
			}
		})
	}
}

func TestACallMayHaveTheLongestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		transport := &fakeTransport{publishes: map[string]chan error{}}
		client, err := Connect(t.Context(), transport, Options{})
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			synctest.Wait()
			transport.receive([]byte(`{"id": "a", "outcome": "answered"}`))
		}()
		if _, err := client.Call(t.Context(), Envelope{ID: "a", DeadlineMs: 1<<63 - 1}); err != nil {
			t.Error(err)
		}
	})
}

func TestRefusesBytesThatAreNotUTF8(t *testing.T) {
	if _, err := DecodeAnswer([]byte("{\"id\": \"\xff\", \"outcome\": \"answered\"}")); err == nil {
		t.Error("read")
	}
}

func check(t *testing.T, answer *Answer, expected map[string]json.RawMessage) {
	t.Helper()
	written, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	fields := parse[map[string]any](t, written)
	fields["body"] = string(answer.Body())
	fields["bodyBase64"] = base64.StdEncoding.EncodeToString(answer.Body())
	headers := map[string]any{}
	for name, values := range answer.Headers {
		headers[name] = parse[any](t, must(json.Marshal([]string(values))))
	}
	fields["headers"] = headers
	for name, value := range expected {
		if name == "results" {
			results := parse[[]map[string]json.RawMessage](t, value)
			if len(results) != len(answer.Results) {
				t.Fatalf("%d results, want %d", len(answer.Results), len(results))
			}
			for i := range results {
				check(t, &answer.Results[i], results[i])
			}
			continue
		}
		got, want := fields[name], parse[any](t, value)
		if got == "" { // Go has no text that is absent
			got = nil
		}
		if want == "" {
			want = nil
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
}

func must(bytes []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return bytes
}

func TestMatchesAnswersToCalls(t *testing.T) {
	type vector struct {
		Name           string
		MaxOutstanding int
		Steps          []step
	}
	for _, each := range parse[[]vector](t, read(t, "matching.json")) {
		t.Run(each.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				transport := &fakeTransport{publishes: map[string]chan error{}}
				client, err := Connect(t.Context(), transport, Options{MaxOutstanding: each.MaxOutstanding})
				if err != nil {
					t.Fatal(err)
				}
				defer client.Close()
				scenario := scenario{t, client, transport, map[string]*result{}}
				for _, step := range each.Steps {
					scenario.run(step)
					synctest.Wait()
				}
			})
		})
	}
}

type step struct {
	Call, Enqueue, Confirm, Refuse, Expect string
	Receive                                json.RawMessage
	ReceiveText                            *string
	AdvanceMs                              int
	Close, Pending, Enqueued               bool
	Outstanding                            *int
	TimeoutMs                              int64
	Failure, Stage, Outcome                string
	Sent                                   Sent
	Status                                 int
}

type result struct {
	done   bool
	id     string
	answer *Answer
	err    error
}

type scenario struct {
	t         *testing.T
	client    *QueueClient
	transport *fakeTransport
	calls     map[string]*result
}

func (s *scenario) run(step step) {
	switch {
	case step.Call != "":
		s.start(step.Call, step, func(r *result, e Envelope) { r.answer, r.err = s.client.Call(context.Background(), e) })
	case step.Enqueue != "":
		s.start(step.Enqueue, step, func(r *result, e Envelope) { r.id, r.err = s.client.Enqueue(context.Background(), e) })
	case step.Confirm != "":
		s.transport.publishes[step.Confirm] <- nil
	case step.Refuse != "":
		failure := errors.New("for people")
		if step.Sent == No {
			failure = errors.Join(ErrRefused, failure)
		}
		s.transport.publishes[step.Refuse] <- failure
	case step.Receive != nil:
		s.transport.receive(step.Receive)
	case step.ReceiveText != nil:
		s.transport.receive([]byte(*step.ReceiveText))
	case step.AdvanceMs != 0:
		time.Sleep(time.Duration(step.AdvanceMs) * time.Millisecond) // of the test's own clock
	case step.Close:
		s.client.Close()
	case step.Outstanding != nil:
		if s.client.Outstanding() != *step.Outstanding {
			s.t.Errorf("%d calls are outstanding, want %d", s.client.Outstanding(), *step.Outstanding)
		}
	case step.Expect != "":
		s.expect(s.calls[step.Expect], step.Expect, step)
	default:
		s.t.Fatalf("unknown step: %+v", step)
	}
}

func (s *scenario) start(id string, step step, call func(*result, Envelope)) {
	envelope := Envelope{ID: id, DeadlineMs: step.TimeoutMs}
	if step.TimeoutMs == 0 {
		envelope.DeadlineMs = 60_000
	}
	started := &result{}
	go func() {
		call(started, envelope)
		started.done = true
	}()
	synctest.Wait()
	if step.Failure != "" {
		s.expect(started, id, step)
	} else {
		s.calls[id] = started
	}
}

var reasons = map[string]error{
	"client-closed":     ErrClosed,
	"client-full":       ErrClientFull,
	"id-in-use":         ErrIDInUse,
	"not-enqueued":      ErrNotEnqueued,
	"timeout":           ErrTimeout,
	"unreadable-answer": ErrUnreadableAnswer,
}

func (s *scenario) expect(call *result, id string, step step) {
	switch {
	case call.done == step.Pending:
		s.t.Errorf("%s: done is %v", id, call.done)
	case step.Pending:
	case step.Failure != "":
		var failure *Error
		if !errors.As(call.err, &failure) || !errors.Is(failure, reasons[step.Failure]) {
			s.t.Fatalf("%s: %v, want %s", id, call.err, step.Failure)
		}
		if failure.ID != id || failure.Sent != step.Sent || string(failure.Stage) != step.Stage {
			s.t.Errorf("%+v, want %+v", failure, step)
		}
	case call.err != nil:
		s.t.Errorf("%s: %s", id, call.err)
	case step.Enqueued:
		if call.id != id {
			s.t.Errorf("enqueued %s, want %s", call.id, id)
		}
	case step.Status != 0 && call.answer.Status != step.Status, step.Outcome != "" && call.answer.Outcome != step.Outcome:
		s.t.Errorf("%+v, want %+v", call.answer, step)
	}
}

// fakeTransport is a broker whose confirmations and answers the test sends.
type fakeTransport struct {
	receive   func([]byte)
	publishes map[string]chan error
}

func (f *fakeTransport) ReplyTo() string { return "" }

func (f *fakeTransport) Open(_ context.Context, receive func([]byte)) error {
	f.receive = receive
	return nil
}

func (f *fakeTransport) Publish(ctx context.Context, request Request) error {
	var envelope struct{ ID string }
	if err := json.NewDecoder(bytes.NewReader(request.Envelope)).Decode(&envelope); err != nil {
		return err
	}
	published := make(chan error, 1)
	f.publishes[envelope.ID] = published
	select {
	case err := <-published:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (f *fakeTransport) Close() error { return nil }
