package io.iocluster.lab.bench.scenario;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import io.iocluster.lab.bench.run.Pacer;
import io.iocluster.message.Answer;
import io.iocluster.message.Outcome;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Makes calls by the client, each when it is due. Used by the bench's main thread. */
record ClientRun(IoClusterClient cluster, String url, int rate) {

    private static final long HANGING_SECONDS = 60;

    /**
     * How calls ended.
     *
     * @param answered with status 200
     * @param expired with the node's word that their deadlines had passed
     * @param timedOut at their deadlines
     * @param micros from when a call was due to its end
     */
    record ClientRunResult(long answered, long expired, long timedOut, Histogram micros) {

        double percentileMillis(double percentile) {
            return micros.getValueAtPercentile(percentile) / 1e3;
        }
    }

    /**
     * Makes so many calls, and does something in the middle.
     *
     * @throws IllegalStateException if a call hangs, or ends otherwise
     */
    ClientRunResult run(int calls, Runnable inTheMiddle) {
        Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(5), 3);
        AtomicLong answered = new AtomicLong();
        AtomicLong expired = new AtomicLong();
        AtomicLong timedOut = new AtomicLong();
        Map<String, Integer> otherwise = new ConcurrentSkipListMap<>();
        CountDownLatch open = new CountDownLatch(calls);
        CountDownLatch middle = new CountDownLatch(1);
        Request request = Request.get(url).build();
        Pacer pacer = new Pacer(System.nanoTime(), rate, calls, (number, due) -> {
            if (number == calls / 2) {
                middle.countDown();
            }
            cluster.call(request).whenComplete((answer, failure) -> {
                micros.recordValue((System.nanoTime() - due) / 1_000);
                if (failure == null && answer.status() == 200) {
                    answered.incrementAndGet();
                } else if (failure == null && answer.outcome() == Outcome.EXPIRED) {
                    expired.incrementAndGet();
                } else if (cause(failure) instanceof CallTimeoutException) {
                    timedOut.incrementAndGet();
                } else {
                    otherwise.merge(ending(answer, failure), 1, Integer::sum);
                }
                open.countDown();
            });
        });
        pacer.start();
        await(middle);
        inTheMiddle.run();
        pacer.awaitSent();
        await(open);
        if (!otherwise.isEmpty()) {
            throw new IllegalStateException(answered + " of " + calls + " calls were answered with 200, " + expired
                    + " as expired, " + timedOut + " ended at their deadlines, and others so: " + otherwise);
        }
        return new ClientRunResult(answered.get(), expired.get(), timedOut.get(), micros);
    }

    private static String ending(Answer answer, Throwable failure) {
        if (failure != null) {
            return cause(failure).getClass().getSimpleName();
        }
        return answer.error() == null
                ? Integer.toString(answer.status())
                : answer.error().code();
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException ? failure.getCause() : failure;
    }

    private static void await(CountDownLatch latch) {
        try {
            if (!latch.await(HANGING_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(latch.getCount() + " calls hang");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
