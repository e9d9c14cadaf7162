package io.iocluster.pipeline.intake;

import io.iocluster.egress.Rejection;
import io.iocluster.message.ErrorCode;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallScheduler;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The calls of a message with several calls, before they start. Thread-safe; immutable except for its calls. */
final class ScatterBranches {

    private final Call whole;
    private final List<Branch> branches;
    private final CallScheduler scheduler;

    /** A call, and the reason why it will not be tried, or null. */
    record Branch(Call call, Rejection refusal) {}

    ScatterBranches(Call whole, List<Branch> branches, CallScheduler scheduler) {
        this.whole = whole;
        this.branches = branches;
        this.scheduler = scheduler;
    }

    /** Returns the message. */
    Call whole() {
        return whole;
    }

    /** Returns the number of calls. */
    int size() {
        return branches.size();
    }

    /** Returns the calls that will be tried. */
    Stream<Call> tried() {
        return branches.stream().filter(each -> each.refusal() == null).map(Branch::call);
    }

    /**
     * Returns whether the source should keep the message and offer it again later.
     *
     * @param resultsFull whether too many messages wait until their results fit
     */
    boolean hasBackpressure(boolean resultsFull) {
        return tried().anyMatch(call -> call.target().hasBackpressure(call, resultsFull));
    }

    /** Returns whether the app that sent the message is over its quota and too many of its calls wait. */
    boolean isAppFull() {
        return whole.app().isFull(tried().toList());
    }

    /** Withdraws all calls, because the source keeps the message. */
    void withdraw() {
        branches.forEach(each -> each.call().withdraw());
        whole.withdraw();
    }

    /** Starts or queues each call. */
    void start() {
        branches.forEach(each -> unlessRefused(each, this::schedule));
    }

    private void schedule(Call call) {
        CallScheduler.endUnlessAccepted(call, scheduler.offer(call, true));
    }

    /** Ends each call with this code, except those that are refused for another reason. */
    void end(ErrorCode code) {
        branches.forEach(each -> unlessRefused(each, call -> call.fail(code)));
    }

    private static void unlessRefused(Branch branch, Consumer<Call> action) {
        if (branch.refusal() == null) {
            action.accept(branch.call());
        } else {
            branch.call().fail(branch.refusal().code(), branch.refusal().message());
        }
    }

    /** Gives the message back to its queue, because the node stops. */
    void release() {
        branches.forEach(each -> each.call().endAndRelease());
    }
}
