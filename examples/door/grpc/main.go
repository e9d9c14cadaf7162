// Calls a method of a door over gRPC. It asks the door for the messages of its methods, so it needs no generated code.
//
//	go run . -door 127.0.0.1:8082 Call '{"url": "https://example.com/"}'
//	go run . -door 127.0.0.1:8082 StreamCalls '{"id": "a", "url": "https://example.com/"}' '{"id": "b", "url": "https://example.org/"}'
//
// Prints each response as a line of JSON. Exits with 0 if the method succeeds.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	reflection "google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
)

const service = "iocluster.v1.Calls"

// Returns the description of a method, which the door reports by server reflection.
func find(ctx context.Context, connection *grpc.ClientConn, method string) (protoreflect.MethodDescriptor, error) {
	stream, err := reflection.NewServerReflectionClient(connection).ServerReflectionInfo(ctx)
	if err != nil {
		return nil, err
	}
	defer stream.CloseSend()
	request := &reflection.ServerReflectionRequest{
		MessageRequest: &reflection.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: service}}
	if err := stream.Send(request); err != nil {
		return nil, err
	}
	response, err := stream.Recv()
	if err != nil {
		return nil, err
	}
	files := &descriptorpb.FileDescriptorSet{}
	for _, encoded := range response.GetFileDescriptorResponse().GetFileDescriptorProto() {
		file := &descriptorpb.FileDescriptorProto{}
		if err := proto.Unmarshal(encoded, file); err != nil {
			return nil, err
		}
		files.File = append(files.File, file)
	}
	registry, err := protodesc.NewFiles(files)
	if err != nil {
		return nil, err
	}
	found, err := registry.FindDescriptorByName(service)
	if err != nil {
		return nil, err
	}
	description := found.(protoreflect.ServiceDescriptor).Methods().ByName(protoreflect.Name(method))
	if description == nil {
		return nil, fmt.Errorf("%s has no method %s", service, method)
	}
	return description, nil
}

// Sends the requests, which are JSON, and passes each response on as JSON.
func call(ctx context.Context, connection *grpc.ClientConn, method string, requests []string, received func(string)) error {
	description, err := find(ctx, connection, method)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := connection.NewStream(
		ctx,
		&grpc.StreamDesc{ClientStreams: true, ServerStreams: true},
		"/"+service+"/"+method)
	if err != nil {
		return err
	}
	// The door reads further requests as calls end, so they are sent while the responses are read.
	sent := make(chan error, 1)
	go func() {
		err := send(stream, description, requests)
		sent <- err
		if err != nil {
			cancel()
		}
	}()
	for {
		response := dynamicpb.NewMessage(description.Output())
		err := stream.RecvMsg(response)
		if errors.Is(err, io.EOF) {
			return <-sent
		}
		if err != nil {
			select {
			case notSent := <-sent:
				if notSent != nil {
					return notSent
				}
			default:
			}
			return withCode(err, stream.Trailer())
		}
		line, err := protojson.Marshal(response)
		if err != nil {
			return err
		}
		received(string(line))
	}
}

func send(stream grpc.ClientStream, description protoreflect.MethodDescriptor, requests []string) error {
	for _, each := range requests {
		request := dynamicpb.NewMessage(description.Input())
		if err := protojson.Unmarshal([]byte(each), request); err != nil {
			return err
		}
		if err := stream.SendMsg(request); err != nil && !errors.Is(err, io.EOF) {
			return err
		}
	}
	return stream.CloseSend()
}

// Adds the stable code of the door, which is in the trailing metadata.
func withCode(err error, trailer metadata.MD) error {
	problem := status.Convert(err)
	for _, code := range trailer.Get("iocluster-code") {
		return fmt.Errorf("%s: %s (%s)", code, problem.Message(), problem.Code())
	}
	return err
}

func run() error {
	address := flag.String("door", "127.0.0.1:8082", "address of the door's gRPC server")
	tls := flag.Bool("tls", false, "use TLS")
	timeout := flag.Duration("timeout", 30*time.Second, "deadline of the calls")
	flag.Parse()
	if flag.NArg() < 2 {
		return errors.New("usage: [-door HOST:PORT] [-tls] [-timeout DURATION] METHOD JSON…")
	}
	security := insecure.NewCredentials()
	if *tls {
		security = credentials.NewTLS(nil)
	}
	connection, err := grpc.NewClient(*address, grpc.WithTransportCredentials(security))
	if err != nil {
		return err
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	defer cancel()
	if token := os.Getenv("DOOR_TOKEN"); token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	return call(ctx, connection, flag.Arg(0), flag.Args()[1:], func(line string) { fmt.Println(line) })
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
