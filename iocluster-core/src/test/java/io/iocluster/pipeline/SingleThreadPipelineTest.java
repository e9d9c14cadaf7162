package io.iocluster.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.cache.shared.SharedStore;
import io.iocluster.destination.policy.DestinationPolicies;
import io.iocluster.egress.CurrentEgressPolicy;
import io.iocluster.egress.EgressSettings;
import io.iocluster.egress.EgressViolationListener;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.HttpSettings;
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
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests that a whole pipeline runs in one thread on virtual time if its platform, its event loops and its HTTP client do. */
class SingleThreadPipelineTest {

    private static final Duration TARGET_TAKES = Duration.ofMillis(20);

    /** The encoding of such an answer runs on another thread. */
    private static final int LARGE_BODY = 300 * 1024;

    private static final WorkerSettings WORKERS = new WorkerSettings(
            2, 8, 8, 10, DataSize.ofMebibytes(64), 10, 75, 4, Duration.ofSeconds(10), Duration.ofMinutes(1));

    private final Simulation simulation = new Simulation(7, Trace.hashOnly());
    private final SimulatedProcess platform = new SimulatedProcess(simulation, "node");
    private final FakeTransport transport = new FakeTransport();
    private final List<Long> attemptsNanos = new ArrayList<>();

    @Test
    void answersAndRetriesCallsAndChangesItsSettingsAndDrainsWithoutAThread() throws Exception {
        ThreadGroup group = new ThreadGroup("single thread");
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread only = new Thread(group, () -> {
            try {
                runPipeline();
                assertThat(group.activeCount()).isEqualTo(1);
            } catch (Throwable failed) {
                failure.set(failed);
            }
        });
        only.setDaemon(true);
        only.start();
        only.join(TimeUnit.MINUTES.toMillis(5));

        assertThat(failure.get()).isNull();
        assertThat(only.isAlive()).isFalse();
    }

    @Test
    void repeatsARunExactly() {
        SingleThreadPipelineTest again = new SingleThreadPipelineTest();

        runPipeline();
        again.runPipeline();

        assertThat(again.attemptsNanos).isEqualTo(attemptsNanos);
    }

    private void runPipeline() {
        transport.atOnce = PublishResult.CONFIRMED;
        Pipeline pipeline = new Pipeline(
                settings(WORKERS),
                transport,
                PipelineEvents.NONE,
                Tracing.OFF,
                new PipelineParts(
                        new CurrentEgressPolicy(EgressSettings.DEFAULTS, EgressViolationListener.NONE),
                        this::executor,
                        worker -> new SimulatedEventLoop(platform),
                        SharedStore.Factory.NONE),
                platform);
        pipeline.start();
        long startNanos = platform.nanos();

        List<FakeDelivery> deliveries = new ArrayList<>();
        for (String path : List.of("", "large", "fails-once")) {
            deliveries.add(new FakeDelivery(
                    "{\"id\":\"i\",\"url\":\"http://partner.example/" + path + "\"}", platform.wallMillis(), Map.of()));
        }
        deliveries.forEach(each -> assertThat(transport.offer(each)).isTrue());
        assertThat(attemptsNanos).isEmpty();
        simulation.run(Duration.ofSeconds(5));

        assertThat(deliveries).allMatch(each -> "acknowledged".equals(each.settled.getNow("open")));
        assertThat(attemptsNanos).hasSize(4);
        assertThat(attemptsNanos.get(3) - startNanos).isGreaterThanOrEqualTo(TARGET_TAKES.toNanos());

        WorkerSettings onlyOne = new WorkerSettings(
                1, 8, 8, 10, DataSize.ofMebibytes(64), 10, 75, 2, Duration.ofSeconds(10), Duration.ofMinutes(1));
        assertThat(pipeline.reconfigure(settings(onlyOne))).isTrue();
        simulation.run(Duration.ofSeconds(1));
        assertThat(pipeline.status().workers()).hasSize(1);

        FakeDelivery last =
                new FakeDelivery("{\"id\":\"i\",\"url\":\"http://partner.example/\"}", platform.wallMillis(), Map.of());
        transport.offer(last);
        assertThat(pipeline.drain(Duration.ofSeconds(10), () -> {})).isTrue();
        assertThat(last.settled).isCompletedWithValue("acknowledged");
    }

    private static PipelineSettings settings(WorkerSettings workers) {
        return TestPipelines.settings(
                workers,
                TestPipelines.policy(
                        0, 0, RetrySettings.DEFAULTS.withAttempts(3, Duration.ofMillis(100), Duration.ofSeconds(1))));
    }

    private HttpExecutor executor(EventLoopGroup group, HttpSettings settings, DestinationPolicies destinations) {
        EventLoop loop = group.next();
        return new ConnectionlessExecutor() {
            @Override
            public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
                attemptsNanos.add(platform.nanos());
                CompletableFuture<HttpResult> result = new CompletableFuture<>();
                String path = request.url().pathAndQuery();
                boolean fails = path.equals("/fails-once") && attemptsNanos.size() <= 3;
                byte[] body = new byte[path.equals("/large") ? LARGE_BODY : 2];
                HttpResult response =
                        new HttpResult.Response(fails ? 503 : 200, List.of(), body, false, AttemptTiming.NONE);
                loop.schedule(() -> result.complete(response), TARGET_TAKES.toNanos(), TimeUnit.NANOSECONDS);
                return result;
            }
        };
    }
}
