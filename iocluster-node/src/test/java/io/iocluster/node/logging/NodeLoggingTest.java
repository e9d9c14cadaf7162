package io.iocluster.node.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import ch.qos.logback.classic.spi.LoggingEvent;
import io.iocluster.node.config.LoggingSettings;
import io.iocluster.node.config.LoggingSettings.Format;
import io.iocluster.node.config.LoggingSettings.Level;
import io.iocluster.trace.Traced;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class NodeLoggingTest {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @AfterEach
    void restore() {
        System.setErr(before);
        NodeLogging.configure(new LoggingSettings(Level.WARN, Format.TEXT), null);
    }

    @Test
    void writesOneLineForEachEvent() {
        String line = log(Format.TEXT, Level.INFO, "first\nsecond");

        assertThat(line).matches("(?s)\\S+ INFO  \\[.*] test - first second\\R");
    }

    @Test
    void writesJsonOnDemand() {
        JsonNode line = JsonMapper.builder().build().readTree(log(Format.JSON, Level.INFO, "said \"so\""));

        assertThat(line.get("level").asString()).isEqualTo("INFO");
        assertThat(line.get("formattedMessage").asString()).isEqualTo("said \"so\"");
    }

    @Test
    void namesTheNodeOnEachJsonLine() {
        JsonNode line = JsonMapper.shared().readTree(log(Format.JSON, Level.INFO, "first"));

        assertThat(line.propertyNames())
                .containsExactlyInAnyOrder(
                        "timestamp",
                        "level",
                        "threadName",
                        "loggerName",
                        "mdc",
                        "formattedMessage",
                        "throwable",
                        "node");
        assertThat(line.get("node").asString()).isEqualTo("node-1");
    }

    @Test
    void namesTheTraceOnAJsonLineAboutOneCall() {
        JsonNode line =
                JsonMapper.shared().readTree(logCall("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));

        assertThat(line.get("traceId").asString()).isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(line.get("spanId").asString()).isEqualTo("b7ad6b7169203331");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "00-0-0-01", "\"}\n{\"level\":\"INFO"})
    void leavesOutATraceThatIsNotValid(String traceparent) {
        JsonNode line = JsonMapper.shared().readTree(logCall(traceparent));

        assertThat(line.has("traceId")).isFalse();
        assertThat(line.has("spanId")).isFalse();
    }

    private String logCall(String traceparent) {
        redirect(Format.JSON, Level.INFO);
        LoggerFactory.getLogger("test")
                .atInfo()
                .addKeyValue(Traced.LOG_KEY, traceparent)
                .log("Answer not confirmed");
        return written.toString(StandardCharsets.UTF_8);
    }

    @Test
    void respectsTheLevel() {
        assertThat(log(Format.TEXT, Level.WARN, "quiet")).isEmpty();
    }

    @Test
    void limitsTheLogOfTheKafkaClient() {
        redirect(Format.TEXT, Level.DEBUG);
        LoggerFactory.getLogger("org.apache.kafka.clients.NetworkClient").warn("Connection could not be established");
        LoggerFactory.getLogger("org.apache.kafka.clients.producer.internals.Sender")
                .warn("Got error produce response with correlation id 7, retrying");
        LoggerFactory.getLogger("org.apache.kafka.clients.consumer.ConsumerConfig")
                .info("ConsumerConfig values");

        assertThat(written.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void logsNoSignedRequestOfTheAwsSdk() {
        redirect(Format.TEXT, Level.DEBUG);

        LoggerFactory.getLogger("software.amazon.awssdk.http.auth.aws.internal.signer.DefaultV4RequestSigner")
                .debug("AWS4 Canonical Request: x-amz-security-token:secret");

        assertThat(written.toString(StandardCharsets.UTF_8)).isEmpty();
    }

    @Test
    void logsOneLineForManyWarningsOfTheDnsResolver() {
        redirect(Format.TEXT, Level.INFO);
        for (int i = 0; i < 1_000; i++) {
            LoggerFactory.getLogger("io.netty.resolver.dns.DnsQueryContext")
                    .warn("Received a mismatching DNS response name=h{}.test", i, new IllegalStateException("bad"));
        }

        assertThat(written.toString(StandardCharsets.UTF_8).lines())
                .singleElement()
                .asString()
                .contains("WARN", "DNS query failed", "suppressed=0", "IllegalStateException: bad", "name=h0.test");
    }

    @Test
    void saysHowManyWarningsOfTheDnsResolverItSuppressed() {
        redirect(Format.TEXT, Level.INFO);
        AtomicLong now = new AtomicLong();
        DnsWarnings warnings = new DnsWarnings(now::get);
        warnings.start();
        LoggingEvent warning = new LoggingEvent();
        warning.setMessage("Received a mismatching DNS response");
        for (int i = 0; i < 8; i++) {
            warnings.doAppend(warning);
        }

        now.addAndGet(TimeUnit.SECONDS.toNanos(10));
        warnings.doAppend(warning);

        assertThat(written.toString(StandardCharsets.UTF_8).lines())
                .hasSize(2)
                .last(STRING)
                .contains("suppressed=7");
    }

    private String log(Format format, Level level, String message) {
        redirect(format, level);
        LoggerFactory.getLogger("test").info(message);
        return written.toString(StandardCharsets.UTF_8);
    }

    private void redirect(Format format, Level level) {
        System.setErr(new PrintStream(new OnlyThisThread(written), true, StandardCharsets.UTF_8));
        NodeLogging.configure(new LoggingSettings(level, format), "node-1");
    }

    /** Drops what other threads write, because threads of earlier test classes of this JVM may still log. */
    private static final class OnlyThisThread extends FilterOutputStream {

        private final Thread owner = Thread.currentThread();

        OnlyThisThread(OutputStream out) {
            super(out);
        }

        @Override
        public void write(int written) throws IOException {
            if (Thread.currentThread() == owner) {
                out.write(written);
            }
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            if (Thread.currentThread() == owner) {
                out.write(bytes, offset, length);
            }
        }
    }
}
