package io.iocluster.pipeline.worker;

import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallOwner;
import io.iocluster.pipeline.call.Hold;
import io.iocluster.pipeline.call.OpenCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The calls that a worker holds: calls that wait for their attempt, and calls whose attempt has started. Of all threads that start, end or
 * move a call, only one detaches it and then owns it. Thread-safe.
 */
final class HeldCalls {

    private final OpenCalls open;
    private final Hold queued;
    private final Hold attempting;
    private final AtomicInteger count = new AtomicInteger();

    HeldCalls(CallOwner worker, OpenCalls open) {
        this.open = open;
        this.queued = new Hold(worker);
        this.attempting = new Hold(worker);
    }

    /** Returns the number of calls. */
    int count() {
        return count.get();
    }

    /** Adds a call that waits for its attempt. */
    void add(Call call) {
        count.incrementAndGet();
        call.progress().assignTo(queued);
    }

    /** Returns whether the call waits here for its attempt. */
    boolean isQueued(Call call) {
        return call.progress().isAssignedTo(queued);
    }

    /** Returns whether the attempt of the call has started here. */
    boolean isAttempting(Call call) {
        return call.progress().isAssignedTo(attempting);
    }

    /** Marks the attempt of the call as started. Returns false if the call does not wait here. */
    boolean start(Call call) {
        return call.progress().change(queued, attempting);
    }

    /** Removes the call. Returns true if this caller now owns it. */
    boolean detach(Call call) {
        return detachUnstarted(call) || detachAs(attempting, call);
    }

    /** Removes the call if its attempt has not started. Returns true if this caller now owns it. */
    boolean detachUnstarted(Call call) {
        return detachAs(queued, call);
    }

    /** Removes and ends the call. Returns true if this caller ended it. */
    boolean detachAndEnd(Call call) {
        return detach(call) && call.tryEnd();
    }

    private boolean detachAs(Hold hold, Call call) {
        boolean detached = call.progress().change(hold, null);
        if (detached) {
            count.decrementAndGet();
        }
        return detached;
    }

    /** Removes all calls whose attempt has not started, and returns them. */
    List<Call> detachAllUnstarted() {
        return select(this::detachUnstarted);
    }

    /** Removes and ends all calls. Returns those that this caller ended. */
    List<Call> detachAndEndAll() {
        return select(this::detachAndEnd);
    }

    /** Returns the calls whose attempt has started. */
    List<Call> attempting() {
        return select(this::isAttempting);
    }

    private List<Call> select(Predicate<Call> condition) {
        List<Call> selected = new ArrayList<>();
        for (Call call : open) {
            if (condition.test(call)) {
                selected.add(call);
            }
        }
        return selected;
    }
}
