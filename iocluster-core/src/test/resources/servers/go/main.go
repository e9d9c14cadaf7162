// Command server echoes requests: server PORT h1|h1s|h2 TLS-VERSION FOLDER FAULT. It logs each URL before its answer.
package main

import (
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

var fault = os.Args[5]

// requestsOf counts the requests of a connection.
type requestsOf struct{}

func answer(w http.ResponseWriter, r *http.Request) {
	os.Stdout.WriteString(r.URL.String() + "\n")
	requests := r.Context().Value(requestsOf{}).(*atomic.Int32).Add(1)
	if fault == "keepalive-limit" && (r.ProtoMajor == 1 && requests >= 10 || requests == 100) {
		w.Header().Set("Connection", "close") // HTTP/2: GOAWAY
	}
	if r.URL.Path == "/deny" {
		http.Error(w, "denied", http.StatusUnauthorized)
		return
	}
	body := io.Reader(r.Body)
	if fault == "body-limit" {
		body = http.MaxBytesReader(w, r.Body, 100_000)
	}
	hash := sha256.New()
	length := int64(0)
	for {
		n, err := io.CopyN(hash, body, 16_384)
		length += n
		if err == io.EOF {
			break
		}
		if err != nil {
			http.Error(w, "too large", http.StatusRequestEntityTooLarge)
			return
		}
		if r.URL.Path == "/slow" {
			time.Sleep(5 * time.Millisecond)
		}
	}
	size, _ := strconv.Atoi(r.URL.Query().Get("size"))
	text := fmt.Sprintf("id=%s length=%d sha256=%x\n%s\nend\n", r.URL.Query().Get("id"), length, hash.Sum(nil), strings.Repeat("x", size))
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	io.WriteString(w, text)
}

func main() {
	mode, version, folder := os.Args[2], os.Args[3], os.Args[4]
	server := &http.Server{
		Addr:    "127.0.0.1:" + os.Args[1],
		Handler: http.HandlerFunc(answer),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, requestsOf{}, new(atomic.Int32))
		},
	}
	if fault == "short-idle" {
		server.IdleTimeout = time.Second
	}
	if fault == "few-streams" {
		server.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: 4}
	}
	stopped := make(chan struct{})
	go func() {
		signals := make(chan os.Signal, 1)
		signal.Notify(signals, syscall.SIGTERM)
		<-signals
		server.Shutdown(context.Background())
		close(stopped)
	}()
	var err error
	if mode == "h1" {
		err = server.ListenAndServe()
	} else {
		versions := map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}
		server.TLSConfig = &tls.Config{MinVersion: versions[version], MaxVersion: versions[version]}
		server.Protocols = new(http.Protocols)
		server.Protocols.SetHTTP1(mode == "h1s")
		server.Protocols.SetHTTP2(mode == "h2")
		err = server.ListenAndServeTLS(folder+"/target.pem", folder+"/target.key")
	}
	if err != http.ErrServerClosed {
		fmt.Println(err)
		os.Exit(1)
	}
	<-stopped
}
