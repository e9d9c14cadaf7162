// Makes HTTP calls through IOCluster over RabbitMQ, with the client for Go.
//
//	go run ./rabbit-calls --uri amqp://guest:guest@127.0.0.1:5672/ http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
package main

import (
	"flag"

	"iocluster.example/producer/internal/calls"
	"iocluster.io/client/rabbit"
)

func main() {
	uri := flag.String("uri", "amqp://guest:guest@127.0.0.1:5672/", "address of the broker")
	flags := calls.Parse("rabbit-calls")
	flags.Run(&rabbit.Transport{URI: *uri, Requests: flags.Requests, Answers: flags.Answers})
}
