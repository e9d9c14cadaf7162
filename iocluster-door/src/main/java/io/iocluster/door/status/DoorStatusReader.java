package io.iocluster.door.status;

import io.iocluster.door.access.AnswerBudget;
import io.iocluster.door.access.BodyBudget;
import io.iocluster.door.access.OpenCalls;
import io.iocluster.door.answers.AnswerShare;
import io.iocluster.door.answers.KeptAnswers;
import io.iocluster.door.call.StoredUsage;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.door.config.DoorLimits;
import io.iocluster.door.config.DoorSettings;
import io.iocluster.door.config.KeptAnswerSettings;
import io.iocluster.door.status.DoorStatus.AppRow;
import io.iocluster.door.status.DoorStatus.SpoolUsage;
import io.iocluster.door.status.DoorStatus.State;
import io.iocluster.door.status.DoorUsage.Usage;
import io.iocluster.door.traffic.AppTraffic;
import io.iocluster.door.traffic.DoorTraffic;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the status of a door from its parts. Thread-safe. */
public final class DoorStatusReader {

    private final DoorInfo door;
    private final Supplier<DoorSettings> settings;
    private final OpenCalls open;
    private final BodyBudget bodies;
    private final AnswerBudget unread;
    private final KeptAnswers kept;
    private final DoorTraffic traffic;
    private final Supplier<Optional<StoredUsage>> spool;
    private final Supplier<String> problem;
    private final NodeClock clock;
    private final Instant startedAt;
    private final long startedNanos;

    /**
     * Creates a reader.
     *
     * @param settings returns the current settings
     * @param spool returns how much of the spool is used; empty if there is none
     * @param problem returns why the door is not ready; null if it is
     */
    public DoorStatusReader(
            DoorInfo door,
            Supplier<DoorSettings> settings,
            OpenCalls open,
            BodyBudget bodies,
            AnswerBudget unread,
            KeptAnswers kept,
            DoorTraffic traffic,
            Supplier<Optional<StoredUsage>> spool,
            Supplier<String> problem,
            NodeClock clock) {
        this.clock = clock;
        this.startedAt = Instant.ofEpochMilli(clock.wallMillis());
        this.startedNanos = clock.nanos();
        this.door = door;
        this.settings = settings;
        this.open = open;
        this.bodies = bodies;
        this.unread = unread;
        this.kept = kept;
        this.traffic = traffic;
        this.spool = spool;
        this.problem = problem;
    }

    /** Returns a snapshot of the door. */
    public DoorStatus read() {
        String found = problem.get();
        return new DoorStatus(
                door,
                open.isDraining() ? State.DRAINING : found == null ? State.READY : State.NOT_READY,
                found,
                startedAt,
                Duration.ofNanos(clock.nanos() - startedNanos).toSeconds(),
                usage(),
                spool.get().map(SpoolUsage::of),
                apps());
    }

    /** Returns how much of its limits the door uses. */
    public DoorUsage usage() {
        DoorLimits limits = settings.get().limits();
        KeptAnswerSettings answers = settings.get().answers();
        return new DoorUsage(
                new Usage(open.count(), limits.maxInFlight()),
                new Usage(bodies.held(), limits.maxBodies().bytes()),
                new Usage(kept.count(), answers.maxCount()),
                new Usage(kept.bytes(), answers.maxBytes().bytes()),
                new Usage(kept.streams(), answers.maxStreams()),
                new Usage(kept.waiting().count(), answers.maxWaiting()),
                new Usage(unread.held(), limits.maxAnswers().bytes()));
    }

    /** Returns whether the door is ready. */
    public boolean isReady() {
        return problem.get() == null;
    }

    /** Returns the apps that are configured or were in use in the last minutes, by name. */
    public List<AppRow> apps() {
        Map<String, DoorAppSettings> configured = new HashMap<>();
        settings.get().apps().forEach(app -> configured.put(app.name(), app));
        Map<String, AnswerShare> answers = new HashMap<>();
        kept.shares().forEach((app, share) -> answers.merge(traffic.countedAs(app), share, AnswerShare::plus));
        return traffic.apps().stream()
                .map(app -> row(app, configured.get(app.name()), answers.getOrDefault(app.name(), AnswerShare.NONE)))
                .sorted(Comparator.comparing(AppRow::name))
                .toList();
    }

    /** Returns the row of an app; {@code own} is its entry in the settings, or null. */
    private static AppRow row(AppTraffic app, DoorAppSettings own, AnswerShare answers) {
        return new AppRow(
                app.name(),
                own != null,
                app.inFlight(),
                own == null || own.maxInFlight() == 0 ? null : own.maxInFlight(),
                app.callsPerSecond(),
                own == null || own.rate().isUnlimited() ? null : own.rate().toString(),
                app.calls(),
                answers.count(),
                answers.bytes(),
                answers.streams(),
                app.problems(),
                app.recentProblems());
    }
}
