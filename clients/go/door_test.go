package iocluster

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// realDoor returns a client of a real door and the address of a server that answers each GET with 200.
func realDoor(t *testing.T) (*Door, Branch) {
	if os.Getenv("DOOR") == "" {
		t.Skip("no real door: DOOR and TARGET are not set")
	}
	return &Door{URL: os.Getenv("DOOR")}, Branch{URL: os.Getenv("TARGET")}
}

func TestDoorMakesACall(t *testing.T) {
	door, target := realDoor(t)

	answer, err := door.Call(t.Context(), Envelope{ID: "go-1", Branch: target})

	if err != nil || answer.ID != "go-1" || answer.Status != 200 {
		t.Fatal(answer, err)
	}
}

func TestDoorStartsACallAndFetchesItsAnswer(t *testing.T) {
	door, target := realDoor(t)
	id, err := door.Start(t.Context(), Envelope{ID: "go/b ä", Branch: target})
	var answer *Answer
	for answer == nil && err == nil {
		answer, err = door.Fetch(t.Context(), id, 10*time.Second)
	}

	if err != nil || answer.ID != "go/b ä" || answer.Status != 200 {
		t.Fatal(answer, err)
	}
}

func TestDoorMatchesTheResultsOfABatchByTheirLines(t *testing.T) {
	door, target := realDoor(t)
	results := map[int]BatchResult{}
	for index, result := range door.Batch(t.Context(), []Envelope{{Branch: target}, {Branch: Branch{URL: "ftp://h/"}}}) {
		results[index] = result
	}

	var problem *DoorError
	if len(results) != 2 || results[0].Answer == nil || results[0].Answer.Status != 200 {
		t.Fatal(results)
	}
	if !errors.As(results[1].Err, &problem) || problem.Code != "scheme-not-allowed" {
		t.Fatal(results[1].Err)
	}
}

func TestDoorRefusesInvalidEnvelopesWithTheirCode(t *testing.T) {
	door, _ := realDoor(t)
	for line := range strings.Lines(string(read(t, "envelopes-invalid.ndjson"))) {
		code, envelope, _ := strings.Cut(line, " ")

		_, err := door.send(t.Context(), "i", "POST", "/v1/calls", "application/json", strings.NewReader(envelope), nil)

		var problem *DoorError
		if !errors.As(err, &problem) || problem.Code != code || problem.Status != 400 || problem.Sent() != No {
			t.Errorf("%s: %v", line, err)
		}
	}
}
