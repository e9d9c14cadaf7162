package io.iocluster.examples.attribution;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The service: asks all sources by one envelope, and the first match wins. Safe for use by several threads. */
final class Attributor {

    /** Later a match is of no use to anybody. */
    static final Duration WITHIN = Duration.ofSeconds(1);

    private final IoClusterClient cluster;
    private final List<Source> sources;

    Attributor(IoClusterClient cluster, List<Source> sources) {
        this.cluster = cluster;
        this.sources = sources;
    }

    /** Completes within a second, and exceptionally where something is wrong with the question itself, or with the cluster. */
    CompletionStage<Attribution> attribute(int launch) {
        List<Request> questions = sources.stream()
                .map(source -> Request.get(source.url() + launch).build())
                .toList();
        long asked = System.nanoTime();
        return cluster.call(Request.any(questions).deadline(WITHIN).build())
                .handle(this::winner)
                .thenApply(source -> new Attribution(launch, source, Duration.ofNanos(System.nanoTime() - asked)));
    }

    private String winner(Answer answer, Throwable failure) {
        if (failure != null) {
            return late(failure);
        }
        if (answer.outcome() == Outcome.ANSWERED) {
            return sources.get(answer.branch()).name();
        }
        if (ErrorCode.NO_USABLE_ANSWER.wireName().equals(answer.errorCode())) {
            return Attribution.NOBODY;
        }
        throw new IllegalStateException("not asked: " + answer.error());
    }

    /** Not even the answer that there is no match came in time. */
    private static String late(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CallTimeoutException) {
            return Attribution.NOBODY;
        }
        throw new CompletionException(cause);
    }
}
