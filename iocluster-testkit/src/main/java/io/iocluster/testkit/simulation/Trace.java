package io.iocluster.testkit.simulation;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The events of a run, and a hash: two runs with the same hash ran the same tasks at the same times, with the same content. */
public final class Trace {

    private static final int MAX_PAYLOAD = 400;

    private final Consumer<String> lines;
    private long hash = 17;
    private long nanos;
    private final AtomicLong steps = new AtomicLong();

    private Trace(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Returns a trace that keeps only the hash. */
    public static Trace hashOnly() {
        return new Trace(null);
    }

    /** Returns a trace that passes each line on. */
    public static Trace to(Consumer<String> lines) {
        return new Trace(lines);
    }

    /** Returns the beginning of a payload as text. */
    public static String shorten(byte[] payload) {
        String text = new String(payload, 0, Math.min(MAX_PAYLOAD, payload.length), StandardCharsets.UTF_8);
        return payload.length > MAX_PAYLOAD ? text + "… (" + payload.length + " bytes)" : text;
    }

    /** Returns the time of the last task. */
    public long nanos() {
        return nanos;
    }

    /** Returns how many tasks have run. Any thread. */
    public long steps() {
        return steps.get();
    }

    void step(long atNanos, long order) {
        steps.lazySet(steps.getPlain() + 1);
        nanos = atNanos;
        mix(atNanos);
        mix(order);
    }

    /** Adds an event. The text is created only if someone reads it. */
    public void add(String actor, Supplier<String> event) {
        if (lines != null) {
            lines.accept(String.format(Locale.ROOT, "%10.3f ms  %-16s %s", nanos / 1e6, actor, event.get()));
        }
    }

    /** Adds content to the hash, such as that of a message, which the order of the tasks does not show. */
    public void mix(long value) {
        // The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
        long mixed = (hash ^ value) * 0xbf58476d1ce4e5b9L;
        hash = (mixed ^ (mixed >>> 31)) * 0x94d049bb133111ebL;
    }

    public long hash() {
        return hash;
    }
}
