package io.iocluster.destination;

import static io.iocluster.destination.DestinationFixture.NO_BREAKER;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.Origin;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.thread.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Threads grant, complete, retry, expire, cancel and release the same permits while the node is resized, at moments
 * that a seed chooses. {@code -Dstress.seed=N} replays one seed.
 */
class CallPermitStressTest {

    private static final int CALLS = 20_000;
    private static final HttpResult OK =
            new HttpResult.Response(200, List.of(), new byte[0], false, AttemptTiming.NONE);

    private final InFlightWindow window = new InFlightWindow(8, 50, 100, 100_000, () -> {});
    private final LinkedBlockingQueue<StressCall> started = new LinkedBlockingQueue<>();
    private final List<StressCall> calls = new ArrayList<>();
    private final DestinationRegistry<StressCall> destinations = new DestinationRegistry<>(
            List.of(),
            DestinationFixture.policy(3, 20, NO_BREAKER),
            10,
            75,
            window,
            started::add,
            host -> null,
            Platform.system(),
            Platform.system().random());
    private final AtomicLong releases = new AtomicLong();
    private final List<Throwable> failures = new ArrayList<>();
    private volatile boolean offering = true;

    private record StressCall(CallPermit permit, Destination<StressCall> destination, long deadlineNanos)
            implements PendingCall {

        @Override
        public long queuedBytes() {
            return permit.messageBytes();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyCounterReturnsToZeroHoweverCallsEnd(long given) throws Exception {
        long seed = Long.getLong("stress.seed", given);
        List<Thread> threads = List.of(
                thread(new Random(seed + 1), this::attempt),
                thread(new Random(seed + 2), this::attempt),
                thread(new Random(seed + 3), this::cancelAny),
                thread(new Random(seed + 4), this::tick));

        Random random = new Random(seed);
        for (int i = 0; i < CALLS; i++) {
            offer(random);
        }
        offering = false;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        }
        destinations.close();
        // Releases the calls that a lost worker left.
        calls.stream().filter(call -> !call.permit.isReleased()).forEach(this::release);

        assertThat(failures).isEmpty();
        assertThat(List.of(window.held(), window.inFlight(), window.unconfirmed(), window.waiting()))
                .as("held, in flight, unconfirmed, waiting, seed %d", seed)
                .containsOnly(0);
        assertThat(List.of(window.bytes(), window.keptAnswerRoom()))
                .as("bytes, seed %d", seed)
                .containsOnly(0L);
        assertThat(destinations.status())
                .as("destinations, seed %d", seed)
                .allMatch(each -> each.inFlight() == 0 && each.waiting() == 0);
        assertThat(window.duplicateReleases())
                .as("second releases, seed %d", seed)
                .isEqualTo(releases.get() - CALLS)
                .isPositive();
    }

    private void offer(Random random) {
        while (true) {
            CallPermit permit = window.tryAcquire(100 + random.nextInt(400));
            if (permit == null) {
                Thread.onSpinWait();
                continue;
            }
            permit.setResponseReserve(random.nextInt(3) == 0 ? 500 : 0);
            permit.keepRoomForAnswer(random.nextInt(2) * 1_000);
            permit.addMessageBytes(random.nextInt(100));
            Destination<StressCall> target =
                    destinations.destinationFor(new Origin("http", "host" + random.nextInt(4), 80));
            long deadline = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(1 + random.nextInt(20_000));
            StressCall call = new StressCall(permit, target, deadline);
            Admission admission = target.offer(call);
            if (admission == Admission.BACKPRESSURE) {
                permit.withdraw();
                continue;
            }
            synchronized (calls) {
                calls.add(call);
            }
            if (admission != Admission.ADMITTED && admission != Admission.QUEUED) {
                release(call);
            }
            return;
        }
    }

    private void attempt(Random random) throws InterruptedException {
        StressCall call = started.poll(1, TimeUnit.MILLISECONDS);
        if (call == null) {
            return;
        }
        call.permit.tryReserve(random.nextInt(800));
        switch (random.nextInt(8)) {
            case 0 -> call.permit.abandonAttempt();
            case 1 -> {
                // Its worker is lost.
                return;
            }
            case 2, 3 -> {
                call.permit.completeAttempt(OK);
                call.permit.awaitRetry();
                if (call.destination.retry(call, Duration.ofNanos(random.nextInt(100_000)))) {
                    call.destination.dispatchWaiting();
                    return;
                }
            }
            default -> call.permit.completeAttempt(OK);
        }
        if (call.permit.tryEnd()) {
            call.permit.tryReserveToEncode(200);
            release(call);
        }
        call.destination.dispatchWaiting();
    }

    private void cancelAny(Random random) {
        StressCall any;
        synchronized (calls) {
            any = calls.isEmpty() ? null : calls.get(Math.max(0, calls.size() - 1 - random.nextInt(50)));
        }
        if (any == null) {
            return;
        }
        if (random.nextInt(4) == 0) {
            release(any);
        } else if (any.permit.tryEnd()) {
            release(any);
        }
        any.destination.dispatchWaiting();
    }

    private void tick(Random random) {
        destinations.tick(expired -> {
            if (expired.permit.tryEnd()) {
                release(expired);
            }
        });
        // A watchdog ends what a lost worker left, so that slots do not run out.
        List<StressCall> late;
        synchronized (calls) {
            late = calls.subList(Math.max(0, calls.size() - 500), calls.size()).stream()
                    .filter(call -> call.deadlineNanos - System.nanoTime() < 0 && call.permit.tryEnd())
                    .toList();
        }
        late.forEach(this::release);
        if (random.nextInt(20) == 0) {
            window.resize(1 + random.nextInt(12), 10 + random.nextInt(50), 100, 50_000 + random.nextInt(100_000));
        }
    }

    private void release(StressCall call) {
        releases.incrementAndGet();
        call.permit.release();
    }

    private interface Step {
        void run(Random random) throws Exception;
    }

    private Thread thread(Random random, Step step) {
        Thread thread = new Thread(() -> {
            try {
                while (offering || !started.isEmpty()) {
                    step.run(random);
                }
            } catch (Throwable failure) {
                synchronized (calls) {
                    failures.add(failure);
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
