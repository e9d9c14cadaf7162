package io.iocluster.simulation.network;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.HttpExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.UpstreamAddress;
import io.iocluster.http.UpstreamName;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.testkit.simulation.SimulatedProcess;
import io.iocluster.testkit.simulation.Simulation;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** All targets and the way to them. Records what each target really saw. Confined to the thread of the simulation. */
public final class Network {

    /** The request header with the id of the call and the index of the request in its envelope. */
    public static final String CALL_HEADER = "x-call";

    private static final long MAX_TRANSIT_NANOS = 1_000_000;

    private final Simulation simulation;
    private final NetworkListener listener;
    private final Map<String, Target> targets = new LinkedHashMap<>();
    private long responses;

    /** Creates a network without targets. */
    public Network(Simulation simulation, NetworkListener listener) {
        this.simulation = simulation;
        this.listener = listener;
    }

    /** Adds a target. */
    public void add(Target target) {
        targets.put(target.host(), target);
    }

    public Target target(String host) {
        return targets.get(host);
    }

    /** Returns all targets. */
    public List<Target> targets() {
        return List.copyOf(targets.values());
    }

    /** Returns the HTTP client of one worker of a node. */
    public HttpExecutor executor(SimulatedProcess node, EventLoop loop) {
        return new Client(node, loop);
    }

    private final class Client implements HttpExecutor {

        private final SimulatedProcess node;
        private final EventLoop loop;
        private final Map<Attempt, CompletableFuture<HttpResult>> open = new LinkedHashMap<>();

        Client(SimulatedProcess node, EventLoop loop) {
            this.node = node;
            this.loop = loop;
            // The connections of a loop that ends are closed.
            loop.terminationFuture().addListener(ended -> {
                Set<Attempt> lost = new LinkedHashSet<>(open.keySet());
                open.clear();
                lost.forEach(attempt -> end(attempt, null));
            });
        }

        private void end(Attempt attempt, HttpResult result) {
            if (!attempt.isEnded()) {
                attempt.end(simulation.nanos(), result);
                listener.ended(attempt);
            }
        }

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            Attempt attempt = attempt(request, timeout);
            listener.started(attempt);
            simulation.trace().add(node.name(), () -> "attempt of " + attempt.call() + " at " + attempt.host());
            CompletableFuture<HttpResult> result = new CompletableFuture<>();
            open.put(attempt, result);
            Future<?> timer = loop.schedule(() -> timeOut(attempt, result), timeout.toNanos(), TimeUnit.NANOSECONDS);
            result.whenComplete((how, cancelled) -> {
                timer.cancel(false);
                open.remove(attempt);
                end(attempt, how);
            });
            send(attempt, request, result, budget);
            return result;
        }

        private Attempt attempt(HttpRequest request, Duration timeout) {
            String[] call = callOf(request).split("/");
            return new Attempt(
                    call[0],
                    call.length == 1 ? 0 : Integer.parseInt(call[1]),
                    request.url().host(),
                    request.method(),
                    node.name(),
                    timeout,
                    simulation.nanos());
        }

        private void timeOut(Attempt attempt, CompletableFuture<HttpResult> result) {
            result.complete(
                    attempt.isSeen()
                            ? failure(ErrorCode.TIMEOUT, Certainty.UNKNOWN)
                            : failure(ErrorCode.CONNECT_TIMEOUT, Certainty.NOT_SENT));
        }

        private void send(
                Attempt attempt, HttpRequest request, CompletableFuture<HttpResult> result, BodyBudget budget) {
            Target target = targets.get(attempt.host());
            Target.Reaction reaction = target.react(simulation.random());
            switch (reaction.ending()) {
                case REFUSED -> later(transit(), result, () -> failure(ErrorCode.CONNECT_REFUSED, Certainty.NOT_SENT));
                case RESET_BEFORE ->
                    later(transit(), result, () -> failure(ErrorCode.CONNECTION_CLOSED, Certainty.NOT_SENT));
                default -> {
                    // The bytes are on the wire: the target sees them even if the node is killed.
                    Runnable arrival = () -> arrive(attempt, request, reaction, result, budget);
                    simulation.after(Duration.ofNanos(transit()), arrival);
                }
            }
        }

        private void arrive(
                Attempt attempt,
                HttpRequest request,
                Target.Reaction reaction,
                CompletableFuture<HttpResult> result,
                BodyBudget budget) {
            if (attempt.isEnded()) {
                return; // The connection was closed before the request was written.
            }
            attempt.seen();
            simulation.trace().add(attempt.host(), () -> "sees " + attempt.call() + ", then " + reaction);
            long nanos = reaction.nanos() + transit();
            switch (reaction.ending()) {
                case RESPONSE -> later(nanos, result, () -> response(attempt, request, reaction, budget));
                case RESET_AFTER -> later(nanos, result, () -> failure(ErrorCode.CONNECTION_CLOSED, Certainty.UNKNOWN));
                case RESET_IN_BODY ->
                    later(nanos, result, () -> failure(ErrorCode.CONNECTION_CLOSED, Certainty.ANSWERED_IN_PART));
                default -> {
                    // It hangs until the timeout.
                }
            }
        }

        private HttpResult response(Attempt attempt, HttpRequest request, Target.Reaction reaction, BodyBudget budget) {
            byte[] marker = ("response " + ++responses + " to " + attempt.call() + "/" + attempt.branch() + " for "
                            + request.url().host() + request.url().pathAndQuery() + " at " + simulation.millis()
                            + " ms ")
                    .getBytes(StandardCharsets.US_ASCII);
            byte[] body = Arrays.copyOf(marker, Math.max(marker.length, reaction.bodyBytes()));
            Arrays.fill(body, marker.length, body.length, (byte) '.');
            if (!budget.tryReserve(body.length)) {
                return failure(ErrorCode.OUT_OF_MEMORY_BUDGET, Certainty.ANSWERED_IN_PART);
            }
            List<Header> headers = new ArrayList<>();
            if (reaction.retryAfterSeconds() > 0) {
                headers.add(new Header("retry-after", Integer.toString(reaction.retryAfterSeconds())));
            }
            return new HttpResult.Response(reaction.status(), headers, body, false, AttemptTiming.NONE);
        }

        private void later(long nanos, CompletableFuture<HttpResult> result, Supplier<HttpResult> how) {
            if (node.isAlive() && !loop.isShuttingDown()) {
                loop.schedule(
                        () -> {
                            if (!result.isDone()) {
                                result.complete(how.get());
                            }
                        },
                        nanos,
                        TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public CompletableFuture<List<UpstreamAddress>> resolve(UpstreamName name) {
            return new CompletableFuture<>();
        }

        @Override
        public ConnectionStats connectionStats() {
            return new ConnectionStats(open.size(), 0, 0);
        }

        @Override
        public void close() {
            if (!loop.isShuttingDown()) {
                loop.execute(() -> new LinkedHashMap<>(open)
                        .forEach((attempt, result) -> result.complete(failure(
                                ErrorCode.CONNECTION_CLOSED,
                                attempt.isSeen() ? Certainty.UNKNOWN : Certainty.NOT_SENT))));
            }
        }
    }

    private long transit() {
        return 1 + simulation.random().nextLong(MAX_TRANSIT_NANOS);
    }

    private static String callOf(HttpRequest request) {
        return request.headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(CALL_HEADER))
                .map(Header::value)
                .findFirst()
                .orElse("unknown");
    }

    private static HttpResult failure(ErrorCode code, Certainty certainty) {
        return new HttpResult.Failure(code, "simulated", certainty, AttemptTiming.NONE);
    }
}
