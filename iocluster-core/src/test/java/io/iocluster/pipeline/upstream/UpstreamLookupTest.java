package io.iocluster.pipeline.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.time.FakeClock;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UpstreamLookupTest {

    private static final Duration REFRESH = Duration.ofSeconds(10);

    private long nanos;
    private CompletableFuture<List<UpstreamAddress>> reply;

    @Test
    void logsAnOutageOfTheNameServersOnceAndItsEnd() {
        UpstreamLookup lookup = new UpstreamLookup(
                new UpstreamName.Host(new UpstreamAddress("replicas.example", 8080)),
                found -> {},
                new FakeClock(() -> nanos));

        try (CapturedLog log = CapturedLog.of(UpstreamLookup.class, Level.INFO)) {
            for (int i = 0; i < 3; i++) {
                reply = CompletableFuture.failedFuture(new UnknownHostException("replicas.example"));
                runNext(lookup);
            }
            for (int i = 0; i < 3; i++) {
                reply = CompletableFuture.completedFuture(List.of(new UpstreamAddress("10.0.0.1", 8080)));
                runNext(lookup);
            }

            assertThat(log.messages()).hasSize(2);
            assertThat(log.messages().get(0))
                    .isEqualTo("Upstream lookup failed; upstreams unchanged name=replicas.example:8080:"
                            + " replicas.example; retrying");
            assertThat(log.messages().get(1))
                    .startsWith("Recovered after=")
                    .contains("Upstream lookup failed", "name=replicas.example:8080");
        }
    }

    private void runNext(UpstreamLookup lookup) {
        nanos += TimeUnit.SECONDS.toNanos(10);
        lookup.runIfDue(new Lookups(), REFRESH);
    }

    /** Answers lookups only. */
    private final class Lookups implements ConnectionlessExecutor {

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            throw new UnsupportedOperationException();
        }

        @Override
        public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
            return reply;
        }
    }
}
