package io.iocluster.door.intake;

import io.iocluster.door.access.App;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.answers.KeptAnswers.Ended;
import io.iocluster.door.call.DoorCall;
import io.iocluster.door.call.Submission;
import io.iocluster.door.call.Submission.Refused;
import io.iocluster.door.call.Submission.Started;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.http.Problem;
import io.iocluster.door.http.ProblemException;
import io.iocluster.thread.FutureTimeout;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Supplier;

/** Makes calls whose answers the door keeps. Thread-safe. */
public final class AsyncCalls {

    private final CallStarter starter;
    private final KeptAnswers kept;
    private final Supplier<DoorSettings> settings;
    private final ScheduledExecutorService timer;

    /**
     * Creates the calls.
     *
     * @param settings returns the current settings
     * @param timer ends waits
     */
    public AsyncCalls(
            CallStarter starter, KeptAnswers kept, Supplier<DoorSettings> settings, ScheduledExecutorService timer) {
        this.timer = timer;
        this.starter = starter;
        this.kept = kept;
        this.settings = settings;
    }

    /**
     * Takes a call.
     *
     * @return completes when the call is stored or started, with a stage that completes when the call ends; complete that to end the
     *     wait. Completes with a {@link ProblemException} if the call cannot be stored
     * @throws ProblemException if the id is in use, a limit forbids the call, or the door drains
     */
    public CompletionStage<CompletableFuture<Ended>> start(App app, DoorCall call) {
        if (!kept.register(app.name(), call.id())) {
            throw new ProblemException(
                    Problem.of(409, "id-in-use", "a call with this id is open, or its answer is kept"));
        }
        // Before the call can end, because the store may remove an answer at once.
        CompletableFuture<Ended> end = kept.find(app.name(), call.id());
        CompletionStage<Submission> submitted;
        try {
            submitted = starter.submit(app, call);
        } catch (RuntimeException | Error refused) {
            kept.forget(app.name(), call.id());
            throw refused;
        }
        return submitted.thenApply(submission -> {
            if (submission instanceof Refused refused) {
                kept.forget(app.name(), call.id());
                throw new ProblemException(CallProblems.of(refused.reason(), call.id()));
            }
            if (submission instanceof Started started) {
                started.result().thenAccept(result -> kept.complete(app.name(), call.id(), result));
            }
            return end;
        });
    }

    /**
     * Finds a call of the app.
     *
     * @return completes when the call ends; complete it to end the wait
     * @throws ProblemException if the app has no such call
     */
    public CompletableFuture<Ended> find(App app, String id) {
        CompletableFuture<Ended> end = kept.find(app.name(), id);
        if (end == null) {
            throw new ProblemException(Problem.of(
                    404, "unknown-call", "the app has no open call with this id, and the door keeps no answer to it"));
        }
        return end;
    }

    /** Returns the time that a caller may wait if it wants to wait for this time: at most {@code door.answers.max-wait}. */
    public Duration allowed(Duration wanted) {
        Duration max = settings.get().answers().maxWait();
        return wanted.compareTo(max) > 0 ? max : wanted;
    }

    /** Ends a wait with null after this time. Ends it at once if too many callers wait. */
    public void limitWait(App app, CompletableFuture<Ended> end, Duration time) {
        if (!time.isZero() && !end.isDone() && kept.waiting().tryOpen(app.name())) {
            FutureTimeout.completeAfter(end, null, time, timer);
            end.whenComplete((ended, failure) -> kept.waiting().close(app.name()));
        } else {
            end.complete(null);
        }
    }
}
