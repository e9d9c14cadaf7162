package io.iocluster.node.events;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.log.LogThrottle;
import io.iocluster.node.admin.AdminException;
import io.iocluster.thread.LoopThread;
import io.iocluster.thread.Platform;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The open event streams of a node. A thread reads and encodes each part once for all streams that want it. It exists only while a
 * stream is open. Thread-safe.
 */
public final class EventStreams {

    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final List<EventPart> parts;
    private final int maxStreams;
    private final BooleanSupplier stopped;
    private final EventTiming timing;
    private final Platform platform;
    private final LogThrottle defects;
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Set<EventStream> open = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean hasNewStream;

    /** Sends to the open streams; null if there is none. */
    @GuardedBy("lock")
    private LoopThread thread;

    /**
     * Creates the streams of a node.
     *
     * @param parts what a stream can send, in the order of its events
     * @param maxStreams maximum number of open streams
     * @param stopped returns whether the node has drained: its state no longer changes, so the streams send it and end
     */
    public EventStreams(
            List<EventPart> parts, int maxStreams, BooleanSupplier stopped, EventTiming timing, Platform platform) {
        this.platform = platform;
        this.defects = new LogThrottle(LOG, platform::nanos);
        this.parts = List.copyOf(parts);
        this.maxStreams = maxStreams;
        this.stopped = stopped;
        this.timing = timing;
    }

    List<EventPart> parts() {
        return parts;
    }

    /**
     * Opens a stream that begins with the current value of each part.
     *
     * @param wanted names of parts
     * @throws AdminException if too many are open, or if the node has stopped
     */
    EventStream open(Set<String> wanted) {
        if (stopped.getAsBoolean()) {
            throw new AdminException(503, "the node has drained and its state no longer changes; read /api/status");
        }
        EventStream stream = new EventStream(wanted, parts.size(), timing, this::remove, platform);
        synchronized (lock) {
            if (open.size() >= maxStreams) {
                throw new AdminException(
                        429,
                        open.size()
                                + " event streams are open, as many as admin.max-event-streams allows; close one or raise it");
            }
            open.add(stream);
            hasNewStream = true;
            if (thread == null) {
                thread = platform.newLoop("iocluster-events", new Sender());
                thread.start();
            } else {
                thread.wake();
            }
        }
        return stream;
    }

    private void remove(EventStream stream) {
        synchronized (lock) {
            open.remove(stream);
            if (thread != null) {
                thread.wake();
            }
        }
    }

    /** Sends to the open streams, until there is none. Confined to its thread. */
    private final class Sender implements LoopThread.Task {

        private final byte[][] events = new byte[parts.size()][];
        private long nextNanos = platform.nanos();
        private long tick;

        @Override
        public long run() {
            List<EventStream> streams;
            boolean isNew;
            synchronized (lock) {
                if (open.isEmpty()) {
                    thread = null;
                    return END;
                }
                streams = List.copyOf(open);
                isNew = hasNewStream;
                hasNewStream = false;
            }
            boolean due = platform.nanos() - nextNanos >= 0;
            if (due || isNew) {
                sendTo(streams, due);
            }
            return Math.max(0, nextNanos - platform.nanos());
        }

        private void sendTo(List<EventStream> streams, boolean due) {
            boolean last = false;
            try {
                last = stopped.getAsBoolean();
                send(streams, events, due ? tick : -1);
            } catch (Throwable bug) {
                // Also for an Error, because the streams would otherwise stay open without events.
                logDefect(bug);
                last = true;
            }
            if (last) {
                streams.forEach(EventStream::end);
            }
            streams.forEach(EventStream::cutOffIfStalled);
            if (due) {
                tick++;
                // A late tick does not make the next ones early.
                nextNanos = Math.max(nextNanos + timing.tick().toNanos(), platform.nanos());
            }
        }
    }

    /** Logs at most once in ten seconds, because clients open new streams as long as the defect lasts. */
    private void logDefect(Throwable bug) {
        defects.error("Event streams end because of a defect; clients can poll the paths of the API", bug);
    }

    /**
     * Offers to each stream the parts that it wants.
     *
     * @param events the latest event of each part that a stream wants
     * @param tick -1 between two ticks: reads only what a new stream wants
     */
    private void send(List<EventStream> streams, byte[][] events, long tick) {
        for (int i = 0; i < events.length; i++) {
            EventPart part = parts.get(i);
            List<EventStream> wanting =
                    streams.stream().filter(each -> each.wants(part.name())).toList();
            if (wanting.isEmpty()) {
                events[i] = null;
                continue;
            }
            int index = i;
            boolean due = tick >= 0 && tick % part.everyTicks() == 0;
            // A new stream begins with the current value, not with one that is some seconds old.
            if (due || wanting.stream().anyMatch(each -> each.hasNone(index))) {
                byte[] event = encode(part);
                // Streams compare by identity, so an unchanged event must be the same array.
                events[i] = Arrays.equals(event, events[i]) ? events[i] : event;
            }
            byte[] event = events[i];
            wanting.forEach(each -> each.offer(index, event));
        }
    }

    private static byte[] encode(EventPart part) {
        ByteArrayOutputStream event = new ByteArrayOutputStream();
        event.writeBytes(("event: " + part.name() + "\ndata: ").getBytes(StandardCharsets.UTF_8));
        event.writeBytes(JSON.writeValueAsBytes(part.json().get()));
        event.write('\n');
        event.write('\n');
        return event.toByteArray();
    }
}
