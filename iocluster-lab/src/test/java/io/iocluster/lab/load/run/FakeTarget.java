package io.iocluster.lab.load.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.lab.load.data.CallSpec;
import io.iocluster.lab.load.target.CallObserver;
import io.iocluster.lab.load.target.LoadTarget;
import io.iocluster.message.Answer.Timing;
import io.iocluster.thread.DaemonThreadFactory;
import java.util.ArrayList;
import java.util.List;
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
    private final int together;

    @GuardedBy("this")
    private final List<Runnable> open = new ArrayList<>();

    /**
     * Creates a target that ends each call before {@link #send} returns.
     *
     * @param code the code of a call; null if it never ends
     */
    FakeTarget(Function<CallSpec, String> code) {
        this(1, code);
    }

    /**
     * Creates a target that holds its calls.
     *
     * @param together how many calls it holds before it ends all of them
     * @param code the code of a call; null if it never ends
     */
    FakeTarget(int together, Function<CallSpec, String> code) {
        this.together = together;
        this.code = code;
    }

    @Override
    public void send(CallSpec call, CallObserver observer) {
        received.incrementAndGet();
        maxInFlight.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
        String result = code.apply(call);
        if (result != null) {
            end(() -> {
                inFlight.decrementAndGet();
                observer.ended(result, result.startsWith("2"), new Timing(1, 5, 0, 0, 0, 3));
            });
        }
    }

    private synchronized void end(Runnable call) {
        if (together == 1) {
            call.run();
            return;
        }
        open.add(call);
        if (open.size() == together) {
            List<Runnable> ending = List.copyOf(open);
            open.clear();
            // Later, so that the test fails if a further call is sent meanwhile.
            timer.schedule(() -> ending.forEach(Runnable::run), 5, TimeUnit.MILLISECONDS);
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
