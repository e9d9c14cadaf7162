package io.iocluster.pipeline.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.BodyTooLargePolicy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.Header;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.PipelineFixture;
import io.iocluster.pipeline.PipelineSettings;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.PublishResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what the node publishes if an answer does not fit its topic or queue. */
class BodyTruncationTest extends PipelineFixture {

    private static final int LIMIT = 20_000;
    private static final PublishResult OVER_LIMIT = new PublishResult.TooLarge("over 20,000 bytes", LIMIT);
    private static final String BOTH =
            "{\"id\":\"b\",\"all\":[{\"url\":\"http://small.example/\"},{\"url\":\"http://large.example/\"}]}";

    @ParameterizedTest
    @ValueSource(strings = {"plain text ", "\"quoted\"\n", "\u0001\u0002", "ünïcödé ", "\ud83d\ude00", "\u20ac"})
    void truncatesTextToWhatTheTopicAccepts(String text) throws Exception {
        String body = text.repeat(100_000 / text.length());
        FakeDelivery delivery = offer(GET);
        respond(body.getBytes(StandardCharsets.UTF_8));

        transport.nextPublished().result().complete(OVER_LIMIT);
        PublishedMessage shorter = transport.nextPublished();
        shorter.confirm();

        assertThat(shorter.answer().status()).isEqualTo(201);
        assertThat(shorter.answer().header("x-kept")).isEqualTo("yes");
        assertThat(shorter.answer().context()).isEqualTo("{\"a\":1}");
        assertThat(shorter.answer().truncated()).isTrue();
        assertThat(body).startsWith(shorter.answer().text());
        assertThat(new AnswerEncoder().encode(shorter.answer()).length).isBetween(LIMIT * 3 / 10, LIMIT);
        assertThat(delivery.settled.get(1, TimeUnit.MINUTES)).isEqualTo("acknowledged");
    }

    @Test
    void truncatesABinaryBody() throws Exception {
        offer(GET);
        byte[] body = new byte[100_000];
        body[0] = (byte) 0xff;
        respond(body);

        transport.nextPublished().result().complete(OVER_LIMIT);
        PublishedMessage shorter = transport.nextPublished();

        assertThat(shorter.answer().truncated()).isTrue();
        assertThat(new AnswerEncoder().encode(shorter.answer()).length).isBetween(LIMIT - 1_000, LIMIT);
    }

    @Test
    void halvesTheBodyIfTheLimitIsUnknown() throws Exception {
        offer(GET);
        respond(new byte[8_000]);
        PublishResult unknown = new PublishResult.TooLarge("too large");

        transport.nextPublished().result().complete(unknown);
        PublishedMessage half = transport.nextPublished();
        half.result().complete(unknown);
        PublishedMessage quarter = transport.nextPublished();

        assertThat(half.answer().body()).hasSizeBetween(3_900, 4_000);
        assertThat(quarter.answer().body()).hasSizeBetween(1_900, 2_000);
    }

    @Test
    void keepsAShortResultCompleteAndTruncatesTheLongOne() throws Exception {
        offer(BOTH);
        Map<String, FakeAttempt> attempts = http.nextByHost(2);
        attempts.get("small").end(response("short".getBytes(StandardCharsets.UTF_8)));
        attempts.get("large").end(response("x".repeat(90_000).getBytes(StandardCharsets.UTF_8)));

        transport.nextPublished().result().complete(OVER_LIMIT);
        PublishedMessage shorter = transport.nextPublished();

        assertThat(shorter.answer().results().get(0).text()).isEqualTo("short");
        assertThat(shorter.answer().results().get(0).truncated()).isFalse();
        assertThat(shorter.answer().results().get(1).truncated()).isTrue();
        assertThat(new AnswerEncoder().encode(shorter.answer()).length).isBetween(LIMIT - 2_000, LIMIT);
    }

    @Test
    void failsTheAnswerIfTheSettingsDoNotAllowTruncation() throws Exception {
        pipeline.reconfigure(failingOnLargeBodies());
        offer(GET);
        respond(new byte[100_000]);

        transport.nextPublished().result().complete(OVER_LIMIT);
        PublishedMessage error = transport.nextPublished();

        assertThat(error.answer().errorCode()).isEqualTo("answer-too-large");
    }

    @Test
    void truncatesSeveralBinaryBodiesThatStartAsText() throws Exception {
        offer(BOTH);
        byte[] small = new byte[60_000];
        small[small.length - 1] = (byte) 0xff;
        byte[] large = new byte[90_000];
        large[0] = (byte) 0xff;
        Map<String, FakeAttempt> attempts = http.nextByHost(2);
        attempts.get("small").end(response(small));
        attempts.get("large").end(response(large));

        transport.nextPublished().result().complete(OVER_LIMIT);
        PublishedMessage shorter = transport.nextPublished();

        assertThat(shorter.answer().results()).allMatch(each -> each.truncated() && each.status() == 201);
        assertThat(new AnswerEncoder().encode(shorter.answer()).length).isLessThanOrEqualTo(LIMIT);
    }

    private static PipelineSettings failingOnLargeBodies() {
        PipelineSettings settings = TestPipelines.settings(workers(1, 2), POLICY);
        return RecordCopy.with(
                settings, "http", RecordCopy.with(settings.http(), "whenBodyTooLarge", BodyTooLargePolicy.FAIL));
    }

    private void respond(byte[] body) throws InterruptedException {
        http.next().end(response(body));
    }

    private static HttpResult.Response response(byte[] body) {
        return new HttpResult.Response(201, List.of(new Header("x-kept", "yes")), body, false, AttemptTiming.NONE);
    }
}
