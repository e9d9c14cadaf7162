package io.iocluster.cache.shared;

import static io.iocluster.cache.shared.SharedTestData.GENERATION;
import static io.iocluster.cache.shared.SharedTestData.KEYED;
import static io.iocluster.cache.shared.SharedTestData.PLAIN;
import static io.iocluster.cache.shared.SharedTestData.request;
import static io.iocluster.cache.shared.SharedTestData.response;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.iocluster.cache.ResponseStore;
import io.iocluster.testkit.junit.CapturedLog;
import io.iocluster.testkit.time.ClockedPlatform;
import io.iocluster.testkit.time.FakeClock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests a shared cache whose store cannot be opened, or refuses writes. */
class RefusingStoreTest {

    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private final FakeStore store = new FakeStore();
    private final SharedCache cache =
            new SharedCache(store, new ClockedPlatform(new FakeClock(nanos::get, () -> 1_700_000_000_000L)));

    @AfterEach
    void close() {
        cache.close();
    }

    private void share(SharedRequest request) {
        ResponseStore memory = new ResponseStore(1 << 20, nanos::get, () -> 1_700_000_000_000L);
        cache.store(request, memory.store(request.local(), response(200, "body"), nanos.get()));
    }

    @Test
    void aStoreThatCannotBeOpenedIsReportedAndNoOtherOneIsUsed() {
        cache.applySettings(PLAIN, GENERATION);
        store.onOpen = () -> {
            throw new IllegalArgumentException("no such file: ca.pem");
        };

        cache.applySettings(KEYED, GENERATION);

        assertThat(cache.reserve(request("/a"))).isNull();
        assertThat(store.closed).hasValue(1);
        assertThat(cache.status().orElseThrow().connected()).isFalse();
        assertThat(cache.status().orElseThrow().reason()).contains("no such file: ca.pem");
        store.onOpen = () -> {};
        cache.applySettings(PLAIN, GENERATION);
        assertThat(cache.reserve(request("/a"))).isNotNull();
    }

    @Test
    void theLogAndTheStatusSayThatWritesAreRefused() {
        try (CapturedLog log = CapturedLog.of(SharedSession.class, Level.INFO)) {
            cache.applySettings(PLAIN, GENERATION);
            store.refusesWrites = true;
            share(request("/a"));
            share(request("/b"));
            assertThat(cache.status().orElseThrow().writeProblem()).isEqualTo("READONLY");
            nanos.addAndGet(Duration.ofMinutes(1).toNanos());
            share(request("/c"));
            store.refusesWrites = false;
            share(request("/d"));
            share(request("/e"));

            assertThat(cache.status().orElseThrow().writeProblem()).isNull();
            assertThat(cache.status().orElseThrow().writes().get(SharedWriteResult.ERROR))
                    .isEqualTo(3);
            assertThat(log.messages()).hasSize(4);
            assertThat(log.messages().get(0)).startsWith("Shared cache connected");
            assertThat(log.messages().get(1)).endsWith("reason=\"READONLY\" suppressed=0");
            assertThat(log.messages().get(2)).endsWith("reason=\"READONLY\" suppressed=1");
            assertThat(log.messages().get(3)).startsWith("Shared cache stores responses again");
        }
    }
}
