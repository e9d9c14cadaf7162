package io.iocluster.node.tap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.limit.RateLimit;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.Answer;
import io.iocluster.settings.Rate;
import io.iocluster.thread.NodeClock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Supplier;

/**
 * One open tap: keeps a sample of the calls that match its filter, until it is read. Bounded in rate and in number.
 * Thread-safe: its own lock, which only matching calls take.
 */
final class Tap {

    private final TapFilter filter;
    private final UrlRedaction urls;
    private final Supplier<SecretRedaction> secrets;
    private final int bufferSize;
    private final NodeClock clock;

    @GuardedBy("this")
    private final RateLimit rate;

    @GuardedBy("this")
    private final Queue<TappedCall> buffer = new ArrayDeque<>();

    @GuardedBy("this")
    private long matched;

    @GuardedBy("this")
    private long skipped;

    @GuardedBy("this")
    private long dropped;

    /**
     * Creates an empty tap.
     *
     * @param bufferSize maximum number of calls that wait to be read
     */
    Tap(
            TapFilter filter,
            Rate rate,
            int bufferSize,
            UrlRedaction urls,
            Supplier<SecretRedaction> secrets,
            NodeClock clock) {
        this.clock = clock;
        this.filter = filter;
        this.rate = new RateLimit("tap", rate, 1, clock::nanos);
        this.bufferSize = bufferSize;
        this.urls = urls;
        this.secrets = secrets;
    }

    /** Keeps the call if it matches and fits. */
    void offer(String position, String destination, HttpRequest request, Answer answer) {
        if (!filter.matches(destination, answer)) {
            return;
        }
        synchronized (this) {
            matched++;
            if (!rate.tryReserve(clock.nanos())) {
                skipped++;
            } else if (buffer.size() >= bufferSize) {
                dropped++;
            } else {
                rate.consumeReservation();
                buffer.add(TappedCall.of(
                        Instant.ofEpochMilli(clock.wallMillis()),
                        position,
                        destination,
                        request,
                        answer,
                        urls,
                        secrets.get()));
            }
        }
    }

    /** Removes and returns the calls that were kept since the last time, oldest first. */
    synchronized List<TappedCall> poll() {
        List<TappedCall> calls = new ArrayList<>(buffer);
        buffer.clear();
        return calls;
    }

    /** Returns the counts since the start. */
    synchronized TapCounts counts() {
        return new TapCounts(matched, skipped, dropped);
    }

    /**
     * What became of calls that match the filter.
     *
     * @param skipped left out because of the rate
     * @param dropped left out because the reader was too slow
     */
    record TapCounts(long matched, long skipped, long dropped) {}
}
