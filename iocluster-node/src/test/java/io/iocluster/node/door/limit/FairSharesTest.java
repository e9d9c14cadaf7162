package io.iocluster.node.door.limit;

import static io.iocluster.node.door.DoorFixture.code;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.node.door.DoorFixture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One app cannot use up the memory that the others need. */
class FairSharesTest {

    @Test
    void oneAppMayHaveHalfOfTheRequestBodies() {
        try (DoorFixture door = new DoorFixture("limits: {max-body: 4KiB, max-bodies: 24KiB}")) {
            String held = "{\"method\": \"POST\", \"url\": \"" + door.target.url("/held?id=a") + "\", \"body\": \""
                    + "x".repeat(3_000) + "\"}";
            List<CompletableFuture<HttpResponse<String>>> open = new ArrayList<>();
            HttpResponse<String> refused = null;
            while (refused == null) {
                CompletableFuture<HttpResponse<String>> next = door.sendAsync(
                        door.request(DoorFixture.CALLS, "IOCluster-App", "greedy", "Content-Type", "application/json")
                                .POST(BodyPublishers.ofString(held))
                                .build());
                open.add(next);
                await().until(() -> next.isDone() || door.target.requestLog().open() == open.size());
                refused = next.isDone() ? next.join() : null;
            }

            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(code(refused)).isEqualTo("door-full");
            assertThat(refused.body()).contains("the app greedy");
            assertThat(door.post(door.envelope("/ok"), "IOCluster-App", "modest")
                            .statusCode())
                    .isEqualTo(200);
            door.target.releaseHeld();
        }
    }

    @Test
    void anAppThatReadsNothingDoesNotStopTheOthers() throws IOException {
        try (DoorFixture door = new DoorFixture("limits: {max-answers: 4MiB}");
                Socket caller = new Socket()) {
            caller.setReceiveBufferSize(4_096);
            caller.connect(
                    new InetSocketAddress("127.0.0.1", door.door.address().getPort()));
            String request = "GET /v1/forward/" + door.target.url("/body?bytes=500000")
                    + " HTTP/1.1\r\nHost: 127.0.0.1\r\nIOCluster-App: greedy\r\n\r\n";
            await().until(() -> {
                caller.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                return door.post(door.envelope("/ok"), "IOCluster-App", "greedy")
                                .statusCode()
                        == 429;
            });

            HttpResponse<String> modest = door.post(door.envelope("/ok"), "IOCluster-App", "modest");

            assertThat(modest.statusCode()).as(modest.body()).isEqualTo(200);
        }
    }
}
