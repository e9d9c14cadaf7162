package io.iocluster.lab.bench.scenario;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import io.iocluster.lab.load.result.LatencyHistogram;
import io.iocluster.lab.load.result.LatencyRecorder;
import io.iocluster.lab.load.schedule.Pacer;
import io.iocluster.lab.load.schedule.Schedule;
import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;
import io.iocluster.thread.StageFailure;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Makes calls with the client at a fixed rate. Confined to the main thread. */
record ClientRun(IoClusterClient cluster, String url, int rate) {

    private static final long HANG_SECONDS = 60;

    /**
     * The results of a run.
     *
     * @param answered calls answered with status 200
     * @param expired calls answered with the outcome {@code expired}
     * @param timedOut calls that ended at their deadline without an answer
     * @param latency from when a call was due to its end
     */
    record ClientRunResult(long answered, long expired, long timedOut, LatencyHistogram latency) {}

    /**
     * Makes {@code calls} calls, and runs an action after half of them.
     *
     * @throws IllegalStateException if a call hangs or ends with another result
     */
    ClientRunResult run(int calls, Runnable halfway) {
        LatencyRecorder latencies = new LatencyRecorder();
        AtomicLong answered = new AtomicLong();
        AtomicLong expired = new AtomicLong();
        AtomicLong timedOut = new AtomicLong();
        Map<String, Integer> otherResults = new ConcurrentSkipListMap<>();
        CountDownLatch pending = new CountDownLatch(calls);
        CountDownLatch halfSent = new CountDownLatch(1);
        Request request = Request.get(url).build();
        Pacer pacer = Pacer.of(System.nanoTime(), Schedule.constant(rate, calls), (number, due) -> {
            if (number == calls / 2) {
                halfSent.countDown();
            }
            cluster.call(request).whenComplete((answer, failure) -> {
                latencies.record(System.nanoTime() - due);
                if (failure == null && answer.status() == 200) {
                    answered.incrementAndGet();
                } else if (failure == null && answer.outcome() == Outcome.EXPIRED) {
                    expired.incrementAndGet();
                } else if (StageFailure.unwrap(failure) instanceof CallTimeoutException) {
                    timedOut.incrementAndGet();
                } else {
                    otherResults.merge(resultName(answer, failure), 1, Integer::sum);
                }
                pending.countDown();
            });
        });
        pacer.start();
        await(halfSent);
        halfway.run();
        pacer.awaitSent();
        await(pending);
        if (!otherResults.isEmpty()) {
            throw new IllegalStateException(answered + " of " + calls + " calls were answered with 200, " + expired
                    + " expired, " + timedOut + " timed out; other results: " + otherResults);
        }
        return new ClientRunResult(answered.get(), expired.get(), timedOut.get(), latencies.histogram());
    }

    private static String resultName(Answer answer, Throwable failure) {
        if (failure != null) {
            return StageFailure.unwrap(failure).getClass().getSimpleName();
        }
        return answer.error() == null
                ? Integer.toString(answer.status())
                : answer.error().code();
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(HANG_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(latch.getCount() + " calls hang");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
