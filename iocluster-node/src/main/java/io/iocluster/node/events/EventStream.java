package io.iocluster.node.events;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.admin.AdminStream;
import io.iocluster.thread.NodeClock;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The events of one client. It keeps only the latest event of each part, so a client that reads slowly misses older ones and costs no
 * further memory. Thread-safe.
 */
final class EventStream implements AdminStream {

    private static final byte[] HEARTBEAT = ": heartbeat\n\n".getBytes(US_ASCII);
    private static final byte[] NOTHING = {};

    /** Maximum number of bytes of one write, so that a client that reads a large event slowly does not look as if it read nothing. */
    static final int MAX_WRITE_BYTES = 512 << 10;

    private final Set<String> parts;
    private final EventTiming timing;
    private final Consumer<EventStream> closed;
    private final CompletableFuture<Void> cutOff = new CompletableFuture<>();
    private final NodeClock clock;
    private final long openedNanos;

    /** The latest event of each part, and the one of it that the client has not read yet; null if there is none. By index of the part. */
    @GuardedBy("this")
    private final byte[][] latest;

    @GuardedBy("this")
    private final byte[][] unread;

    @GuardedBy("this")
    private boolean hasUnread;

    /** The events that are being sent, and how much of them was sent. */
    @GuardedBy("this")
    private byte[] sending = NOTHING;

    @GuardedBy("this")
    private int sentBytes;

    @GuardedBy("this")
    private boolean ended;

    @GuardedBy("this")
    private long polledNanos;

    @GuardedBy("this")
    private long sentNanos;

    /**
     * Creates a stream.
     *
     * @param parts the names of the parts that the client wants
     * @param count number of all parts
     * @param closed called once when the response has ended
     */
    EventStream(Set<String> parts, int count, EventTiming timing, Consumer<EventStream> closed, NodeClock clock) {
        this.clock = clock;
        this.openedNanos = clock.nanos();
        this.polledNanos = openedNanos;
        this.sentNanos = openedNanos;
        this.parts = Set.copyOf(parts);
        this.timing = timing;
        this.closed = closed;
        this.latest = new byte[count][];
        this.unread = new byte[count][];
    }

    /** Returns whether the client wants this part. */
    boolean wants(String part) {
        return parts.contains(part);
    }

    /** Replaces what the client has not read of this part. Does nothing if it has this event, which is compared by identity. */
    synchronized void offer(int part, byte[] event) {
        if (latest[part] != event) {
            latest[part] = event;
            unread[part] = event;
            hasUnread = true;
        }
    }

    /** Returns whether this part was not offered yet. */
    synchronized boolean hasNone(int part) {
        return latest[part] == null;
    }

    /** Ends the response after what the client has not read yet. */
    synchronized void end() {
        ended = true;
    }

    /** Cuts the response off if its client has read nothing for too long. */
    void cutOffIfStalled() {
        long nanos = clock.nanos();
        synchronized (this) {
            boolean waits = hasUnread || sending.length > 0;
            if (!waits || nanos - polledNanos < timing.stalled().toNanos()) {
                return;
            }
        }
        cutOff.complete(null);
    }

    @Override
    public Duration maxDuration() {
        return timing.longest();
    }

    @Override
    public CompletableFuture<Void> cutOff() {
        return cutOff;
    }

    @Override
    public synchronized byte[] poll() {
        long now = clock.nanos();
        polledNanos = now;
        if (sending.length == 0 && hasUnread) {
            sending = takeUnread();
            sentBytes = 0;
        }
        if (sending.length > 0) {
            sentNanos = now;
            return nextWrite();
        }
        if (ended || now - openedNanos >= timing.longest().toNanos()) {
            return null;
        }
        if (now - sentNanos >= timing.heartbeat().toNanos()) {
            sentNanos = now;
            return HEARTBEAT;
        }
        return NOTHING;
    }

    @GuardedBy("this")
    private byte[] nextWrite() {
        int end = Math.min(sending.length, sentBytes + MAX_WRITE_BYTES);
        byte[] next = end - sentBytes == sending.length ? sending : Arrays.copyOfRange(sending, sentBytes, end);
        sentBytes = end;
        if (end == sending.length) {
            sending = NOTHING;
        }
        return next;
    }

    @GuardedBy("this")
    private byte[] takeUnread() {
        ByteArrayOutputStream events = new ByteArrayOutputStream();
        for (int part = 0; part < unread.length; part++) {
            if (unread[part] != null) {
                events.writeBytes(unread[part]);
                unread[part] = null;
            }
        }
        hasUnread = false;
        return events.toByteArray();
    }

    @Override
    public void close() {
        closed.accept(this);
    }
}
