package io.iocluster.simulation.kafka;

import io.iocluster.testkit.simulation.SimulatedProcess;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.DisconnectException;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * The connection of one client to the broker. Requests and answers take time and can be lost; a lost one is sent again until its timeout, so
 * the broker can receive a request twice. Confined to the thread of the simulation.
 */
final class BrokerLink {

    private static final Duration RETRY_BACKOFF = Duration.ofMillis(100);

    private final KafkaBroker broker;
    private final SimulatedProcess process;

    BrokerLink(KafkaBroker broker, SimulatedProcess process) {
        this.broker = broker;
        this.process = process;
    }

    /** Sends a request that the broker answers at once. An exception of the handler is the broker's error. */
    <T> CompletableFuture<T> call(Supplier<T> handler, Duration timeout) {
        return callLater(() -> CompletableFuture.completedFuture(handler.get()), timeout);
    }

    /** Sends a request that the broker answers later. */
    <T> CompletableFuture<T> callLater(Supplier<CompletableFuture<T>> handler, Duration timeout) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        process.after(timeout, () -> answer.completeExceptionally(new TimeoutException("no answer within " + timeout)));
        attempt(handler, answer);
        return answer;
    }

    private <T> void attempt(Supplier<CompletableFuture<T>> handler, CompletableFuture<T> answer) {
        if (answer.isDone()) {
            return;
        }
        broker.simulation().after(broker.delay(), () -> {
            if (!process.isAlive() && !broker.receivesFromTheDead()) {
                return;
            }
            if (!broker.isUp() || broker.losesRequest()) {
                retry(handler, answer);
                return;
            }
            int incarnation = broker.incarnation(process);
            handle(handler).whenComplete((value, failure) -> {
                if (broker.losesAnswer() || incarnation != broker.incarnation(process)) {
                    retry(handler, answer);
                } else {
                    process.after(broker.delay(), () -> complete(handler, answer, value, failure));
                }
            });
        });
    }

    private <T> void complete(
            Supplier<CompletableFuture<T>> handler, CompletableFuture<T> answer, T value, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause == null) {
            answer.complete(value);
        } else if (cause instanceof DisconnectException) {
            retry(handler, answer);
        } else {
            answer.completeExceptionally(cause);
        }
    }

    private static <T> CompletableFuture<T> handle(Supplier<CompletableFuture<T>> handler) {
        try {
            return handler.get();
        } catch (KafkaException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private <T> void retry(Supplier<CompletableFuture<T>> handler, CompletableFuture<T> answer) {
        process.after(RETRY_BACKOFF, () -> attempt(handler, answer));
    }

    /**
     * Blocks until the broker has answered. Other tasks run meanwhile.
     *
     * @throws TimeoutException if there is no answer in time
     */
    <T> T await(CompletableFuture<T> answer, Duration timeout) {
        if (!process.await(answer, timeout)) {
            throw new TimeoutException("no answer within " + timeout);
        }
        try {
            return answer.join();
        } catch (CompletionException failed) {
            throw failed.getCause() instanceof KafkaException known ? known : new KafkaException(failed.getCause());
        }
    }
}
