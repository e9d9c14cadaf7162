package io.iocluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.SentStatus;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelayedRetryTest {

    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");
    private static final DelayedRetry STATE =
            new DelayedRetry("requests/0/7", 2, SentStatus.MAYBE, NOW, NOW.plusSeconds(60), NOW.plusSeconds(30));

    @Test
    void roundTripsThroughHeaders() {
        DelayedRetry untimed = new DelayedRetry("requests/0/7", 0, SentStatus.NO, null, NOW, NOW);

        assertThat(DelayedRetry.fromHeaders(delivery(headers(STATE)))).isEqualTo(STATE);
        assertThat(DelayedRetry.fromHeaders(delivery(headers(untimed)))).isEqualTo(untimed);
        assertThat(headers(STATE)).containsOnlyKeys(DelayedRetry.HEADER_NAMES);
    }

    @Test
    void isNullIfAHeaderIsMissing() {
        for (String name : DelayedRetry.HEADER_NAMES) {
            Map<String, String> headers = headers(STATE);
            headers.remove(name);

            assertThat(DelayedRetry.fromHeaders(delivery(headers))).as(name).isNull();
        }
    }

    @Test
    void isNullIfTheMessageDoesNotComeFromADelayQueue() {
        assertThat(DelayedRetry.fromHeaders(new Message(headers(STATE), false))).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "iocluster-attempts, many",
        "iocluster-deadline, tomorrow",
        "iocluster-deadline, +999999999-01-01T00:00:00Z",
        "iocluster-due-at, -0001-01-01T00:00:00Z",
        "iocluster-queued-at, 5"
    })
    void isNullIfAHeaderIsMalformed(String name, String value) {
        Map<String, String> headers = headers(STATE);
        headers.put(name, value);

        assertThat(DelayedRetry.fromHeaders(delivery(headers))).isNull();
    }

    @ParameterizedTest
    @CsvSource({"-5, 0", "2000000000, 1000"})
    void clampsAttemptsToTheirRange(String written, int clamped) {
        Map<String, String> headers = headers(STATE);
        headers.put("iocluster-attempts", written);

        assertThat(DelayedRetry.fromHeaders(delivery(headers)).attempts()).isEqualTo(clamped);
    }

    private static Map<String, String> headers(DelayedRetry state) {
        Map<String, String> headers = new HashMap<>();
        state.toHeaders().forEach((name, value) -> headers.put(name, new String(value, StandardCharsets.UTF_8)));
        return headers;
    }

    private static Delivery delivery(Map<String, String> headers) {
        return new Message(headers, true);
    }

    private record Message(Map<String, String> headers, boolean isDelayedRetry) implements SyntheticDelivery {

        @Override
        public byte[] payload() {
            return new byte[0];
        }

        @Override
        public String header(String name) {
            return headers.get(name);
        }

        @Override
        public String coordinates() {
            return "requests-0@7";
        }

        @Override
        public Settlement settlement() {
            throw new UnsupportedOperationException();
        }
    }
}
