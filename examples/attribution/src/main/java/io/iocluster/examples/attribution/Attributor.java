package io.iocluster.examples.attribution;

import io.iocluster.client.CallTimeoutException;
import io.iocluster.client.IoClusterClient;
import io.iocluster.client.Request;
import io.iocluster.message.Answer;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Outcome;
import io.iocluster.message.usable.UsableRule;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** The service: asks all sources with one envelope, and the first match wins. Thread-safe. */
final class Attributor {

    /** Sources also answer launches that they do not know: with a 204, or with a body that says so. */
    private static final UsableRule MATCH =
            UsableRule.builder().status(200).json("/match").equalTo(true).build();

    private final IoClusterClient cluster;
    private final List<Source> sources;
    private final Duration within;

    /** @param within the deadline of a launch; a later match is useless */
    Attributor(IoClusterClient cluster, List<Source> sources, Duration within) {
        this.cluster = cluster;
        this.sources = sources;
        this.within = within;
    }

    /** Completes by the deadline. Completes exceptionally if the request is invalid or the cluster is unavailable. */
    CompletionStage<Attribution> attribute(int launch) {
        List<Request> requests = sources.stream()
                .map(source -> Request.get(source.url() + launch).usable(MATCH).build())
                .toList();
        long asked = System.nanoTime();
        return cluster.call(Request.any(requests).deadline(within).build())
                .handle(this::winner)
                .thenApply(source -> new Attribution(launch, source, Duration.ofNanos(System.nanoTime() - asked)));
    }

    private String winner(Answer answer, Throwable failure) {
        if (failure != null) {
            return onFailure(failure);
        }
        if (answer.outcome() == Outcome.ANSWERED) {
            return sources.get(answer.branch()).name();
        }
        if (ErrorCode.NO_USABLE_ANSWER.wireName().equals(answer.errorCode())) {
            return Attribution.NONE;
        }
        throw new IllegalStateException("request rejected: " + answer.error());
    }

    /** Handles a call without an answer in time. */
    private static String onFailure(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CallTimeoutException) {
            return Attribution.NONE;
        }
        throw new CompletionException(cause);
    }
}
