package io.iocluster.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.oracle.Promise;
import io.iocluster.simulation.oracle.Violation;
import io.iocluster.testkit.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/** Checks that a campaign ends although a run does not. */
class EndlessRunTest {

    @Test
    void tasksThatStartEachOtherForEverAreAViolation() {
        Run run = firstRun(
                new Campaign(BrokerKind.QUEUE, () -> attempting((process, request) -> again(process)), 1, false));

        assertThat(run.violations()).extracting(Violation::promise).contains(Promise.TERMINATES);
        assertThat(run.violations().toString()).contains("tasks in a second");
    }

    private static void again(SimulatedProcess process) {
        process.after(Duration.ZERO, () -> again(process));
    }

    @Test
    void endlessRecursionIsAViolation() {
        Run run = firstRun(new Campaign(
                BrokerKind.QUEUE,
                () -> attempting((process, request) -> process.after(Duration.ZERO, EndlessRunTest::recurse)),
                1,
                false));

        assertThat(run.violations()).extracting(Violation::promise).contains(Promise.TERMINATES);
    }

    @SuppressWarnings("InfiniteRecursion") // This is the defect that the test plants.
    private static int recurse() {
        return recurse() + 1;
    }

    @Test
    void aTaskThatDoesNotReturnIsAViolationWithItsSeedAndStack() {
        CountDownLatch end = new CountDownLatch(1);
        AtomicBoolean blocked = new AtomicBoolean();
        Wiring blocking = attempting((process, request) -> {
            blocked.set(true);
            blockUntil(end);
        });
        // Time passes only while the task is blocked, an hour at each look.
        AtomicLong hours = new AtomicLong();
        LongSupplier clock = () -> TimeUnit.HOURS.toNanos(blocked.get() ? hours.incrementAndGet() : hours.get());
        Campaign campaign = new Campaign(BrokerKind.QUEUE, () -> blocking, 1, false, clock);

        Run run = firstRun(campaign);
        end.countDown();

        assertThat(run.violations()).extracting(Violation::promise).containsExactly(Promise.TERMINATES);
        assertThat(run.violations().toString())
                .contains("a task does not return")
                .contains("blockUntil");
    }

    private static void blockUntil(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static Run firstRun(Campaign campaign) {
        AtomicReference<Run> first = new AtomicReference<>();
        long seed = campaign.run(new SeedRange(1, 1), false, (of, run) -> first.compareAndSet(null, run));
        assertThat(seed).isEqualTo(1);
        return first.get();
    }

    @FunctionalInterface
    private interface Disturbing {

        void before(SimulatedProcess process, HttpRequest request);
    }

    /** Returns a wiring that runs something before each attempt. */
    private static Wiring attempting(Disturbing disturbing) {
        return new Wiring() {

            @Override
            public HttpExecutor executor(SimulatedProcess process, HttpExecutor correct) {
                return new HttpExecutor() {

                    @Override
                    public CompletableFuture<HttpResult> execute(
                            HttpRequest request, Duration timeout, BodyBudget budget) {
                        disturbing.before(process, request);
                        return correct.execute(request, timeout, budget);
                    }

                    @Override
                    public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
                        return correct.resolve(name);
                    }

                    @Override
                    public ConnectionStats connectionStats() {
                        return correct.connectionStats();
                    }

                    @Override
                    public void close() {
                        correct.close();
                    }
                };
            }
        };
    }
}
