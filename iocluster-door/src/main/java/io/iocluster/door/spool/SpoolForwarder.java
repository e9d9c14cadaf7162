package io.iocluster.door.spool;

import io.iocluster.door.call.CallResult.Failed;
import io.iocluster.door.call.CallResult.Reason;
import io.iocluster.door.call.Forwarder;
import io.iocluster.door.call.Forwarder.Forwarding;
import io.iocluster.door.call.Forwarder.Publication;
import io.iocluster.door.call.StoredCall;
import io.iocluster.door.call.StoredCallListener;
import io.iocluster.door.spool.SpoolEntry.State;
import io.iocluster.thread.NodeClock;
import io.iocluster.thread.Platform;
import io.iocluster.transport.outage.Backoff;
import io.iocluster.transport.outage.ProblemLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards stored calls, oldest first, with a bounded number of unconfirmed ones. Only these can be forwarded twice, except while confirmed
 * calls cannot be removed, because the disk is full. Confined to the spool's thread.
 */
final class SpoolForwarder {

    private static final Logger LOG = LoggerFactory.getLogger(SpoolForwarder.class);

    /** Maximum number of calls that are forwarded and still in the database, while calls can be removed from it. */
    static final int MAX_UNCONFIRMED = 256;

    /** Their maximum size, unless a single call is larger. */
    private static final long MAX_UNCONFIRMED_BYTES = 4 << 20;

    private final NodeClock clock;
    private final SpoolStore store;
    private final SpoolIndex index;
    private final SpoolCounters counters;
    private final Forwarder forwarder;
    private final StoredCallListener listener;
    private final BiConsumer<SpoolEntry, Publication> published;
    private final Backoff backoff;
    private final ProblemLog reading;
    /** True after a failed publish or read. The calls after it are not forwarded before it, unless they already were. */
    private boolean failed;

    private long retryNanos;

    /** @param published receives the state of each forwarded call, on any thread */
    SpoolForwarder(
            SpoolStore store,
            SpoolIndex index,
            SpoolCounters counters,
            Forwarder forwarder,
            StoredCallListener listener,
            BiConsumer<SpoolEntry, Publication> published,
            Platform platform) {
        this.clock = platform;
        this.backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5), platform.random());
        this.reading = new ProblemLog(LOG, null, platform);
        this.store = store;
        this.index = index;
        this.counters = counters;
        this.forwarder = forwarder;
        this.listener = listener;
        this.published = published;
    }

    /**
     * Forwards as many calls as may be unconfirmed.
     *
     * @param done receives calls that cannot be forwarded
     * @param toRemove number of confirmed calls that later writes remove; 0 while no call can be removed
     */
    void forward(List<SpoolEntry> done, int toRemove) {
        if (!forwarder.isConnected() || isWaitingForRetry()) {
            return;
        }
        while (index.forwarding() + toRemove < MAX_UNCONFIRMED && index.forwardingBytes() < MAX_UNCONFIRMED_BYTES) {
            SpoolEntry next = index.nextStored();
            if (next == null || !forward(next, done)) {
                return;
            }
        }
    }

    private boolean isWaitingForRetry() {
        if (failed && (index.forwarding() > 0 || clock.nanos() - retryNanos < 0)) {
            return true;
        }
        failed = false;
        return false;
    }

    /** Returns false if the call cannot be read now, or if the broker has refused it at once. Then later calls wait for it. */
    private boolean forward(SpoolEntry entry, List<SpoolEntry> done) {
        Forwarding forwarding;
        try {
            forwarding = forwarder.forward(read(entry));
        } catch (SpoolException | IllegalArgumentException unreadable) {
            LOG.error("Stored call is damaged and removed app={} id={}", entry.app, entry.id, unreadable);
            index.move(entry, State.DONE);
            done.add(entry);
            counters.failed++;
            listener.ended(
                    entry.app,
                    entry.id,
                    new Failed(
                            Reason.UNAVAILABLE, "the stored call cannot be read; the log of the door has the details"));
            return true;
        } catch (IOException notNow) {
            reading.raise("A stored call cannot be read", notNow);
            retryLater();
            return false;
        }
        reading.clear();
        index.move(entry, State.FORWARDING);
        entry.mayBeForwarded = true;
        counters.waiting.incrementAndGet();
        forwarding.published().whenComplete((publication, bug) -> published.accept(entry, publication));
        forwarding.published().thenCombine(forwarding.result(), (publication, result) -> {
            counters.waiting.decrementAndGet();
            if (publication != Publication.NOT_CONFIRMED) {
                listener.ended(entry.app, entry.id, result);
            }
            return null;
        });
        return forwarding.published().toCompletableFuture().getNow(null) != Publication.NOT_CONFIRMED;
    }

    private StoredCall read(SpoolEntry entry) throws IOException {
        byte[] record = store.read(entry.position);
        try {
            return RecordCodec.decode(record);
        } catch (IOException notACall) {
            throw new IllegalArgumentException("the record is not a call", notACall);
        }
    }

    private void retryLater() {
        if (!failed) {
            failed = true;
            retryNanos = clock.nanos() + backoff.nextDelayNanos();
        }
    }

    /** Handles the result of a publish. */
    void published(SpoolEntry entry, Publication publication, List<SpoolEntry> done) {
        switch (publication) {
            case CONFIRMED -> {
                counters.forwarded++;
                backoff.reset();
                index.move(entry, State.DONE);
                done.add(entry);
            }
            case ENDED -> {
                if (entry.expiresMillis <= clock.wallMillis()) {
                    counters.expired++;
                } else {
                    counters.failed++;
                }
                index.move(entry, State.DONE);
                done.add(entry);
            }
            case NOT_CONFIRMED -> {
                index.move(entry, State.STORED);
                retryLater();
            }
        }
    }
}
