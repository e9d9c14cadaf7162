package io.iocluster.node.door.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.node.door.DoorFixture;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests that a client over HTTP/2 gets a refusal that the door knows before the body has arrived. */
class EarlyRefusalTest {

    private static final int REQUESTS = 200;

    @AutoClose
    private final DoorFixture door = new DoorFixture("apps: [{name: shop, token: s3cr3t}]");

    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void aCallerWithoutAValidTokenGets401() throws Exception {
        assertThat(refusals("application/json", "wrong")).hasSize(REQUESTS).containsOnly(401);
    }

    @Test
    void aCallerWithAnotherContentTypeGets415() throws Exception {
        assertThat(refusals("text/plain", "s3cr3t")).hasSize(REQUESTS).containsOnly(415);
    }

    /** Sends bodies in many parts, so that the door has the headers before the end of the body, and returns the status codes. */
    private List<Integer> refusals(String type, String token) throws Exception {
        HttpResponse<String> first = client.send(door.request("/livez").build(), BodyHandlers.ofString());
        assertThat(first.version()).isEqualTo(HttpClient.Version.HTTP_2);
        BodyPublisher parts = BodyPublishers.ofByteArrays(Collections.nCopies(32, new byte[512]));
        List<CompletableFuture<HttpResponse<String>>> sent = Stream.generate(() -> client.sendAsync(
                        door.request("/v1/calls", "Content-Type", type, "Authorization", "Bearer " + token)
                                .POST(parts)
                                .build(),
                        BodyHandlers.ofString()))
                .limit(REQUESTS)
                .toList();
        return sent.stream().map(each -> each.join().statusCode()).toList();
    }
}
