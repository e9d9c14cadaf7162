package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.hedge.HedgeDelay;
import io.iocluster.hedge.HedgeSettings;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.message.Outcome;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeExecutors.FakeAttempt;
import io.iocluster.pipeline.FakeTransport.PublishedMessage;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.thread.Platform;
import io.iocluster.trace.AttemptTrace;
import io.iocluster.trace.MessageTrace;
import io.iocluster.trace.PublishTrace;
import io.iocluster.trace.Traced;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.Delivery;
import io.iocluster.transport.PublishResult;
import io.iocluster.transport.TraceContext;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which events a tracer receives, and which of its trace headers the node forwards. */
class TracesTest extends ControlledPipeline {

    private static final String OF_SENDER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final String GET = "{\"url\":\"http://partner.example/\"}";

    private static final DestinationPolicy POLICY =
            TestPipelines.policy(0, 0, RetrySettings.DEFAULTS.withAttempts(2, MILLISECOND, MILLISECOND));
    private static final DestinationSettings HEDGED = new DestinationSettings(
            List.of("slow.example"),
            "slow",
            RecordCopy.with(POLICY, "hedge", new HedgeSettings(HedgeDelay.parse("1ms"), 5, MILLISECOND)));

    private final RecordingTracing notes = new RecordingTracing();
    private final CountedTraces counted = new CountedTraces();

    @BeforeEach
    void start() {
        pipeline = new Pipeline(
                TestPipelines.settings(TestPipelines.oneWorker(2), POLICY, HEDGED),
                transport,
                counted,
                notes,
                TestPipelines.parts(http),
                Platform.system());
        pipeline.start();
    }

    @Test
    void tracesTheMessageItsAttemptItsAnswerAndItsSettlement() throws Exception {
        offer(GET);

        http.next().respond(200);
        PublishedMessage answer = transport.nextPublished();
        answer.confirm();

        awaitNotes(
                "taken",
                "attempt 1",
                "attempt 1 Response",
                "ANSWERED null",
                "publishing ANSWER",
                "published Confirmed",
                "ACKNOWLEDGED");
        assertThat(answer.trace()).isEqualTo(new TraceContext("of-answer", null));
    }

    @Test
    void theTargetGetsTheAttemptsTrace() throws Exception {
        offer(GET);

        assertThat(http.next().request().headers()).containsExactly(new Header("traceparent", "of-attempt-1"));
    }

    @Test
    void tracesEachAttemptSeparately() throws Exception {
        offer(GET);

        http.next().respond(503);
        FakeAttempt second = http.next();
        second.respond(200);
        transport.nextPublished().confirm();

        assertThat(second.request().headers()).containsExactly(new Header("traceparent", "of-attempt-2"));
        await().until(() -> notes.contains("attempt 2 Response"));
    }

    @Test
    void tracesBothAttemptsOfAHedgedCall() throws Exception {
        offer("{\"url\":\"http://slow.example/\"}");

        http.next();
        FakeAttempt second = http.next();
        second.respond(200);
        transport.nextPublished().confirm();

        assertThat(second.request().headers()).containsExactly(new Header("traceparent", "of-attempt-2"));
        await().untilAsserted(() -> assertThat(notes.all()).contains("attempt 1 cancelled", "attempt 2 Response"));
    }

    @Test
    void tracesAFailureAndADeadLetter() throws Exception {
        offer("{\"url\":\"http://partner.example/\",\"method\":\"POST\",\"reply\":\"never\"}");

        http.next().fail(ErrorCode.TIMEOUT, SentStatus.MAYBE);
        PublishedMessage letter = transport.nextPublished();
        letter.confirm();

        awaitNotes(
                "taken",
                "attempt 1",
                "attempt 1 Failure",
                "FAILED TIMEOUT",
                "publishing DEAD_LETTER",
                "published Confirmed",
                "ACKNOWLEDGED");
        assertThat(letter.trace()).isNull();
    }

    @Test
    void tracesAnUnreadableEnvelope() throws Exception {
        offer("nothing");

        transport.nextPublished().confirm();

        awaitNotes(
                "taken without envelope",
                "REJECTED MALFORMED_ENVELOPE",
                "publishing DEAD_LETTER",
                "published Confirmed",
                "ACKNOWLEDGED");
    }

    @Test
    void tracesAReleasedMessage() throws Exception {
        offer(GET);

        http.next().respond(200);
        FakeTransport.PublishedMessage published = transport.nextPublished();
        pipeline.close();
        published.result().complete(new PublishResult.Failed("closed"));

        await().until(() -> notes.contains("published Failed") && notes.contains("RELEASED"));
    }

    @Test
    void tracesAllBranchesAsAttemptsOfOneMessage() throws Exception {
        offer("{\"any\":[{\"url\":\"http://a.example/\"},{\"url\":\"http://b.example/\"}]}");
        http.next().respond(200);
        transport.nextPublished().confirm();

        await().until(() -> notes.contains("ACKNOWLEDGED"));
        assertThat(notes.all()).containsOnlyOnce("taken").containsOnlyOnce("ACKNOWLEDGED");
        await().until(() -> notes.all().stream().filter("attempt 1"::equals).count() == 2);
        // The other branch was cancelled, because its result is no longer needed.
        await().until(() -> notes.contains("attempt 1 cancelled"));
    }

    @Test
    void givesTheTraceToTheEventListener() throws Exception {
        offer(GET);

        http.next().respond(200);
        transport.nextPublished().confirm();

        await().until(() -> counted.traces.equals(List.of("of-message", "of-message")));
    }

    @Test
    void usesTheTraceparentOfTheMessageWithoutATracer() throws Exception {
        notes.off = true;
        offer(GET);

        FakeAttempt attempt = http.next();
        attempt.respond(200);
        PublishedMessage answer = transport.nextPublished();
        answer.confirm();

        assertThat(attempt.request().headers()).containsExactly(new Header("traceparent", OF_SENDER));
        assertThat(answer.trace()).isNull();
        await().until(() -> counted.traces.equals(List.of(OF_SENDER, OF_SENDER)));
    }

    private void offer(String envelope) {
        assertThat(transport.offer(new FakeDelivery(envelope, -1, Map.of("traceparent", OF_SENDER))))
                .isTrue();
    }

    private void awaitNotes(String... expected) {
        await().untilAsserted(() -> assertThat(notes.all()).containsExactly(expected));
    }

    /** An event listener that reads the trace of each call. */
    private static final class CountedTraces implements PipelineEvents {

        private final List<String> traces = new CopyOnWriteArrayList<>();

        @Override
        public void callEnded(
                String destination, Outcome outcome, int status, ErrorCode error, long nanos, Traced call) {
            traces.add(call.traceparent());
        }

        @Override
        public void acknowledged(long endToEndMillis, Traced call) {
            traces.add(call.traceparent());
        }
    }

    /** A tracer that records its events. */
    private static final class RecordingTracing implements Tracing {

        private final List<String> notes = new CopyOnWriteArrayList<>();
        private final AtomicInteger attempts = new AtomicInteger();
        private volatile boolean off;

        boolean contains(String note) {
            return notes.contains(note);
        }

        List<String> all() {
            return List.copyOf(notes);
        }

        @Override
        public MessageTrace startMessage(Delivery delivery, RequestEnvelope envelope) {
            if (off) {
                return Tracing.OFF.startMessage(delivery, envelope);
            }
            notes.add(envelope == null ? "taken without envelope" : "taken");
            return new Message();
        }

        private final class Message implements MessageTrace {

            @Override
            public String traceparent() {
                return "of-message";
            }

            @Override
            public AttemptTrace startAttempt(HttpRequest request, int number) {
                notes.add("attempt " + number);
                String trace = "of-attempt-" + attempts.incrementAndGet();
                return new AttemptTrace() {
                    @Override
                    public HttpRequest injectContext(HttpRequest before) {
                        List<Header> headers = List.of(new Header("traceparent", trace));
                        return new HttpRequest(before.method(), before.url(), headers, before.body());
                    }

                    @Override
                    public void ended(HttpResult result) {
                        notes.add("attempt " + number + " "
                                + (result == null
                                        ? "cancelled"
                                        : result.getClass().getSimpleName()));
                    }
                };
            }

            @Override
            public void callEnded(Outcome outcome, ErrorCode failure) {
                notes.add(outcome + " " + failure);
            }

            @Override
            public PublishTrace startPublish(PublishType what, String replyTo) {
                notes.add("publishing " + what);
                return new PublishTrace() {
                    @Override
                    public TraceContext context() {
                        return new TraceContext("of-answer", null);
                    }

                    @Override
                    public void ended(PublishResult result) {
                        notes.add("published " + result.getClass().getSimpleName());
                    }
                };
            }

            @Override
            public void settled(SettlementType how) {
                notes.add(how.toString());
            }
        }
    }
}
