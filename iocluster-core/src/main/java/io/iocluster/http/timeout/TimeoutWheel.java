package io.iocluster.http.timeout;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the open attempts of one executor and ends them when their timeout is over. Confined to the event loop: unlike Netty's {@code
 * HashedWheelTimer}, a timeout takes no queue, allocates nothing and wakes no other thread.
 *
 * <p>The wheel is scheme 6 of George Varghese and Tony Lauck, <i>Hashed and Hierarchical Timing Wheels</i>, SOSP 1987.
 *
 * @param <E> the type of the attempts
 */
public final class TimeoutWheel<E extends TimeoutWheel.Entry<E>> {

    /** Time between two ticks, unless another one is given. A timeout ends at most one tick late, unless the loop is busy. */
    static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** A power of two. One turn takes five seconds with ticks of 10 ms. */
    static final int SLOTS = 512;

    private static final Logger LOG = LoggerFactory.getLogger(TimeoutWheel.class);

    private final EventLoop loop;
    private final LongSupplier clock;
    private final long tickNanos;
    private final long startNanos;

    /** The newest attempt of each slot, linked to the older ones. */
    private final E[] slots;

    private int size;
    private boolean tickScheduled;

    /** The last tick whose slot was visited. */
    private long visited;

    /**
     * An attempt in the wheel.
     *
     * @param <E> the type itself
     */
    public abstract static class Entry<E> {

        private E newer;
        private E older;
        /** The first tick at which the timeout is over. */
        private long endTick;

        /** Ends the attempt, unless it has ended. Called after the timeout. */
        protected abstract void timeOut();
    }

    /** Creates an empty wheel with ticks of 10 ms. The clock returns monotonic nanoseconds. */
    public TimeoutWheel(EventLoop loop, LongSupplier clock) {
        this(loop, clock, TICK_NANOS);
    }

    /** Creates an empty wheel with other ticks. */
    @SuppressWarnings("unchecked") // Only entries of this type are added.
    public TimeoutWheel(EventLoop loop, LongSupplier clock, long tickNanos) {
        this.loop = loop;
        this.clock = clock;
        this.tickNanos = tickNanos;
        this.startNanos = clock.getAsLong();
        this.slots = (E[]) new Entry<?>[SLOTS];
    }

    /** Adds an attempt that started at this time of the clock, with its timeout. */
    public void add(E attempt, long attemptStartNanos, long timeoutNanos) {
        long passed = attemptStartNanos - startNanos;
        if (size == 0) {
            // No tick was needed while the wheel was empty.
            visited = passed / tickNanos;
        }
        if (!tickScheduled) {
            scheduleTick();
        }
        Entry<E> entry = attempt;
        // Rounded up, because no attempt may end early. In a slot that the next tick visits, even if the start was a
        // while ago.
        entry.endTick = Math.max(visited, (passed + Math.min(timeoutNanos, Long.MAX_VALUE / 2)) / tickNanos) + 1;
        int slot = slotOf(entry.endTick);
        link(attempt, slots[slot]);
        slots[slot] = attempt;
        size++;
    }

    private void link(E newer, E older) {
        ((Entry<E>) newer).older = older;
        if (older != null) {
            ((Entry<E>) older).newer = newer;
        }
    }

    /** Removes an attempt that has ended. Call it once. */
    public void remove(E attempt) {
        Entry<E> entry = attempt;
        if (entry.newer == null) {
            slots[slotOf(entry.endTick)] = entry.older;
        } else {
            ((Entry<E>) entry.newer).older = entry.older;
        }
        if (entry.older != null) {
            ((Entry<E>) entry.older).newer = entry.newer;
        }
        entry.newer = null;
        entry.older = null;
        size--;
    }

    /** Returns all attempts. */
    public List<E> all() {
        List<E> all = new ArrayList<>(size);
        for (E newest : slots) {
            for (E each = newest; each != null; each = ((Entry<E>) each).older) {
                all.add(each);
            }
        }
        return all;
    }

    private long passedNanos() {
        return clock.getAsLong() - startNanos;
    }

    private static int slotOf(long tick) {
        return (int) tick & (SLOTS - 1);
    }

    private void scheduleTick() {
        tickScheduled = true;
        loop.schedule(this::tick, tickNanos, TimeUnit.NANOSECONDS);
    }

    /** Ends the attempts whose timeout is over. The loop calls it every tick while there are attempts. */
    void tick() {
        tickScheduled = false;
        try {
            findExpired(passedNanos() / tickNanos).forEach(TimeoutWheel::timeOut);
        } finally {
            if (size > 0 && !tickScheduled) {
                scheduleTick();
            }
        }
    }

    private static void timeOut(Entry<?> attempt) {
        try {
            attempt.timeOut();
        } catch (Throwable bug) {
            LOG.error("Attempt not ended after its timeout because of a defect; the others end", bug);
        }
    }

    /** Returns the attempts whose timeout is over at this tick. Ends none of them, because that may end and remove others too. */
    private List<E> findExpired(long now) {
        List<E> over = List.of();
        for (long tick = Math.max(visited, now - SLOTS) + 1; tick <= now; tick++) {
            for (E each = slots[slotOf(tick)]; each != null; each = ((Entry<E>) each).older) {
                if (((Entry<E>) each).endTick <= now) {
                    over = over.isEmpty() ? new ArrayList<>() : over;
                    over.add(each);
                }
            }
        }
        visited = now;
        return over;
    }
}
