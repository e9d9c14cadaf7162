package io.iocluster.door;

import io.iocluster.door.access.AccessControl;
import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.access.OpenCalls;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.call.CallResult;
import io.iocluster.door.call.Calls;
import io.iocluster.door.call.StoredCallListener;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.grpc.GrpcServer;
import io.iocluster.door.intake.AsyncCalls;
import io.iocluster.door.intake.CallProblems;
import io.iocluster.door.intake.CallStarter;
import io.iocluster.door.listener.ServerCertificate;
import io.iocluster.door.meter.AccessLog;
import io.iocluster.door.meter.DoorMeters;
import io.iocluster.door.route.AnswersRoute;
import io.iocluster.door.route.BatchRoute;
import io.iocluster.door.route.CreateCallRoute;
import io.iocluster.door.route.ForwardRoute;
import io.iocluster.door.route.GetCallRoute;
import io.iocluster.door.route.StatusRoute;
import io.iocluster.door.server.DoorRoutes;
import io.iocluster.door.server.DoorServer;
import io.iocluster.door.status.DoorStatusReader;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A running door. Owns its server and its calls. Lifecycle: start, drain. Thread-safe. */
public final class Door implements AutoCloseable {

    private static final long CLEAN_UP_SECONDS = 1;
    /** Time for callers to read the last responses when the door drains. */
    private static final Duration SEND_WITHIN = Duration.ofSeconds(2);

    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(5);

    private final Calls calls;
    private final OpenCalls open;
    private final BodyBudget bodies;
    private final AnswerBudget unread;
    private final KeptAnswers kept;
    private final DoorTraffic traffic;
    private final AnswersRoute answers;
    private final DoorMeters meters;
    private final AccessControl access;
    /** Empty without TLS. */
    private final Optional<ServerCertificate> certificate;

    private final DoorServer server;
    /** Empty if the door takes no calls over gRPC. */
    private final Optional<GrpcServer> grpc;

    /** Cleans up every second, and ends waits whose time is over. */
    private final ScheduledExecutorService timer;

    private volatile DoorSettings settings;

    private Door(DoorSettings initial, Calls calls, DoorEnvironment environment, ScheduledExecutorService timer)
            throws IOException {
        Platform platform = environment.platform();
        this.calls = calls;
        this.settings = initial;
        this.timer = timer;
        DoorLimits limits = initial.limits();
        this.open = new OpenCalls(limits.maxInFlight(), platform);
        this.kept = new KeptAnswers(initial.answers(), platform);
        this.bodies = new BodyBudget(limits.maxBodies().bytes(), limits.minBodies());
        this.unread = new AnswerBudget(limits.maxAnswers().bytes(), limits.readTimeout(), platform::nanos);
        this.certificate = ServerCertificate.read("door", "door.tls", initial.tls());
        this.access = AccessControl.of(
                initial,
                session -> certificate
                        .map(each -> each.trustedCertificate(session))
                        .orElse(null),
                platform);
        this.traffic = new DoorTraffic(names(initial), environment.maxApps(), platform::nanos, platform.clock());
        calls.start(new KeptResults(kept, traffic));
        CallStarter starter = new CallStarter(
                this::settings, calls, open, bodies, unread, traffic, environment.maxBranches(), platform);
        AsyncCalls asyncCalls = new AsyncCalls(starter, kept, this::settings, timer);
        this.answers = new AnswersRoute(kept, open);
        DoorStatusReader status = new DoorStatusReader(
                environment.info(),
                this::settings,
                open,
                bodies,
                unread,
                kept,
                traffic,
                calls::stored,
                this::problem,
                platform);
        this.meters = new DoorMeters(status, traffic, unread::disconnected);
        DoorRoutes routes = new DoorRoutes(
                new CreateCallRoute(starter, asyncCalls),
                new GetCallRoute(asyncCalls),
                new BatchRoute(starter, this::settings, traffic, platform),
                answers,
                new ForwardRoute(starter, traffic),
                new StatusRoute(status::read),
                this::problem,
                environment.pages());
        AccessLog log = new AccessLog(this::settings, meters, traffic);
        this.server = DoorServer.start(this::settings, certificate, routes, access, bodies, unread, log, platform);
        this.grpc = startGrpc(new GrpcServer.Shared(
                this::settings, certificate, starter, asyncCalls, access, bodies, unread, traffic, log, platform));
        timer.scheduleWithFixedDelay(
                new GuardedTask("clean-up of the door", this::cleanUp, platform),
                CLEAN_UP_SECONDS,
                CLEAN_UP_SECONDS,
                TimeUnit.SECONDS);
    }

    private static List<String> names(DoorSettings settings) {
        return settings.apps().stream().map(DoorAppSettings::name).toList();
    }

    private Optional<GrpcServer> startGrpc(GrpcServer.Shared shared) throws IOException {
        if (!settings.grpc().enabled()) {
            return Optional.empty();
        }
        try {
            return Optional.of(GrpcServer.start(shared));
        } catch (IOException | RuntimeException | Error failed) {
            answers.close();
            server.close();
            throw failed;
        }
    }

    private void cleanUp() {
        kept.removeExpired();
        unread.disconnectStalled();
        traffic.sample();
        meters.update();
        grpc.ifPresent(started -> started.setReady(problem() == null));
    }

    private DoorSettings settings() {
        return settings;
    }

    /**
     * Applies the settings that are live, and the current content of the certificate's files. Ignores other changes. Open calls stay
     * open.
     *
     * @return whether the certificate has changed
     */
    public boolean update(DoorSettings next) {
        settings = next;
        DoorLimits limits = next.limits();
        open.update(limits.maxInFlight());
        bodies.update(limits.maxBodies().bytes());
        unread.update(limits.maxAnswers().bytes(), limits.readTimeout());
        kept.update(next.answers());
        access.update(next);
        traffic.update(names(next));
        return certificate.map(ServerCertificate::reload).orElse(false);
    }

    /**
     * Starts a door. The caller binds its {@link #meters} to a registry.
     *
     * @param calls makes the calls; the door closes it, even if the door cannot start
     * @throws IOException if the door cannot listen on its addresses or use its certificates; the message is for operators
     */
    public static Door start(DoorSettings settings, Calls calls, DoorEnvironment environment) throws IOException {
        ScheduledExecutorService timer = environment.platform().newScheduler("iocluster-door-timer");
        try {
            return new Door(settings, calls, environment, timer);
        } catch (IOException | RuntimeException | Error failed) {
            timer.shutdown();
            calls.close(CLOSE_WITHIN);
            throw failed;
        }
    }

    /** Keeps the results of stored calls, and counts the problems among them. */
    private record KeptResults(KeptAnswers kept, DoorTraffic traffic) implements StoredCallListener {

        @Override
        public void recovered(String app, String id) {
            kept.register(app, id);
        }

        @Override
        public void ended(String app, String id, CallResult result) {
            CallProblems.count(traffic, app, result);
            kept.complete(app, id, result);
        }
    }

    /** Returns why the door is not ready, for operators; null if it is. */
    public String problem() {
        return open.isDraining() ? "the door stops" : calls.problem();
    }

    /** Returns the address of the HTTP server, with the port that the system chose if the configured port is 0. */
    public InetSocketAddress address() {
        return server.address();
    }

    /** Returns the address of the gRPC server; empty if the door has none. */
    public Optional<InetSocketAddress> grpcAddress() {
        return grpc.map(GrpcServer::address);
    }

    /** Returns the door's meters, which record nothing before they are bound. */
    public DoorMeters meters() {
        return meters;
    }

    /**
     * Accepts no further calls, waits for the open ones, and stops. Waits at most a few seconds more until the callers have read the last
     * responses.
     *
     * @return whether all open calls ended within this time
     */
    public boolean drain(Duration within) throws InterruptedException {
        open.drain();
        grpc.ifPresent(GrpcServer::drain);
        try {
            boolean ended = open.awaitNone(within);
            answers.close();
            server.awaitResponses(SEND_WITHIN);
            if (grpc.isPresent()) {
                grpc.get().awaitResponses(SEND_WITHIN);
            }
            return ended;
        } finally {
            close();
        }
    }

    /** Stops at once. Open calls end without an answer. Does nothing if it is called again. */
    @Override
    public void close() {
        open.drain();
        answers.close();
        timer.shutdown();
        calls.close(CLOSE_WITHIN);
        server.close();
        grpc.ifPresent(GrpcServer::close);
    }
}
