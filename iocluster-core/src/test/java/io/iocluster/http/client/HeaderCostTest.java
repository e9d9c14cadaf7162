package io.iocluster.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests the CPU time for response headers, which the target chooses. Quadratic code would take 64 times as long for 8
 * times as many headers.
 */
@Timeout(60)
class HeaderCostTest {

    private static final int FEW = 2_000;
    private static final int MANY = 8 * FEW;
    private static final int MAX_RATIO = 24;

    private final ResponseHeaderReader headerReader = new ResponseHeaderReader();
    private final AnswerEncoder encoder = new AnswerEncoder();

    @Test
    void readsResponseHeadersInLinearTime() {
        assertLinear(headers -> headerReader.read(headers));
    }

    @Test
    void encodesResponseHeadersInLinearTime() {
        assertLinear(headers -> encoder.encode(answer(headerReader.read(headers))));
    }

    /** A target could otherwise fill the memory of a worker, 64 KiB for each slot of the cache. */
    @Test
    void keepsShortNamesOnly() {
        assertThat(nameOf("x".repeat(64))).isSameAs(nameOf("x".repeat(64)));
        assertThat(nameOf("x".repeat(65))).isNotSameAs(nameOf("x".repeat(65)));
    }

    /** Returns the name that the reader gives to a header. */
    private String nameOf(String name) {
        HttpHeaders headers = DefaultHttpHeadersFactory.headersFactory().newHeaders();
        headers.add(new AsciiString(name), "v");
        return headerReader.read(headers).get(0).name();
    }

    private interface HeaderTask {
        Object run(HttpHeaders headers);
    }

    private static void assertLinear(HeaderTask task) {
        long few = cpuNanos(task, headers(FEW));
        long many = cpuNanos(task, headers(MANY));
        assertThat((double) many / few).isLessThan(MAX_RATIO);
    }

    /** Returns the minimum of several runs, because other work on the machine only adds to it. */
    private static long cpuNanos(HeaderTask task, HttpHeaders headers) {
        long minimum = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            assertThat(task.run(headers)).isNotNull();
            minimum = Math.min(minimum, ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start);
        }
        return minimum;
    }

    /** Returns short headers and a Connection header that lists as many names, none of which is a header. */
    private static HttpHeaders headers(int count) {
        HttpHeaders headers =
                DefaultHttpHeadersFactory.headersFactory().withValidation(false).newHeaders();
        StringBuilder connection = new StringBuilder("close");
        for (int i = 0; i < count; i++) {
            String name = Integer.toString(i, Character.MAX_RADIX);
            headers.add(new AsciiString(name), "v");
            connection.append(",x").append(name);
        }
        return headers.add("connection", connection.toString());
    }

    private static Answer answer(List<Header> headers) {
        return new Answer(
                "id", Outcome.ANSWERED, 200, headers, new byte[0], false, null, 1, "node", Answer.Timing.NONE, null);
    }
}
