package io.iocluster.pipeline.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import io.iocluster.pipeline.ControlledPipeline;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.transport.IgnoredInput;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that parts of a message that its caller does not control never end its call. Messages are offered by the thread of the test. */
class IgnoredInputsTest extends ControlledPipeline {

    private static final String GET = "{\"url\":\"http://a.example/\",\"deadlineMs\":1000}";
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final List<IgnoredInput> ignored = new ArrayList<>();

    @BeforeEach
    void start() {
        pipeline = TestPipelines.of(
                transport,
                http,
                clock,
                new PipelineEvents() {
                    @Override
                    public void inputIgnored(IgnoredInput input) {
                        ignored.add(input);
                    }
                },
                WorkerSettings.DEFAULTS,
                DestinationPolicy.DEFAULTS);
        pipeline.start();
    }

    static Stream<String> invalidTraceparents() {
        return Stream.of(
                "\uFFFD\u0001\u0000binary",
                PARENT + "\n",
                "00-0af7651916cd43dd8448eb211c80319c-\r\nX-Evil: 1",
                "",
                "00-1-2-01",
                "x".repeat(100_000));
    }

    @ParameterizedTest
    @MethodSource("invalidTraceparents")
    void makesACallWithAnInvalidTraceparentWithoutIt(String traceparent) throws Exception {
        assertThat(made(GET, Map.of("traceparent", traceparent, "tracestate", "a=1"))
                        .headers())
                .isEmpty();
        assertThat(ignored).containsExactly(IgnoredInput.TRACEPARENT);
    }

    static Stream<String> invalidTracestates() {
        return Stream.of(
                "a=" + "b".repeat(9_000),
                IntStream.range(0, 40)
                        .mapToObj(i -> "v" + i + "=" + "x".repeat(200))
                        .collect(Collectors.joining(",")),
                "a=1\r\nX-Evil: 1",
                "\uFFFD=1",
                "");
    }

    @ParameterizedTest
    @MethodSource("invalidTracestates")
    void makesACallWithAnInvalidTracestateWithItsTraceparent(String tracestate) throws Exception {
        assertThat(made(GET, Map.of("traceparent", PARENT, "tracestate", tracestate))
                        .headers())
                .containsExactly(new Header("traceparent", PARENT));
        assertThat(ignored).containsExactly(IgnoredInput.TRACESTATE);
    }

    @Test
    void aTraceContextDoesNotCountTowardsTheLimitsOfHeaders() throws Exception {
        String headers = IntStream.range(0, 64)
                .mapToObj(i -> "\"H" + i + "\":\"" + i + "\"")
                .collect(Collectors.joining(","));

        HttpRequest request = made(
                "{\"url\":\"http://a.example/\",\"headers\":{" + headers + "}}",
                Map.of("traceparent", PARENT, "tracestate", "a=1"));

        assertThat(request.headers())
                .hasSize(66)
                .contains(new Header("traceparent", PARENT), new Header("tracestate", "a=1"));
        assertThat(ignored).isEmpty();
    }

    /** Times at which no message can have been sent: zero, a clock in seconds, in microseconds, in nanoseconds, none at all. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1_750_000_000L, 1_750_000_000_000_000L, 1_750_000_000_000_000_000L, Long.MAX_VALUE})
    void makesACallWithATimestampThatNoClockShowed(long timestamp) throws Exception {
        assertThat(transport.offer(new FakeDelivery(GET, timestamp, Map.of()))).isTrue();

        assertThat(http.next().timeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(ignored).containsExactly(IgnoredInput.TIMESTAMP);
    }

    @ParameterizedTest
    @CsvSource({"-400, 600", "0, 1000", "3000000, 1000"})
    void usesATimestampThatAClockMayHaveShown(long offsetMillis, long timeoutMillis) throws Exception {
        assertThat(transport.offer(new FakeDelivery(GET, clock.wallMillis() + offsetMillis, Map.of())))
                .isTrue();

        assertThat(http.next().timeout()).isEqualTo(Duration.ofMillis(timeoutMillis));
        assertThat(ignored).isEmpty();
    }

    @Test
    void countsAnInvalidNameOfAnApp() throws Exception {
        made(GET, Map.of("app", "b\u0000 \uFFFD"));
        assertThat(ignored).containsExactly(IgnoredInput.APP);

        ignored.clear();
        made(GET, Map.of("app", "billing"));
        assertThat(ignored).isEmpty();
    }

    @Test
    void countsAPropertyThatTheTransportRemoved() throws Exception {
        FakeDelivery delivery = new FakeDelivery(GET) {
            @Override
            public boolean hasIgnoredProperty() {
                return true;
            }
        };
        assertThat(transport.offer(delivery)).isTrue();

        http.next();
        assertThat(ignored).containsExactly(IgnoredInput.PROPERTY);
    }

    private HttpRequest made(String envelope, Map<String, String> headers) throws Exception {
        assertThat(transport.offer(new FakeDelivery(envelope, clock.wallMillis(), headers)))
                .isTrue();
        return http.next().request();
    }
}
