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
import io.iocluster.simulation.engine.SimulatedProcess;
import io.iocluster.simulation.engine.Simulation;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** All targets and the way to them. Records what each target really saw. Confined to the thread of the simulation. */
public final class Network {

    /** The request header with the id of the call. */
    public static final String CALL_HEADER = "x-call";

    private static final long MAX_TRANSIT_NANOS = 1_000_000;

    private final Simulation simulation;
    private final Map<String, Target> targets = new LinkedHashMap<>();
    private final List<Consumer<Attempt>> listeners = new ArrayList<>();

    /** One attempt of a node, as the network sees it. Mutable until it has ended. */
    public static final class Attempt {

        private final String call;
        private final String host;
        private final String node;
        private final long startMillis;
        private boolean seen;
        private boolean ended;

        Attempt(String call, String host, String node, long startMillis) {
            this.call = call;
            this.host = host;
            this.node = node;
            this.startMillis = startMillis;
        }

        /** Returns the id of the call; null if the request has none. */
        public String call() {
            return call;
        }

        public String host() {
            return host;
        }

        public String node() {
            return node;
        }

        public long startMillis() {
            return startMillis;
        }

        /** Returns whether the request reached the target. */
        public boolean isSeen() {
            return seen;
        }

        public boolean isEnded() {
            return ended;
        }
    }

    /** Creates a network without targets. */
    public Network(Simulation simulation) {
        this.simulation = simulation;
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

    /** Calls the listener when an attempt starts. */
    public void onAttempt(Consumer<Attempt> listener) {
        listeners.add(listener);
    }

    /** Returns the HTTP client of one worker of a node. */
    public HttpExecutor executor(SimulatedProcess node, EventLoop loop) {
        return new Client(node, loop);
    }

    private final class Client implements HttpExecutor {

        private final SimulatedProcess node;
        private final EventLoop loop;
        private final Set<Runnable> closers = new LinkedHashSet<>();
        private final Set<Attempt> attempts = new LinkedHashSet<>();

        Client(SimulatedProcess node, EventLoop loop) {
            this.node = node;
            this.loop = loop;
            // The connections of a loop that ends are closed.
            loop.terminationFuture().addListener(ended -> attempts.forEach(attempt -> attempt.ended = true));
        }

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            String host = request.url().host();
            Attempt attempt = new Attempt(callOf(request), host, node.name(), simulation.millis());
            listeners.forEach(listener -> listener.accept(attempt));
            simulation.trace().add(node.name(), () -> "attempt of " + attempt.call() + " at " + host);
            CompletableFuture<HttpResult> result = new CompletableFuture<>();
            Runnable closer = () -> result.complete(
                    failure(ErrorCode.CONNECTION_CLOSED, attempt.seen ? Certainty.UNKNOWN : Certainty.NOT_SENT));
            closers.add(closer);
            attempts.add(attempt);
            result.whenComplete((how, cancelled) -> {
                attempt.ended = true;
                closers.remove(closer);
                attempts.remove(attempt);
            });
            send(attempt, result, budget);
            loop.schedule(
                    () -> result.complete(
                            attempt.seen
                                    ? failure(ErrorCode.TIMEOUT, Certainty.UNKNOWN)
                                    : failure(ErrorCode.CONNECT_TIMEOUT, Certainty.NOT_SENT)),
                    timeout.toNanos(),
                    TimeUnit.NANOSECONDS);
            return result;
        }

        private void send(Attempt attempt, CompletableFuture<HttpResult> result, BodyBudget budget) {
            Target target = targets.get(attempt.host());
            Target.Reaction reaction = target.react(simulation.random());
            switch (reaction.ending()) {
                case REFUSED -> later(transit(), result, () -> failure(ErrorCode.CONNECT_REFUSED, Certainty.NOT_SENT));
                case RESET_BEFORE ->
                    later(transit(), result, () -> failure(ErrorCode.CONNECTION_CLOSED, Certainty.NOT_SENT));
                default -> {
                    // The bytes are on the wire: the target sees them even if the node is killed.
                    simulation.after(Duration.ofNanos(transit()), () -> arrive(attempt, reaction, result, budget));
                }
            }
        }

        private void arrive(
                Attempt attempt, Target.Reaction reaction, CompletableFuture<HttpResult> result, BodyBudget budget) {
            if (attempt.ended) {
                return; // The connection was closed before the request was written.
            }
            attempt.seen = true;
            simulation.trace().add(attempt.host(), () -> "sees " + attempt.call() + ", then " + reaction.ending());
            switch (reaction.ending()) {
                case RESPONSE -> later(reaction.nanos() + transit(), result, () -> response(reaction, budget));
                case RESET_AFTER ->
                    later(
                            reaction.nanos() + transit(),
                            result,
                            () -> failure(ErrorCode.CONNECTION_CLOSED, Certainty.UNKNOWN));
                default -> {
                    // It hangs until the timeout.
                }
            }
        }

        private HttpResult response(Target.Reaction reaction, BodyBudget budget) {
            if (reaction.bodyBytes() > 0 && !budget.tryReserve(reaction.bodyBytes())) {
                return failure(ErrorCode.OUT_OF_MEMORY_BUDGET, Certainty.ANSWERED_IN_PART);
            }
            List<Header> headers = reaction.retryAfterSeconds() == 0
                    ? List.of()
                    : List.of(new Header("retry-after", Integer.toString(reaction.retryAfterSeconds())));
            return new HttpResult.Response(
                    reaction.status(), headers, new byte[reaction.bodyBytes()], false, AttemptTiming.NONE);
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
            return new ConnectionStats(closers.size(), 0, 0);
        }

        @Override
        public void close() {
            if (!loop.isShuttingDown()) {
                loop.execute(() -> List.copyOf(closers).forEach(Runnable::run));
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
                .orElse(null);
    }

    private static HttpResult failure(ErrorCode code, Certainty certainty) {
        return new HttpResult.Failure(code, "simulated", certainty, AttemptTiming.NONE);
    }
}
