package io.iocluster.door.traffic;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.producer.AppName;
import io.iocluster.transport.IgnoredInput;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Counts calls and problems by app. Callers may invent names, so the number of apps is limited: further ones share {@code other}, and an
 * app without an entry in the settings is forgotten after it was idle for ten minutes. Thread-safe, except {@link #sample}.
 */
public final class DoorTraffic {

    /** The apps {@code other} and {@code unknown}. */
    private static final int RESERVED = 2;

    @GuardedBy("this")
    private Set<String> configured = Set.of();

    private final int maxApps;
    private final LongSupplier clock;
    private final InstantSource time;

    @GuardedBy("this")
    private final Map<String, AppTraffic> apps = new HashMap<>();

    @GuardedBy("this")
    private final Map<String, Long> problems = new TreeMap<>();

    @GuardedBy("this")
    private final Map<IgnoredInput, Long> ignoredInputs = new EnumMap<>(IgnoredInput.class);

    /**
     * Creates the counts of one door.
     *
     * @param configured the names of the apps in the settings, which are never forgotten
     * @param maxApps maximum number of other apps that are counted separately
     * @param clock the monotonic time in nanoseconds
     * @param time the time at which problems are recorded
     */
    public DoorTraffic(Collection<String> configured, int maxApps, LongSupplier clock, InstantSource time) {
        this.maxApps = maxApps;
        this.clock = clock;
        this.time = time;
        apps.put(AppName.UNKNOWN, new AppTraffic(AppName.UNKNOWN, clock));
        apps.put(AppName.OTHER, new AppTraffic(AppName.OTHER, clock));
        update(configured);
    }

    /** Applies other apps of the settings. Removed ones are forgotten when they are idle. */
    public synchronized void update(Collection<String> names) {
        configured = Set.copyOf(names);
        for (String name : configured) {
            apps.putIfAbsent(name, new AppTraffic(name, clock));
        }
    }

    /**
     * Counts calls that have started together.
     *
     * @return the app; pass it the end of the calls with {@link AppTraffic#ended}
     */
    public synchronized AppTraffic callStarted(String app, int calls) {
        AppTraffic found = find(app);
        found.started(calls);
        return found;
    }

    /**
     * Counts a problem that a caller got.
     *
     * @param app null if the caller is not known
     * @param code one of a fixed set
     */
    public void problem(String app, String code) {
        AppTraffic found;
        synchronized (this) {
            found = find(app == null ? AppName.UNKNOWN : app);
            problems.merge(code, 1L, Long::sum);
        }
        found.problem(code, time.instant());
    }

    /** Counts a part of a request that is not valid and was ignored. */
    public synchronized void inputIgnored(IgnoredInput input) {
        ignoredInputs.merge(input, 1L, Long::sum);
    }

    /** Returns the number of these ignored parts since the start. */
    public synchronized long ignoredInputs(IgnoredInput input) {
        return ignoredInputs.getOrDefault(input, 0L);
    }

    @GuardedBy("this")
    private AppTraffic find(String name) {
        AppTraffic found = apps.get(name);
        if (found == null) {
            boolean isFull = apps.size() >= configured.size() + RESERVED + maxApps;
            found = isFull ? apps.get(AppName.OTHER) : new AppTraffic(name, clock);
            apps.putIfAbsent(found.name(), found);
        }
        found.use();
        return found;
    }

    /** Returns the name under which an app is counted. */
    public synchronized String countedAs(String app) {
        return apps.containsKey(app) ? app : AppName.OTHER;
    }

    /** Returns the apps that are configured or were in use in the last minutes. */
    public synchronized List<AppTraffic> apps() {
        return new ArrayList<>(apps.values());
    }

    /** Returns the codes of all problems since the start. */
    public synchronized List<String> codes() {
        return new ArrayList<>(problems.keySet());
    }

    /** Returns the number of problems with this code since the start. */
    public synchronized long problems(String code) {
        return problems.getOrDefault(code, 0L);
    }

    /** Updates the moving averages and forgets idle apps. One thread calls it each second. */
    public void sample() {
        apps().forEach(AppTraffic::sample);
        synchronized (this) {
            Set<String> kept = configured;
            apps.values()
                    .removeIf(app -> !kept.contains(app.name()) && !AppName.isReserved(app.name()) && app.isIdle());
        }
    }
}
