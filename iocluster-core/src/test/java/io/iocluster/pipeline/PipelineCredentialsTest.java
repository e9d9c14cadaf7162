package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.credential.CredentialSettings;
import io.iocluster.credential.TestCredentials;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.http.HttpSettings;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import io.iocluster.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which credential a call gets, and which calls are rejected because of theirs. */
class PipelineCredentialsTest extends ControlledPipeline {

    private static final RetrySettings RETRY =
            RetrySettings.DEFAULTS.withAttempts(3, Duration.ofMillis(1), Duration.ofMillis(1));

    @BeforeEach
    void start() {
        pipeline = new Pipeline(
                settings("a", Map.of("a", sending("*.partner.example", "old"), "b", sending("b.example", "b"))),
                transport,
                PipelineEvents.NONE,
                Tracing.OFF,
                TestPipelines.parts(http),
                Platform.system());
        pipeline.start();
    }

    @Test
    void makesACallWithTheCredentialThatItsEnvelopeNames() throws Exception {
        offer("{\"url\":\"http://x.partner.example/\",\"auth\":\"a\"}");

        assertThat(http.next().request().headers()).containsExactly(new Header("X-Key", "old"));
    }

    @Test
    void makesACallWithTheCredentialOfItsDestinationIfTheEnvelopeNamesNone() throws Exception {
        offer("{\"url\":\"http://usual.partner.example/\"}");
        offer("{\"url\":\"http://other.partner.example/\"}");

        assertThat(http.next().request().headers()).containsExactly(new Header("X-Key", "old"));
        assertThat(http.next().request().headers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"url\":\"http://x.partner.example/\",\"auth\":\"missing\"}; unknown-credential",
                "{\"url\":\"http://x.partner.example/\",\"auth\":\"b\"}; unknown-credential",
                "{\"url\":\"http://usual.partner.example/\",\"auth\":\"b\"}; unknown-credential",
                "{\"url\":\"http://partner.example/\",\"auth\":\"a\"}; unknown-credential",
                "{\"url\":\"http://x.partner.example/\",\"auth\":\"a\",\"headers\":{\"x-key\":\"mine\"}};"
                        + " forbidden-header",
                "{\"url\":\"http://usual.partner.example/\",\"headers\":{\"X-KEY\":\"mine\"}}; forbidden-header"
            })
    void rejectsACallThatMayNotHaveItsCredential(String envelope, String code) throws Exception {
        offer(envelope);

        Answer answer = transport.nextPublished().answer();

        assertThat(answer.outcome()).isEqualTo(Outcome.REJECTED);
        assertThat(answer.error().code()).isEqualTo(code);
        assertThat(http.attempts).isEmpty();
    }

    @Test
    void retriesWithTheCurrentValueOfACredential() throws Exception {
        offer("{\"url\":\"http://x.partner.example/\",\"auth\":\"a\"}");
        FakeExecutors.FakeAttempt first = http.next();

        pipeline.reconfigure(settings("a", Map.of("a", sending("*.partner.example", "new"))));
        first.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        FakeExecutors.FakeAttempt second = http.next();
        pipeline.reconfigure(settings("", Map.of()));
        second.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);
        PublishedMessage published = transport.nextPublished();

        assertThat(second.request().headers()).containsExactly(new Header("X-Key", "new"));
        assertThat(published.answer().error().code()).isEqualTo("unknown-credential");
    }

    @Test
    void retriesWithTheCurrentCredentialOfItsDestination() throws Exception {
        offer("{\"url\":\"http://usual.partner.example/\"}");
        FakeExecutors.FakeAttempt first = http.next();

        pipeline.reconfigure(settings("c", Map.of("c", sending("*.partner.example", "another"))));
        first.fail(ErrorCode.CONNECT_REFUSED, SentStatus.NO);

        assertThat(http.next().request().headers()).containsExactly(new Header("X-Key", "another"));
    }

    private void offer(String envelope) {
        assertThat(transport.offer(new FakeDelivery(envelope, Platform.system().wallMillis(), Map.of())))
                .isTrue();
    }

    private static PipelineSettings settings(String usual, Map<String, CredentialSettings> credentials) {
        return RecordCopy.with(
                TestPipelines.settings(
                        WorkerSettings.DEFAULTS.withSize(1, 2),
                        TestPipelines.policy(0, 0, RETRY),
                        destination("usual.partner.example", usual)),
                "http",
                HttpSettings.DEFAULTS,
                "credentials",
                credentials);
    }

    private static CredentialSettings sending(String host, String key) {
        return TestCredentials.of(host, "headers", Map.of("X-Key", key));
    }

    private static DestinationSettings destination(String host, String credential) {
        return new DestinationSettings(List.of(host), "", TestPipelines.policy(0, credential));
    }
}
