package io.iocluster.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.node.CallExchange.TimedAnswer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tests envelopes with several calls through a node on Kafka. The targets identify each call by an id of the test. */
class ScatterGatherIT {

    /** Less than the timeout of the calls, which would end them without a deadline. */
    private static final long SLACK_MILLIS = 60_000;

    private static KafkaNodeFixture fixture;
    private static CallExchange exchange;
    private static RunningNode node;
    /** Reserves a port without listening. */
    private static Socket dead;

    @BeforeAll
    static void startFixture() throws Exception {
        fixture = new KafkaNodeFixture(1, Map.of());
        exchange = new CallExchange(fixture);
        node = fixture.startInProcess("node-1", "none", "retry: {max-attempts: 1}", ColdNode.LONG_TIMEOUTS)
                .awaitReady();
        dead = new Socket();
        dead.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        exchange.ask("hello", "'url': '" + fixture.target.url("/ok") + "'");
    }

    @AfterAll
    static void clear() throws IOException {
        assertThat(node.terminate(Duration.ofMinutes(2))).as(node.log()).isZero();
        dead.close();
        exchange.close();
        fixture.close();
    }

    @Test
    void anyReturnsTheFirstUsableAnswerAndCancelsTheOthers() throws Exception {
        Answer answer = exchange.ask("first", any("/never?id=first-0", "/delay?ms=300&id=first-1", "/never?id=first-2"))
                .answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).asString(StandardCharsets.UTF_8).isEqualTo("ok");
        assertThat(answer.branch()).isEqualTo(1);
        assertThat(answer.results()).isEmpty();
        // Sooner than the calls would time out.
        await().untilAsserted(() -> assertThat(fixture.target.requestLog().abandoned())
                .contains("first-0", "first-2")
                .doesNotContain("first-1"));
        assertThat(fixture.target.requestLog().count("first-0")).isEqualTo(1);
        assertThat(fixture.target.requestLog().count("first-2")).isEqualTo(1);
    }

    @Test
    void anyContinuesAfterOneCallFails() throws Exception {
        Answer answer = exchange.ask("chance", any(deadUrl(), "/status?code=404", "/delay?ms=300&id=chance-2"))
                .answer();

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.branch()).isEqualTo(2);
    }

    @Test
    void anyReportsEachResultIfNoneIsUsable() throws Exception {
        Answer answer = exchange.ask("none", any("/status?code=404", deadUrl())).answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(answer.error().code()).isEqualTo("no-usable-answer");
        assertThat(answer.branch()).isEqualTo(Answer.NO_BRANCH);
        assertThat(answer.results()).extracting(Answer::status).containsExactly(404, 0);
        assertThat(answer.results().get(1).error().code()).isEqualTo("connect-refused");
    }

    @Test
    void allReturnsEveryAnswerWhateverItsStatus() throws Exception {
        Answer answer = exchange.ask("together", all("/delay?ms=300", "/status?code=404"))
                .answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.ANSWERED);
        assertThat(answer.results()).extracting(Answer::status).containsExactly(200, 404);
        assertThat(answer.attempts()).isEqualTo(2);
    }

    @Test
    void allWaitsForSlowCallsUntilTheDeadlineAndNotForFailedOnes() throws Exception {
        // Long enough for the other calls on a busy machine.
        long deadline = 6_000;

        TimedAnswer timed =
                exchange.ask("all", "'deadlineMs': " + deadline + ", " + all("/ok", deadUrl(), "/never?id=all-2"));

        Answer answer = timed.answer();
        assertThat(timed.afterMillis()).isBetween(deadline - 10, deadline + SLACK_MILLIS);
        assertThat(answer.outcome()).isEqualTo(Outcome.FAILED);
        assertThat(answer.error().code()).isEqualTo("incomplete-results");
        assertThat(answer.error().sent()).isEqualTo(SentStatus.MAYBE);
        assertThat(answer.results())
                .extracting(Answer::outcome)
                .containsExactly(Outcome.ANSWERED, Outcome.FAILED, Outcome.EXPIRED);
        Answer refused = answer.results().get(1);
        assertThat(refused.error().code()).isEqualTo("connect-refused");
        assertThat(refused.error().sent()).isEqualTo(SentStatus.NO);
        assertThat(refused.timing().totalMs()).isLessThan(deadline);
        Answer slow = answer.results().get(2);
        assertThat(slow.error().code()).isEqualTo("deadline-exceeded");
        assertThat(slow.error().sent()).isEqualTo(SentStatus.MAYBE);
        await().untilAsserted(() ->
                assertThat(fixture.target.requestLog().abandoned()).contains("all-2"));
    }

    @Test
    void respectsTheReplyField() throws Exception {
        exchange.send("silent, answered", "'reply': 'never', " + any("/ok"));
        exchange.send("silent, failed", "'reply': 'never', " + all("/ok", deadUrl()));
        exchange.send("failures, answered", "'reply': 'failures', " + any(deadUrl(), "/ok"));
        RecordMetadata last = exchange.send("failures, failed", "'reply': 'failures', " + any(deadUrl()));
        fixture.awaitCommitted(last);

        assertThat(exchange.answers())
                .containsKey("failures, failed")
                .doesNotContainKeys("silent, answered", "silent, failed", "failures, answered");
        List<ConsumerRecord<byte[], byte[]>> deadLetters = fixture.broker.readAll(KafkaNodeFixture.DEAD_LETTERS);
        assertThat(deadLetters).extracting(letter -> text(letter.key())).containsExactly("silent, failed");
        assertThat(text(deadLetters
                        .get(0)
                        .headers()
                        .lastHeader("iocluster-error-code")
                        .value()))
                .isEqualTo("incomplete-results");
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static String any(String... urls) {
        return several("any", urls);
    }

    private static String all(String... urls) {
        return several("all", urls);
    }

    /** Returns an envelope with calls to these URLs. A URL that starts with a slash is a path on the target. */
    private static String several(String mode, String... urls) {
        List<String> calls = Stream.of(urls)
                .map(url -> "{'url': '" + (url.startsWith("/") ? fixture.target.url(url) : url) + "'}")
                .toList();
        return "'" + mode + "': [" + String.join(", ", calls) + "]";
    }

    private static String deadUrl() {
        return "http://127.0.0.1:" + dead.getLocalPort() + "/";
    }
}
