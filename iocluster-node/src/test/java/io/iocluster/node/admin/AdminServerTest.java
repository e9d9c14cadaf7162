package io.iocluster.node.admin;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.AdminFixture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests the admin server with clients that misbehave. */
class AdminServerTest {

    /** Less than the time after which the server ends a request, because a probe must not wait for that. */
    private static final int READ_TIMEOUT_MILLIS =
            (int) AdminServer.REQUEST_TIMEOUT.minusSeconds(5).toMillis();

    private final AdminFixture fixture = new AdminFixture("admin: {port: 0}");
    private final List<Socket> sockets = new ArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        fixture.close();
    }

    @Test
    void answersProbesWhileRequestsNeverEnd() throws IOException {
        for (int i = 0; i < 20; i++) {
            send("POST /api/pause HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n");
        }

        assertThat(statusLine("/livez")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(statusLine("/readyz")).isEqualTo("HTTP/1.1 200 OK");
        assertThat(statusLine("/metrics")).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void answersProbesWhileHeadersNeverEnd() throws IOException {
        for (int i = 0; i < 2 * AdminServer.MAX_CONNECTIONS; i++) {
            send("GET /livez HTTP/1.1\r\nHost: local");
        }

        assertThat(statusLine("/livez")).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void answersProbesWhileResponsesAreNeverRead() throws IOException {
        for (int i = 0; i < 20; i++) {
            send("GET /console/uplot.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(10));
        }

        assertThat(statusLine("/livez")).isEqualTo("HTTP/1.1 200 OK");
    }

    @Test
    void rejectsARequestThatNamesTwoHosts() throws IOException {
        assertThat(statusLine("/api/status", "Host: localhost\r\nHost: attacker.example"))
                .isEqualTo("HTTP/1.1 400 Bad Request");
    }

    @Test
    void rejectsABodyThatIsTooLarge() {
        HttpResponse<String> refused =
                fixture.call("PATCH", "/api/workers", "x".repeat(64 * 1024 + 1), "Content-Type", "application/json");

        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(AdminFixture.json(refused).get("error").asString()).isEqualTo("the body is larger than 65536 bytes");
    }

    @Test
    void answersHeadWithoutABody() {
        HttpResponse<String> head = fixture.call("HEAD", "/api/status", "");

        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
    }

    @Test
    void answersManyConcurrentClients() throws InterruptedException {
        ExecutorService clients = Executors.newFixedThreadPool(16);
        List<Integer> statuses = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch done = new CountDownLatch(200);
        for (int i = 0; i < 200; i++) {
            clients.execute(() -> {
                statuses.add(fixture.get("/api/status").statusCode());
                done.countDown();
            });
        }

        assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
        clients.shutdownNow();
        assertThat(statuses).containsOnly(200);
    }

    private Socket send(String request) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), fixture.uri("/").getPort());
        sockets.add(socket);
        socket.setSoTimeout(READ_TIMEOUT_MILLIS);
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        return socket;
    }

    private String statusLine(String path) throws IOException {
        return statusLine(path, "Host: localhost");
    }

    private String statusLine(String path, String hosts) throws IOException {
        Socket socket = send("GET " + path + " HTTP/1.1\r\n" + hosts + "\r\nConnection: close\r\n\r\n");
        StringBuilder line = new StringBuilder();
        for (int next = socket.getInputStream().read(); next != '\r' && next >= 0; ) {
            line.append((char) next);
            next = socket.getInputStream().read();
        }
        return line.toString();
    }
}
