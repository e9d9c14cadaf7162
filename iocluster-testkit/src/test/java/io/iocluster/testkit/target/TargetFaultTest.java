package io.iocluster.testkit.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.iocluster.testkit.target.TargetFault.Kind;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class TargetFaultTest {

    @AutoClose
    private final TargetServer server = TargetServer.start(0, 1, false);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @Test
    void aConnectionOfTheFastPathSeesAFaultThatBeginsLaterAndItsEnd() throws Exception {
        assertThat(get("/ok").statusCode()).isEqualTo(200);

        server.setFault(new TargetFault(Kind.STATUS, 0, 503, 100));
        assertThat(get("/ok").statusCode()).isEqualTo(503);

        server.clearFault();
        assertThat(get("/ok").body()).isEqualTo("ok");
    }

    @Test
    void latencyAndASlowBodyKeepTheResponse() throws Exception {
        server.setFault(new TargetFault(Kind.LATENCY, 60, 503, 100));
        long start = System.nanoTime();
        assertThat(get("/status?code=404").statusCode()).isEqualTo(404);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(59));

        server.setFault(new TargetFault(Kind.SLOW_BODY, 60, 503, 100));
        start = System.nanoTime();
        assertThat(get("/ok").body()).hasSize(10);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(50));
    }

    @Test
    void aHangAndAResetGiveNoResponse() {
        server.setFault(new TargetFault(Kind.HANG, 0, 503, 100));
        assertThatThrownBy(() -> get("/ok", Duration.ofSeconds(1))).isInstanceOf(HttpTimeoutException.class);

        server.setFault(new TargetFault(Kind.RESET, 0, 503, 100));
        assertThatThrownBy(() -> get("/ok")).isInstanceOf(IOException.class);
    }

    @Test
    void aPartOfTheRequestsIsAffected() {
        server.setFault(new TargetFault(Kind.STATUS, 0, 500, 30));

        long failed = IntStream.range(0, 300)
                .filter(i -> statusOf("/ok?i=" + i) == 500)
                .count();

        assertThat(failed).isBetween(45L, 145L);
    }

    @Test
    void aFaultIsSetAndClearedByRequestsThatAreNotCounted() throws Exception {
        assertThat(get(new TargetFault(Kind.STATUS, 0, 429, 100).path()).statusCode())
                .isEqualTo(200);
        assertThat(get("/ok").statusCode()).isEqualTo(429);
        assertThat(get("/ledger/totals").statusCode()).isEqualTo(200);
        assertThat(get("/fault/clear").statusCode()).isEqualTo(200);
        assertThat(get("/ok").statusCode()).isEqualTo(200);

        assertThat(server.requestLog().requests()).isEqualTo(2);
    }

    @Test
    void theLatestOfSeveralFaultsAppliesUntilItIsCleared() throws Exception {
        get(new TargetFault(Kind.STATUS, 0, 429, 100).path() + "&name=first");
        get(new TargetFault(Kind.STATUS, 0, 500, 100).path() + "&name=second");
        assertThat(get("/ok").statusCode()).isEqualTo(500);

        get("/fault/clear?name=second");
        assertThat(get("/ok").statusCode()).isEqualTo(429);

        get(new TargetFault(Kind.STATUS, 0, 500, 100).path() + "&name=second");
        get("/fault/clear?name=first");
        assertThat(get("/ok").statusCode()).isEqualTo(500);

        get("/fault/clear");
        assertThat(get("/ok").statusCode()).isEqualTo(200);
    }

    @Test
    void aFaultEndsByItselfAfterItsTime() throws Exception {
        get(new TargetFault(Kind.STATUS, 0, 429, 100).path() + "&name=first&for-ms=3600000");
        get(new TargetFault(Kind.STATUS, 0, 500, 100).path() + "&name=second&for-ms=1");

        await().until(() -> statusOf("/ok") == 429);

        get(new TargetFault(Kind.STATUS, 0, 429, 100).path() + "&name=first&for-ms=1");
        await().until(() -> statusOf("/ok") == 200);
    }

    @Test
    void anImpossibleFaultIsRefusedWithTheReason() throws Exception {
        assertThat(get("/fault?kind=status&for-ms=-1").body()).isEqualTo("for-ms must not be negative: -1");
        HttpResponse<String> refused = get("/fault?kind=status&percent=101");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(refused.body()).isEqualTo("percent must be from 1 to 100: 101");
        assertThat(get("/fault?kind=earthquake").body())
                .isEqualTo("kind must be latency, status, hang, reset or slow-body: earthquake");
    }

    private int statusOf(String path) {
        try {
            return get(path).statusCode();
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    private HttpResponse<String> get(String path) throws Exception {
        return get(path, Duration.ofMinutes(1));
    }

    private HttpResponse<String> get(String path, Duration timeout) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create(server.url(path)))
                        .timeout(timeout)
                        .build(),
                BodyHandlers.ofString());
    }
}
