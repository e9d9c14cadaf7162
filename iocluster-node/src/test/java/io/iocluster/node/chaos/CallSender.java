package io.iocluster.node.chaos;

import io.iocluster.node.chaos.broker.ChaosBroker;
import io.iocluster.testkit.chaos.ChaosPlan;
import io.iocluster.testkit.chaos.PlannedCall;
import io.iocluster.testkit.chaos.invariant.CallRecorder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Sends the calls of a plan at their times, and sends again what the broker does not confirm. Owned by one run. */
final class CallSender implements AutoCloseable {

    private static final int RETRY_MILLIS = 300;

    private final ChaosBroker broker;
    private final ChaosTargets targets;
    private final CallRecorder recorder;
    private final CountDownLatch open;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();

    /** Sends nothing yet. */
    CallSender(ChaosPlan plan, ChaosBroker broker, ChaosTargets targets, CallRecorder recorder) {
        this.broker = broker;
        this.targets = targets;
        this.recorder = recorder;
        this.open = new CountDownLatch(plan.calls().size());
    }

    /** Schedules the calls of the plan, counted from now. */
    void start(ChaosPlan plan) {
        plan.calls().forEach(call -> timer.schedule(() -> send(call), call.sendAtMillis(), TimeUnit.MILLISECONDS));
    }

    /** Waits until the broker has confirmed each call. */
    boolean await(Duration within) throws InterruptedException {
        return open.await(within.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void send(PlannedCall call) {
        byte[] envelope = call.envelope(targets::url, broker.replyTo()).getBytes(StandardCharsets.UTF_8);
        recorder.recordSent(call);
        broker.send(call.id(), envelope).whenComplete((confirmed, problem) -> {
            if (problem == null && confirmed) {
                open.countDown();
            } else {
                timer.schedule(() -> send(call), RETRY_MILLIS, TimeUnit.MILLISECONDS);
            }
        });
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
