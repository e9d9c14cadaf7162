package io.iocluster.node.door.limit;

import static io.iocluster.node.door.DoorFixture.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.door.DoorFixture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers that do not read their responses. The responses are larger than what the sockets take. */
class SlowCallersTest {

    private static final int ANSWERS = 40;
    private static final String BODY = "/body?bytes=500000";

    @ParameterizedTest
    @ValueSource(strings = {"read-timeout: 500ms", "max-answers: 2MiB"})
    void aCallerThatDoesNotReadItsAnswersIsDisconnected(String limit) throws IOException {
        try (DoorFixture door = new DoorFixture("limits: {" + limit + "}");
                Socket caller = connect(door)) {
            String request = "GET /v1/forward/" + door.target.url(BODY) + " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n";
            caller.getOutputStream().write(request.repeat(ANSWERS).getBytes(StandardCharsets.US_ASCII));

            await().until(() -> metric(door, "iocluster_door_slow_callers_total") >= 1);
            await().until(() -> metric(door, "iocluster_door_unread_bytes") == 0);
            assertThat(door.post(door.envelope("/ok")).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void aBatchWhoseCallerDoesNotReadIsDisconnected() throws IOException {
        try (DoorFixture door = new DoorFixture("limits: {read-timeout: 500ms}");
                Socket caller = connect(door)) {
            String lines = IntStream.range(0, ANSWERS)
                    .mapToObj(i -> door.envelope(BODY))
                    .collect(Collectors.joining("\n"));
            caller.getOutputStream()
                    .write(("POST /v1/calls:batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-ndjson\r\n"
                                    + "Content-Length: " + lines.length() + "\r\n\r\n" + lines)
                            .getBytes(StandardCharsets.US_ASCII));

            await().until(() -> metric(door, "iocluster_door_slow_callers_total") >= 1);
            await().until(() -> metric(door, "iocluster_door_unread_bytes") == 0);
            await().until(() -> metric(door, "iocluster_door_in_flight") == 0);
            await().until(() -> metric(door, "iocluster_door_body_bytes") == 0);
        }
    }

    @Test
    void aStreamWhoseReaderIsStalledIsDisconnected() throws IOException {
        try (DoorFixture door = new DoorFixture("limits: {read-timeout: 500ms}");
                Socket reader = connect(door)) {
            reader.getOutputStream()
                    .write("GET /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            await().until(() -> metric(door, "iocluster_door_streams") == 1);
            for (int i = 0; i < ANSWERS; i++) {
                door.post(door.envelope(BODY), "Prefer", "respond-async, wait=10");
            }

            await().until(() -> metric(door, "iocluster_door_streams") == 0);
            assertThat(metric(door, "iocluster_door_slow_callers_total")).isEqualTo(1);
        }
    }

    @Test
    void oneAppMayHaveHalfOfTheStreams() throws IOException {
        try (DoorFixture door = new DoorFixture("answers: {max-streams: 2}");
                Socket reader = connect(door)) {
            reader.getOutputStream()
                    .write("GET /v1/answers HTTP/1.1\r\nHost: 127.0.0.1\r\nIOCluster-App: shop\r\n\r\n"
                            .getBytes(StandardCharsets.US_ASCII));
            await().until(() -> metric(door, "iocluster_door_streams") == 1);

            HttpResponse<String> second = door.get("/v1/answers", "IOCluster-App", "shop");

            assertThat(second.statusCode()).isEqualTo(429);
            assertThat(code(second)).isEqualTo("too-many-streams");
        }
    }

    private static Socket connect(DoorFixture door) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress("127.0.0.1", door.door.address().getPort()));
        return socket;
    }

    private static double metric(DoorFixture door, String name) {
        return door.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }
}
