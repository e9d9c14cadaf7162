package io.iocluster.pipeline.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.destination.DestinationRegistry;
import io.iocluster.destination.DestinationStatus;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.TestPipelines;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.outbox.AnswerOutbox;
import io.iocluster.pipeline.outbox.AnswerSettings;
import io.iocluster.pipeline.publish.AnswerPublisher;
import io.iocluster.pipeline.publish.DefectBackoff;
import io.iocluster.pipeline.publish.EncodingQueue;
import io.iocluster.pipeline.worker.Watchdog;
import io.iocluster.retry.RetrySettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests a call to a destination that accepts one at a time. */
class CallTest {

    private static final DestinationPolicy ONE_AT_A_TIME = TestPipelines.policy(1, 0, RetrySettings.DEFAULTS);

    private final FakeTransport transport = new FakeTransport();
    private final InFlightWindow window = new InFlightWindow(10, 10, 10, 1_000, () -> {});
    private final OpenCalls open = new OpenCalls(Platform.system());
    private final List<Call> dispatched = new ArrayList<>();
    private final DestinationRegistry<Call> destinations = new DestinationRegistry<>(
            List.of(new DestinationSettings(List.of("partner.example"), "partner", ONE_AT_A_TIME)),
            DestinationPolicy.DEFAULTS,
            10,
            75,
            window,
            dispatched::add,
            host -> null,
            Platform.system(),
            Platform.system().random());
    private final AnswerPublisher publisher = new AnswerPublisher(
            new EncodingQueue(window, Platform.system()),
            new DefectBackoff(Platform.system()),
            transport,
            new AnswerOutbox(transport, window, PipelineEvents.NONE, Platform.system(), AnswerSettings.DEFAULTS),
            PipelineEvents.NONE,
            Platform.system(),
            "node-1");

    @Test
    void acquiresNoPermitIfItWasCancelledBefore() {
        Call call = call();
        call.cancel();

        call.target().offer(call);
        call.target().dispatchWaiting();
        assertThat(dispatched).isEmpty();

        assertThat(partner().inFlight()).isZero();
        assertThat(partner().waiting()).isZero();
        assertThat(window.held()).isZero();
    }

    @Test
    void expiresWhenTheWatchdogFindsItPastItsDeadlineBeforeItsFirstAttempt() throws Exception {
        Watchdog watchdog = new Watchdog(open, () -> false, PipelineEvents.NONE, Platform.system());
        call(Platform.system().nanos() - 1).register();

        // The watchdog ends a call at the eleventh sweep after its deadline.
        for (int sweep = 0; sweep < 11; sweep++) {
            watchdog.sweep();
        }

        assertThat(transport.nextPublished().answer().error().code()).isEqualTo("deadline-exceeded");
    }

    private DestinationStatus partner() {
        return destinations.status().get(0);
    }

    private Call call() {
        return call(Platform.system().nanos() + TimeUnit.MINUTES.toNanos(1));
    }

    private Call call(long deadlineNanos) {
        TargetUrl url = new TargetUrl("http", "partner.example", 80, "/");
        long now = Platform.system().nanos();
        return TestCalls.of(
                new FakeDelivery("{}"),
                window.tryAcquire(2),
                new CallDeadline(0, now, deadlineNanos, TimeUnit.MINUTES.toNanos(1)),
                RequestEnvelope.get("i", "http://partner.example/"),
                new HttpRequest("GET", url, List.of(), null),
                destinations.destinationFor(url.origin()),
                publisher,
                open);
    }
}
