package io.iocluster.pipeline.publish;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.Scatter;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallListener;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Gathers the results of the branches of one message. The message ends with the first usable answer in mode {@code any}, or when all
 * branches have ended. Each branch has its own slot, destination and retries; the whole owns the message and has no slot. Thread-safe.
 */
public final class ScatterGather {

    private static final String TOO_MANY_RESULTS =
            "the node has no room to keep this result until the other calls of the message end";

    private final Call whole;
    private final Scatter.GatherMode mode;
    private final AnswerPublisher answerPublisher;
    private final ResultSizes sizes;

    @GuardedBy("this")
    private final Call[] branches;

    @GuardedBy("this")
    private final Answer[] results;

    @GuardedBy("this")
    private int remaining;

    @GuardedBy("this")
    private boolean done;

    public ScatterGather(Call whole, Scatter scatter, AnswerPublisher answerPublisher, ResultSizes sizes) {
        this.whole = whole;
        this.mode = scatter.mode();
        this.answerPublisher = answerPublisher;
        this.sizes = sizes;
        this.remaining = scatter.branches().size();
        this.branches = new Call[remaining];
        this.results = new Answer[remaining];
    }

    /** Returns the listener of a branch. */
    public CallListener branchListener(int index) {
        return new BranchListener(index);
    }

    /** Registers a branch. Call it for every branch before the first one starts. */
    public synchronized void addBranch(int index, Call branch) {
        branches[index] = branch;
    }

    /** @param wins whether the result completes the message in mode {@code any} */
    private void ended(int index, Call branch, Answer result, boolean wins) {
        Answer answer;
        synchronized (this) {
            if (done) {
                branch.permit().release();
                return;
            }
            whole.permit().absorb(branch.permit());
            results[index] = result;
            remaining--;
            if (wins) {
                answer = winningAnswer(index);
            } else if (remaining == 0) {
                answer = combinedAnswer();
            } else {
                return;
            }
            done = true;
            // Otherwise they would stay on the heap while the encoded answer waits for the broker.
            Arrays.fill(results, null);
        }
        cancelBranches();
        if (whole.tryEnd()) {
            answerPublisher.finish(whole, answer, answer.error() == null ? null : failure());
        }
    }

    /** Releases the whole message if one branch is released. */
    private void released(Call branch, Consumer<Call> release) {
        branch.permit().release();
        synchronized (this) {
            if (done) {
                return;
            }
            done = true;
        }
        cancelBranches();
        if (whole.tryEnd()) {
            release.accept(whole);
        }
    }

    /** Runs outside the lock, because no other lock may be acquired under it. Has no effect on ended branches. */
    private void cancelBranches() {
        branchList().forEach(Call::cancel);
    }

    private synchronized List<Call> branchList() {
        return List.of(branches);
    }

    @GuardedBy("this")
    private Answer winningAnswer(int index) {
        Answer winner = results[index];
        return new Answer(
                whole.id(),
                Outcome.ANSWERED,
                winner.status(),
                winner.headers(),
                winner.body(),
                winner.truncated(),
                null,
                null,
                attempts(),
                winner.node(),
                winner.timing(),
                whole.envelope().context(),
                index,
                List.of(),
                winner.cache());
    }

    @GuardedBy("this")
    private Answer combinedAnswer() {
        long answered = Arrays.stream(results)
                .filter(result -> result.outcome() == Outcome.ANSWERED)
                .count();
        if (mode == Scatter.GatherMode.ANY) {
            return failed("none of " + results.length + " calls had a usable answer");
        }
        return answered == results.length
                ? ofAll(Outcome.ANSWERED, null)
                : failed(answered + " of " + results.length + " calls were answered");
    }

    private ErrorCode failure() {
        return mode == Scatter.GatherMode.ANY ? ErrorCode.NO_USABLE_ANSWER : ErrorCode.INCOMPLETE_RESULTS;
    }

    @GuardedBy("this")
    private Answer failed(String message) {
        boolean unsent = Arrays.stream(results)
                .allMatch(result -> result.error() != null && result.error().sent() == SentStatus.NO);
        return ofAll(failure().outcome(), new CallError(failure(), message, unsent ? SentStatus.NO : SentStatus.MAYBE));
    }

    @GuardedBy("this")
    private Answer ofAll(Outcome outcome, CallError error) {
        return new Answer(
                whole.id(),
                outcome,
                0,
                List.of(),
                AnswerPublisher.NO_BODY,
                false,
                null,
                error,
                attempts(),
                results[0].node(),
                answerPublisher.timing(whole),
                whole.envelope().context(),
                Answer.NO_BRANCH,
                List.of(results));
    }

    /** Returns the attempts of all branches so far, of those without a result too. */
    @GuardedBy("this")
    private int attempts() {
        return Arrays.stream(branches)
                .mapToInt(branch -> branch.progress().attempts())
                .sum();
    }

    private final class BranchListener implements CallListener {

        private final int index;

        BranchListener(int index) {
            this.index = index;
        }

        @Override
        public void answered(Call call, HttpResult.Response response) {
            sizes.record(call.destinationName(), call.permit().heldBytes());
            boolean wins = mode == Scatter.GatherMode.ANY && response.isUsable();
            if (wins || whole.permit().tryKeepResult(call.permit())) {
                ended(index, call, answerPublisher.buildAnswer(call, response), wins);
            } else {
                failed(call, ErrorCode.OUT_OF_MEMORY_BUDGET, TOO_MANY_RESULTS, SentStatus.MAYBE, response.timing());
            }
        }

        @Override
        public void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
            ended(index, call, answerPublisher.buildAnswer(call, code, message, sent, timing), false);
        }

        @Override
        public void release(Call call) {
            released(call, answerPublisher::release);
        }

        @Override
        public void releaseLater(Call call) {
            released(call, answerPublisher::releaseLater);
        }
    }
}
