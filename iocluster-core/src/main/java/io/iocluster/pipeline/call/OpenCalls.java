package io.iocluster.pipeline.call;

import io.iocluster.log.LogThrottle;
import io.iocluster.thread.NodeClock;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.LoggerFactory;

/**
 * Registers the calls that have not ended, so that none can be lost. Tells the app of each call that may be tried when it is added and
 * removed. Thread-safe.
 */
public final class OpenCalls implements Iterable<Call> {

    private final Set<Call> calls = ConcurrentHashMap.newKeySet();
    private final AtomicInteger created = new AtomicInteger();
    private final LogThrottle defects;

    public OpenCalls(NodeClock clock) {
        this.defects = new LogThrottle(LoggerFactory.getLogger(Call.class), clock::nanos);
    }

    /** Returns the number of the next call of the node. Numbers wrap. */
    int nextNumber() {
        return created.getAndIncrement();
    }

    void add(Call call) {
        calls.add(call);
        if (call.target() != null) {
            call.app().callOpened();
        }
    }

    void remove(Call call) {
        if (calls.remove(call) && call.target() != null) {
            call.app().callClosed(call);
        }
    }

    /** Returns the log of the calls' defects. */
    LogThrottle defects() {
        return defects;
    }

    /** Weakly consistent: visits every call that is open during the whole iteration. */
    @Override
    public Iterator<Call> iterator() {
        return calls.iterator();
    }
}
