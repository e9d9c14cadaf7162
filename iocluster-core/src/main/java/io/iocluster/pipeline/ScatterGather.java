package io.iocluster.pipeline;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.Answer;
import io.iocluster.message.Answer.CallError;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.Scatter;
import io.iocluster.message.SentStatus;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The several calls of one message: it ends by the first that has a usable answer, or when all have ended. Each branch has its
 * own place, destination and retries; the whole has the message, and no place. For any thread.
 */
final class ScatterGather {

    private final Call whole;
    private final Scatter.GatherMode mode;
    private final AnswerPublisher replies;

    @GuardedBy("this")
    private final Call[] branches;

    @GuardedBy("this")
    private final Answer[] results;

    @GuardedBy("this")
    private int left;

    @GuardedBy("this")
    private boolean over;

    ScatterGather(Call whole, Scatter scatter, AnswerPublisher replies) {
        this.whole = whole;
        this.mode = scatter.mode();
        this.replies = replies;
        this.left = scatter.branches().size();
        this.branches = new Call[left];
        this.results = new Answer[left];
    }

    /** What a branch tells its end to. */
    CallListener branchListener(int index) {
        return new BranchListener(index);
    }

    /** To be told of each branch before any of them begins. */
    synchronized void addBranch(int index, Call branch) {
        branches[index] = branch;
    }

    private void ended(int index, Call branch, Answer result) {
        Answer answer;
        synchronized (this) {
            if (over) {
                branch.permit.release();
                return;
            }
            whole.permit.absorb(branch.permit);
            results[index] = result;
            left--;
            if (mode == Scatter.GatherMode.ANY && isUsable(result)) {
                answer = won(index);
            } else if (left == 0) {
                answer = together();
            } else {
                return;
            }
            over = true;
        }
        cancelTheRest();
        if (whole.tryEnd()) {
            replies.finish(whole, answer, answer.error() == null ? null : failure());
        }
    }

    private void released(Call branch) {
        branch.permit.release();
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        cancelTheRest();
        if (whole.tryEnd()) {
            replies.release(whole);
        }
    }

    private static boolean isUsable(Answer result) {
        return result.status() / 100 == 2;
    }

    /** Outside of the lock, which no other is taken under; what has ended already takes no notice. */
    private void cancelTheRest() {
        all().forEach(Call::cancel);
    }

    private synchronized List<Call> all() {
        return List.of(branches);
    }

    @GuardedBy("this")
    private Answer won(int index) {
        Answer winner = results[index];
        return new Answer(
                whole.id(),
                Outcome.ANSWERED,
                winner.status(),
                winner.headers(),
                winner.body(),
                winner.truncated(),
                null,
                attempts(),
                winner.node(),
                winner.timing(),
                whole.envelope.context(),
                index,
                List.of());
    }

    @GuardedBy("this")
    private Answer together() {
        long answered = Arrays.stream(results)
                .filter(result -> result.outcome() == Outcome.ANSWERED)
                .count();
        if (mode == Scatter.GatherMode.ANY) {
            return failed("none of " + results.length + " calls had a 2xx answer");
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
                error,
                attempts(),
                results[0].node(),
                replies.timing(whole),
                whole.envelope.context(),
                Answer.NO_BRANCH,
                List.of(results));
    }

    @GuardedBy("this")
    private int attempts() {
        return Arrays.stream(results)
                .filter(Objects::nonNull)
                .mapToInt(Answer::attempts)
                .sum();
    }

    private final class BranchListener implements CallListener {

        private final int index;

        BranchListener(int index) {
            this.index = index;
        }

        @Override
        public void answered(Call call, HttpResult.Response response) {
            ended(index, call, replies.buildAnswer(call, response));
        }

        @Override
        public void failed(Call call, ErrorCode code, String message, SentStatus sent, AttemptTiming timing) {
            ended(index, call, replies.buildAnswer(call, code, message, sent, timing));
        }

        @Override
        public void release(Call call) {
            released(call);
        }
    }
}
