package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Header;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.retry.RetrySettings;
import io.iocluster.settings.DataSize;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.testkit.simulation.SimulatedEventLoop;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.iocluster.testkit.simulation.Trace;
import io.iocluster.trace.Tracing;
import io.iocluster.transport.PublishResult;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests what happens to the calls of a worker whose event loop dies, on virtual time. */
class LostWorkerTest {

    private static final Duration TARGET_TAKES = Duration.ofMillis(20);
    private static final Duration PAUSE = Duration.ofSeconds(3);
    private static final WorkerSettings WORKERS = new WorkerSettings(
            2, 8, 8, 10, DataSize.ofMebibytes(64), 10, 75, 4, Duration.ofSeconds(10), Duration.ofMinutes(1));

    private final Simulation simulation = new Simulation(7, Trace.hashOnly());
    private final SimulatedProcess platform = new SimulatedProcess(simulation, "node");
    private final FakeTransport transport = new FakeTransport();
    private final List<SimulatedEventLoop> loops = new ArrayList<>();
    private final List<Long> attemptsNanos = new ArrayList<>();
    private final Pipeline pipeline = new Pipeline(
            TestPipelines.settings(
                    WORKERS,
                    TestPipelines.policy(
                            0,
                            0,
                            RetrySettings.DEFAULTS.withAttempts(1, Duration.ofMillis(100), Duration.ofSeconds(1)))),
            transport,
            PipelineEvents.NONE,
            Tracing.OFF,
            new PipelineParts(
                    new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE),
                    (group, http, destinations) -> new BusyTarget(group.next()),
                    worker -> newLoop(),
                    SharedStore.Factory.NONE),
            platform);

    @Test
    void aCallThatHadNotStartedWaitsForThePauseOfItsTarget() {
        transport.atOnce = PublishResult.CONFIRMED;
        pipeline.start();
        simulation.run(TARGET_TAKES);
        loops.get(1).shutdownGracefully(0, 0, TimeUnit.SECONDS);

        FakeDelivery started = offer();
        FakeDelivery ofLostWorker = offer();
        simulation.run(PAUSE.multipliedBy(2));

        assertThat(pipeline.status().replacedWorkers()).isEqualTo(1);
        assertThat(started.settled).isCompletedWithValue("acknowledged");
        assertThat(ofLostWorker.settled).isCompletedWithValue("acknowledged");
        assertThat(attemptsNanos).hasSize(2);
        assertThat(attemptsNanos.get(1) - attemptsNanos.get(0))
                .isGreaterThanOrEqualTo(TARGET_TAKES.plus(PAUSE).toNanos());
        assertThat(pipeline.status().inFlight()).isZero();
        assertThat(pipeline.status().inFlightBytes()).isZero();
    }

    private FakeDelivery offer() {
        FakeDelivery delivery =
                new FakeDelivery("{\"id\":\"i\",\"url\":\"http://partner.example/\"}", platform.wallMillis(), Map.of());
        assertThat(transport.offer(delivery)).isTrue();
        return delivery;
    }

    private SimulatedEventLoop newLoop() {
        SimulatedEventLoop loop = new SimulatedEventLoop(platform);
        loops.add(loop);
        return loop;
    }

    /** Asks for a pause in each answer. */
    private final class BusyTarget implements ConnectionlessExecutor {

        private final EventLoop loop;

        BusyTarget(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            attemptsNanos.add(platform.nanos());
            CompletableFuture<HttpResult> result = new CompletableFuture<>();
            List<Header> headers = List.of(new Header("retry-after", Long.toString(PAUSE.toSeconds())));
            HttpResult busy = new HttpResult.Response(503, headers, new byte[2], false, AttemptTiming.NONE);
            loop.schedule(() -> result.complete(busy), TARGET_TAKES.toNanos(), TimeUnit.NANOSECONDS);
            return result;
        }
    }
}
