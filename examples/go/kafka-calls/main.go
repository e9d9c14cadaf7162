// Makes HTTP calls through IOCluster over Kafka, with the client for Go.
//
//	go run ./kafka-calls --bootstrap-servers 127.0.0.1:9092 http://127.0.0.1:8000/ http://127.0.0.1:8000/other
//
// Prints each answer as one line of JSON. Exits with 0 if every call has an answer.
package main

import (
	"flag"
	"strings"

	"iocluster.example/producer/internal/calls"
	"iocluster.io/client/kafka"
)

func main() {
	servers := flag.String("bootstrap-servers", "127.0.0.1:9092", "brokers, separated by commas")
	flags := calls.Parse("kafka-calls")
	flags.Run(&kafka.Transport{
		BootstrapServers: strings.Split(*servers, ","), Requests: flags.Requests, Answers: flags.Answers,
	})
}
