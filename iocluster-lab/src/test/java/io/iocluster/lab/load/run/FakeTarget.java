package io.iocluster.lab.load.run;

import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.target.CallObserver;
import io.iocluster.lab.load.target.LoadTarget;
import io.iocluster.message.Answer.Timing;
import io.iocluster.thread.DaemonThreadFactory;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Ends each call as a test says. Thread-safe. */
final class FakeTarget implements LoadTarget {

    private final ScheduledExecutorService timer = DaemonThreadFactory.newScheduler("fake-target");
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger maxInFlight = new AtomicInteger();
    private final AtomicInteger received = new AtomicInteger();
    private final Function<CallSpec, String> code;
    private final long delayMillis;

    /**
     * Creates a target.
     *
     * @param code the code of a call; null if it never ends
     */
    FakeTarget(long delayMillis, Function<CallSpec, String> code) {
        this.delayMillis = delayMillis;
        this.code = code;
    }

    @Override
    public void send(CallSpec call, CallObserver observer) {
        received.incrementAndGet();
        maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        String result = code.apply(call);
        if (result != null) {
            timer.schedule(
                    () -> {
                        inFlight.decrementAndGet();
                        observer.ended(result, result.startsWith("2"), new Timing(1, 5, 0, 0, 0, 3));
                    },
                    delayMillis,
                    TimeUnit.MILLISECONDS);
        }
    }

    int received() {
        return received.get();
    }

    int maxInFlight() {
        return maxInFlight.get();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
