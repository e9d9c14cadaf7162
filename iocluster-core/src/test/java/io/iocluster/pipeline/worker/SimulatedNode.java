package io.iocluster.pipeline.worker;

import io.iocluster.destination.CallPermit;
import io.iocluster.destination.Destination;
import io.iocluster.destination.DestinationRegistry;
import io.iocluster.destination.limit.BreakerState;
import io.iocluster.destination.policy.DestinationPolicy;
import io.iocluster.destination.policy.DestinationSettings;
import io.iocluster.egress.TargetUrl;
import io.iocluster.http.BodyBudget;
import io.iocluster.http.Certainty;
import io.iocluster.http.ConnectionlessExecutor;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.SentStatus;
import io.iocluster.pipeline.FakeTransport;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.pipeline.call.Call;
import io.iocluster.pipeline.call.CallCache;
import io.iocluster.pipeline.call.CallDeadline;
import io.iocluster.pipeline.call.CallListener;
import io.iocluster.pipeline.call.CallScheduler;
import io.iocluster.pipeline.call.OpenCalls;
import io.iocluster.pipeline.call.TestCalls;
import io.iocluster.pipeline.capacity.InFlightWindow;
import io.iocluster.pipeline.event.PipelineEvents;
import io.iocluster.pipeline.publish.DelayedRetryPublisher;
import io.iocluster.producer.AppRegistry;
import io.iocluster.producer.ProducerSettings;
import io.iocluster.testkit.memory.FakeDelivery;
import io.iocluster.thread.NodeClock;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;

/**
 * A node in simulated time, in steps of a millisecond: one queue that is read in order, the real window, destinations, scheduler and
 * worker, and a target whose behaviour depends on the time. Everything runs on the thread of the test.
 */
final class SimulatedNode {

    private static final String HOST = "partner.example";
    private static final TargetUrl URL = new TargetUrl("https", HOST, 443, "/");
    private static final int TICK_MILLIS = 10;
    private static final int MESSAGE_BYTES = 100;

    /**
     * What a target does with an attempt.
     *
     * @param millis how long it takes; negative if it never ends by itself
     */
    record Behaviour(long millis, HttpResult result) {

        static final Behaviour HANGS = new Behaviour(-1, null);
        static final Behaviour REFUSES = new Behaviour(0, failure(ErrorCode.CONNECT_REFUSED, Certainty.NOT_SENT));
        static final Behaviour FAILS = responds(500, 1);

        static Behaviour answersAfter(Duration time) {
            return responds(200, time.toMillis());
        }

        static Behaviour responds(int status, long millis) {
            return new Behaviour(
                    millis, new HttpResult.Response(status, List.of(), new byte[0], false, AttemptTiming.NONE));
        }

        private static HttpResult failure(ErrorCode code, Certainty certainty) {
            return new HttpResult.Failure(code, "because", certainty, AttemptTiming.NONE);
        }
    }

    /**
     * Calls that an app sends evenly.
     *
     * @param timeout their {@code timeoutMs}; zero for the default of the destination
     * @param deadline their {@code deadlineMs}
     */
    record Traffic(double callsPerSecond, Duration timeout, Duration deadline) {

        Traffic(double callsPerSecond, Duration deadline) {
            this(callsPerSecond, Duration.ZERO, deadline);
        }

        /** Returns whether one of the calls is sent in this millisecond. */
        private boolean sendsAt(long millis) {
            return (long) (millis * callsPerSecond / 1_000) > (long) ((millis - 1) * callsPerSecond / 1_000);
        }
    }

    /** A change of the state of the breaker. */
    record Change(long millis, BreakerState state) {}

    /** A message on the queue, and how its call ended. Times are milliseconds of the simulation; -1 while unknown. */
    static final class Message {

        final Traffic traffic;
        final long queuedMillis;
        long endedMillis = -1;
        /** The status of the answer; 0 if there is none. */
        int status;

        private Message(Traffic traffic, long queuedMillis) {
            this.traffic = traffic;
            this.queuedMillis = queuedMillis;
        }

        boolean succeeded() {
            return status == 200;
        }
    }

    private record AttemptEnd(long millis, HttpResult result, CompletableFuture<HttpResult> attempt) {}

    private final class SimulatedExecutor implements ConnectionlessExecutor {

        @Override
        public CompletableFuture<HttpResult> execute(HttpRequest request, Duration timeout, BodyBudget budget) {
            Behaviour behaviour = target.apply(millis);
            boolean timesOut = behaviour.millis() < 0 || behaviour.millis() > timeout.toMillis();
            CompletableFuture<HttpResult> attempt = new CompletableFuture<>();
            attempts.add(millis);
            ends.add(new AttemptEnd(
                    millis + (timesOut ? timeout.toMillis() : behaviour.millis()),
                    timesOut ? Behaviour.failure(ErrorCode.TIMEOUT, Certainty.UNKNOWN) : behaviour.result(),
                    attempt));
            return attempt;
        }
    }

    private final class Listener implements CallListener {

        private final Message message;

        Listener(Message message) {
            this.message = message;
        }

        @Override
        public void answered(Call call, HttpResult.Response response) {
            message.status = response.status();
            end(call);
        }

        @Override
        public void failed(Call call, ErrorCode code, String text, SentStatus sent, AttemptTiming timing) {
            end(call);
        }

        private void end(Call call) {
            message.endedMillis = millis;
            call.permit().release();
        }

        @Override
        public void release(Call call) {
            throw new AssertionError("a message was released");
        }

        @Override
        public void releaseLater(Call call) {
            throw new AssertionError("a message was released because of a defect");
        }
    }

    private final NodeClock clock = new NodeClock() {
        @Override
        public long wallMillis() {
            return 1_750_000_000_000L + millis;
        }

        @Override
        public long nanos() {
            return TimeUnit.MILLISECONDS.toNanos(millis);
        }
    };

    private final InFlightWindow window = new InFlightWindow(
            WorkerSettings.DEFAULTS.maxInFlight(),
            WorkerSettings.DEFAULTS.maxUnconfirmed(),
            WorkerSettings.DEFAULTS.maxWaiting(),
            WorkerSettings.DEFAULTS.maxInFlightBytes().bytes(),
            () -> {});
    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final OpenCalls open = new OpenCalls(clock);
    private final Queue<Message> queue = new ArrayDeque<>();
    private final List<Message> messages = new ArrayList<>();
    private final List<Long> attempts = new ArrayList<>();
    private final List<Change> changes = new ArrayList<>(List.of(new Change(0, BreakerState.CLOSED)));
    private final PriorityQueue<AttemptEnd> ends = new PriorityQueue<>(Comparator.comparingLong(AttemptEnd::millis));
    private final LongFunction<Behaviour> target;
    private final DestinationPolicy policy;
    private final DestinationRegistry<Call> destinations;
    private final CallScheduler scheduler;
    private final Worker worker;
    private long millis;

    /** @param target returns what the target does with an attempt that starts at this time, in milliseconds of the simulation */
    SimulatedNode(DestinationPolicy policy, LongFunction<Behaviour> target) {
        this.target = target;
        this.policy = policy;
        this.destinations = new DestinationRegistry<>(
                List.of(new DestinationSettings(List.of(HOST), "partner", policy)),
                DestinationPolicy.DEFAULTS,
                10,
                75,
                window,
                this::dispatch,
                host -> null,
                clock,
                new Random(1));
        this.scheduler = new CallScheduler(
                destinations,
                new AppRegistry<>(ProducerSettings.DEFAULTS, List.of(), window, call -> {}, clock::nanos),
                CallCache.NONE,
                call -> 0,
                () -> {});
        this.worker = new Worker(
                "worker",
                loop.eventLoop(),
                new SimulatedExecutor(),
                scheduler,
                new DelayedRetryPublisher(new FakeTransport(), null, clock),
                PipelineEvents.NONE,
                open,
                clock);
    }

    private void dispatch(Call call) {
        worker.submit(call);
    }

    private Destination<Call> destination() {
        return destinations.destinationFor(URL.origin());
    }

    long millis() {
        return millis;
    }

    /** Returns when the attempts reached the target. */
    List<Long> attempts() {
        return attempts;
    }

    List<Message> messages() {
        return messages;
    }

    /** Returns the states of the breaker since the start, in order. */
    List<Change> changes() {
        return changes;
    }

    BreakerState breaker() {
        return changes.get(changes.size() - 1).state();
    }

    /** Advances the clock to this time while the apps send their calls. */
    void runUntil(long untilMillis, Traffic... apps) {
        while (millis < untilMillis) {
            for (Traffic traffic : apps) {
                if (traffic.sendsAt(millis)) {
                    Message message = new Message(traffic, millis);
                    messages.add(message);
                    queue.add(message);
                }
            }
            step();
            BreakerState state = destination().status().breaker();
            if (state != breaker()) {
                changes.add(new Change(millis, state));
            }
        }
    }

    private void step() {
        millis++;
        while (!ends.isEmpty() && ends.peek().millis() <= millis) {
            AttemptEnd end = ends.remove();
            end.attempt().complete(end.result());
            loop.runPendingTasks();
        }
        if (millis % TICK_MILLIS == 0) {
            scheduler.tick();
            loop.runPendingTasks();
        }
        while (!queue.isEmpty() && tryOffer(queue.peek())) {
            queue.remove();
            loop.runPendingTasks();
        }
    }

    private boolean tryOffer(Message message) {
        CallPermit permit = window.tryAcquire(MESSAGE_BYTES);
        if (permit == null) {
            return false;
        }
        Call call = call(message, permit).register();
        if (call.deadline().remainingNanos(clock.nanos()) <= 0) {
            call.fail(ErrorCode.DEADLINE_EXCEEDED);
            return true;
        }
        switch (scheduler.offer(call, false)) {
            case ADMITTED, QUEUED -> {}
            case QUEUE_FULL -> call.fail(ErrorCode.DESTINATION_FULL);
            case BREAKER_OPEN -> call.fail(ErrorCode.BREAKER_OPEN);
            case OVER_QUOTA -> call.fail(ErrorCode.APP_OVER_QUOTA);
            case BACKPRESSURE -> {
                call.withdraw();
                return false;
            }
        }
        return true;
    }

    private Call call(Message message, CallPermit permit) {
        long now = clock.nanos();
        long waitedMillis = millis - message.queuedMillis;
        Duration timeout = message.traffic.timeout().isZero() ? policy.timeout() : message.traffic.timeout();
        return TestCalls.of(
                new FakeDelivery("{}"),
                permit,
                new CallDeadline(
                        waitedMillis,
                        now,
                        now + message.traffic.deadline().toNanos() - TimeUnit.MILLISECONDS.toNanos(waitedMillis),
                        timeout.toNanos()),
                RequestEnvelope.get("i", "https://" + HOST + "/"),
                new HttpRequest("GET", URL, List.of(), null),
                destination(),
                new Listener(message),
                open);
    }
}
