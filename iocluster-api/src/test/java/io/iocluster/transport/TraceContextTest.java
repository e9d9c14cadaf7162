package io.iocluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceContextTest {

    private static final String IDS = "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331";
    private static final String PARENT = "00-" + IDS + "-01";

    @ParameterizedTest
    @ValueSource(
            strings = {PARENT, "00-" + IDS + "-00", "cc-" + IDS + "-01", "cc-" + IDS + "-01-what-later-versions-add"})
    void readsAValidTraceparent(String traceparent) {
        assertThat(read(traceparent, null)).isEqualTo(new TraceContext(traceparent, null));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ff-" + IDS + "-01",
                "00-" + IDS + "-01-more",
                "00-" + IDS + "-01 ",
                "00-" + IDS + "-01\n",
                "00-" + IDS + "-1",
                "cc-" + IDS + "-01.more",
                "cc-" + IDS + "-01-\uFFFD",
                "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                "0af7651916cd43dd8448eb211c80319c"
            })
    void ignoresAnInvalidTraceparentAndItsTracestate(String traceparent) {
        assertThat(read(traceparent, "a=1")).isNull();
    }

    @Test
    void ignoresATraceparentOfALaterVersionThatIsTooLong() {
        assertThat(read("cc-" + IDS + "-01-" + "x".repeat(10_000), null)).isNull();
    }

    static Stream<String> validTracestates() {
        return Stream.of(
                "a=1",
                "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
                "fw529a3039@dt=FfAA;x y , a/b_c-d*e=!~\t",
                "a=1,,b=2,",
                "a=" + "x".repeat(256),
                members(32));
    }

    @ParameterizedTest
    @MethodSource("validTracestates")
    void readsAValidTracestate(String tracestate) {
        assertThat(read(PARENT, tracestate)).isEqualTo(new TraceContext(PARENT, tracestate));
    }

    static Stream<String> invalidTracestates() {
        return Stream.of(
                "",
                ",",
                "a",
                "=1",
                "a=",
                "A=1",
                "a=1=2",
                "a=1\n",
                "a=\u0001",
                "a=\uFFFD",
                "a=" + "x".repeat(257),
                "a b=1",
                members(33),
                "a=" + "b".repeat(9_000),
                "a=" + "x".repeat(250) + ",b=" + "x".repeat(250) + ",c=12345");
    }

    @ParameterizedTest
    @MethodSource("invalidTracestates")
    void ignoresAnInvalidTracestate(String tracestate) {
        assertThat(read(PARENT, tracestate)).isEqualTo(new TraceContext(PARENT, null));
    }

    private static String members(int count) {
        return IntStream.range(0, count).mapToObj(i -> "v" + i + "=1").collect(Collectors.joining(","));
    }

    private static TraceContext read(String traceparent, String tracestate) {
        return TraceContext.read(
                tracestate == null
                        ? Map.of("traceparent", traceparent)::get
                        : Map.of("traceparent", traceparent, "tracestate", tracestate)::get);
    }
}
