package io.iocluster.simulation.defect;

import io.iocluster.message.Answer;
import io.iocluster.message.AnswerDecoder;
import io.iocluster.message.AnswerEncoder;
import io.iocluster.message.SentStatus;
import io.iocluster.simulation.cluster.Wiring;
import io.iocluster.simulation.defect.DefectiveSink.Kind;
import io.iocluster.testkit.record.RecordCopy;
import io.iocluster.transport.DelayedRetry;
import io.iocluster.transport.PublishResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Defects of a sink: what it publishes, and what it says about the confirm. */
final class SinkDefects {

    private static final CompletionStage<PublishResult> CONFIRMED =
            CompletableFuture.completedFuture(PublishResult.CONFIRMED);

    private SinkDefects() {}

    /** How a message is published. */
    @FunctionalInterface
    interface Publishing {

        CompletionStage<PublishResult> publish(Kind kind, Supplier<CompletionStage<PublishResult>> correctly);
    }

    private static Wiring publishing(Supplier<Publishing> defect) {
        return DefectiveWiring.ofSink(sink -> {
            Publishing publishing = defect.get();
            return new DefectiveSink(sink) {

                @Override
                CompletionStage<PublishResult> publish(Kind kind, Supplier<CompletionStage<PublishResult>> correctly) {
                    return publishing.publish(kind, correctly);
                }
            };
        });
    }

    static Wiring settlesBeforeConfirm() {
        return publishing(() -> (kind, correctly) -> {
            CompletionStage<PublishResult> ignored = correctly.get();
            return CONFIRMED;
        });
    }

    static Wiring ignoresFailures() {
        return publishing(() -> (kind, correctly) -> correctly.get().thenApply(result -> PublishResult.CONFIRMED));
    }

    static Wiring publishesTwice(Every some) {
        return publishing(() -> (kind, correctly) -> {
            if (some.next()) {
                CompletionStage<PublishResult> ignored = correctly.get();
            }
            return correctly.get();
        });
    }

    static Wiring loses(Kind lost, Every some) {
        return publishing(() -> (kind, correctly) -> kind == lost && some.next() ? CONFIRMED : correctly.get());
    }

    static Wiring losesConfirms(Every some) {
        return publishing(() -> (kind, correctly) -> {
            CompletionStage<PublishResult> result = correctly.get();
            return some.next() ? new CompletableFuture<>() : result;
        });
    }

    static Wiring takesConfirmsForFailures(Every some) {
        return publishing(() -> (kind, correctly) -> correctly
                .get()
                .thenApply(result -> result instanceof PublishResult.Confirmed && some.next()
                        ? new PublishResult.Failed("planted")
                        : result));
    }

    /** A confirm completes the publish before it, as with a counter that is off by one. */
    static Wiring mixesUpConfirms() {
        return publishing(() -> new Publishing() {

            private CompletableFuture<PublishResult> before = new CompletableFuture<>();

            @Override
            public CompletionStage<PublishResult> publish(
                    Kind kind, Supplier<CompletionStage<PublishResult>> correctly) {
                CompletableFuture<PublishResult> earlier = before;
                before = new CompletableFuture<>();
                correctly.get().thenAccept(earlier::complete);
                return before;
            }
        });
    }

    private static Wiring answering(UnaryOperator<Answer> defect) {
        return DefectiveWiring.ofSink(sink -> new DefectiveSink(sink) {

            @Override
            byte[] answer(byte[] bytes) {
                return new AnswerEncoder().encode(defect.apply(new AnswerDecoder().decode(bytes)));
            }
        });
    }

    static Wiring mixesUpAnswers(Every some) {
        return DefectiveWiring.ofSink(sink -> new DefectiveSink(sink) {

            private byte[] before;

            @Override
            byte[] answer(byte[] bytes) {
                byte[] answer = before != null && some.next() ? before : bytes;
                before = bytes;
                return answer;
            }
        });
    }

    static Wiring countsFewerAttempts() {
        return answering(
                answer -> answer.attempts() < 2 ? answer : RecordCopy.with(answer, "attempts", answer.attempts() - 1));
    }

    static Wiring claimsNotSent() {
        return answering(answer -> answer.error() == null
                ? answer
                : RecordCopy.with(answer, "error", RecordCopy.with(answer.error(), "sent", SentStatus.NO)));
    }

    static Wiring dropsContext() {
        return answering(answer -> RecordCopy.with(answer, "context", null));
    }

    static Wiring dropsResults() {
        return answering(answer -> answer.results().isEmpty()
                ? answer
                : RecordCopy.with(
                        answer,
                        "results",
                        answer.results().subList(0, answer.results().size() - 1)));
    }

    static Wiring swapsResults() {
        return answering(answer -> {
            if (answer.results().size() < 2) {
                return answer;
            }
            List<Answer> swapped = new ArrayList<>(answer.results());
            Collections.reverse(swapped);
            return RecordCopy.with(answer, "results", swapped);
        });
    }

    static Wiring changesStatus() {
        return answering(answer -> answer.status() / 100 == 5 ? RecordCopy.with(answer, "status", 200) : answer);
    }

    static Wiring cutsBodies() {
        return answering(answer -> answer.body().length < 2
                ? answer
                : RecordCopy.with(answer, "body", Arrays.copyOf(answer.body(), answer.body().length - 1)));
    }

    static Wiring ignoresReplyTo() {
        return DefectiveWiring.ofSink(sink -> new DefectiveSink(sink) {

            @Override
            String queue(String replyTo) {
                return null;
            }
        });
    }

    private static Wiring delaying(UnaryOperator<DelayedRetry> defect) {
        return DefectiveWiring.ofSink(sink -> new DefectiveSink(sink) {

            @Override
            DelayedRetry state(DelayedRetry state) {
                return defect.apply(state);
            }
        });
    }

    static Wiring forgetsAttemptsOfDelayed() {
        return delaying(state -> RecordCopy.with(state, "attempts", 0));
    }

    static Wiring forgetsSentOfDelayed() {
        return delaying(state -> RecordCopy.with(state, "sent", SentStatus.NO));
    }

    static Wiring forgetsDeadlineOfDelayed() {
        return delaying(
                state -> RecordCopy.with(state, "deadline", state.deadline().plus(Duration.ofMinutes(10))));
    }

    static Wiring startsDelayedEarly() {
        return delaying(state -> RecordCopy.with(state, "dueAt", state.dueAt().minusMillis(1_500)));
    }
}
