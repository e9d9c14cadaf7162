package io.iocluster.pipeline.call;

import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Registers the calls that have not ended, so that none can be lost. Thread-safe. */
public final class OpenCalls implements Iterable<Call> {

    private final Set<Call> calls = ConcurrentHashMap.newKeySet();

    void add(Call call) {
        calls.add(call);
    }

    void remove(Call call) {
        calls.remove(call);
    }

    /** Weakly consistent: visits every call that is open during the whole iteration. */
    @Override
    public Iterator<Call> iterator() {
        return calls.iterator();
    }
}
