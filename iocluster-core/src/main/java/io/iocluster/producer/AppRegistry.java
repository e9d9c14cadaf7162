package io.iocluster.producer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.NodeCapacity;
import io.iocluster.destination.PendingCall;
import io.iocluster.transport.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Finds the app of each message by the header that the settings name. Thread-safe.
 *
 * <p>There is one app for each entry of {@code apps}, one for each other name up to a limit, one called {@code other} for names beyond
 * the limit or not valid, and one called {@code unknown} for messages without a name. An app without an entry is forgotten after it sent
 * nothing for ten minutes, so that invented names do not fill the registry for ever.
 *
 * @param <C> the type of the calls
 */
public final class AppRegistry<C extends PendingCall> {

    static final long IDLE_EXPIRY_NANOS = Duration.ofMinutes(10).toNanos();

    private static final long SAMPLE_INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

    private final Map<String, App<C>> known = new ConcurrentHashMap<>();
    private final Set<App<C>> withQueue = ConcurrentHashMap.newKeySet();
    private final App.Shared<C> shared;
    private final LongSupplier clock;
    private final App<C> other;
    private final App<C> unknown;

    private volatile String header;

    @GuardedBy("this")
    private ProducerSettings settings;

    @GuardedBy("this")
    private Map<String, AppQuota> configured;

    @GuardedBy("this")
    private int unconfigured;

    @GuardedBy("this")
    private boolean closed;

    /** Confined to the thread that calls {@link #tick}. */
    private long sampledNanos;

    /**
     * Creates a registry.
     *
     * @param entries the apps with their own quota
     * @param node limits what all calls hold on the node
     * @param starter passes a call that has waited for its quota to its destination; called without a lock, must not throw
     * @param clock the node's monotonic clock, in nanoseconds
     */
    public AppRegistry(
            ProducerSettings settings,
            List<AppSettings> entries,
            NodeCapacity node,
            Consumer<C> starter,
            LongSupplier clock) {
        this.clock = clock;
        this.shared = new App.Shared<>(node, withQueue, starter, clock);
        this.other = new App<>(AppName.OTHER, false, settings.quota(), shared);
        this.unknown = new App<>(AppName.UNKNOWN, false, settings.quota(), shared);
        this.sampledNanos = clock.getAsLong();
        applySettings(settings, entries);
    }

    /** Returns the app that sent the message. */
    public App<C> appOf(Delivery delivery) {
        String name = nameIn(delivery);
        App<C> app = name == null || name.isEmpty() ? unknown : find(name);
        app.recordUse(clock.getAsLong());
        return app;
    }

    /** Returns the app's name as the message contains it, however long; null if it contains none. */
    public String nameIn(Delivery delivery) {
        String headerName = header;
        return headerName.isEmpty() ? null : delivery.header(headerName);
    }

    /** Returns whether the message has a name that cannot be that of an app. */
    public boolean isNameIgnored(Delivery delivery) {
        String name = nameIn(delivery);
        return name != null && !name.isEmpty() && !AppName.isValid(name);
    }

    private App<C> find(String name) {
        // The length first, because hashing a name of many megabytes takes long.
        App<C> found = name.length() > AppName.MAX_LENGTH ? other : known.get(name);
        return found != null ? found : create(name);
    }

    private synchronized App<C> create(String name) {
        App<C> found = known.get(name);
        if (found != null) {
            return found;
        }
        if (name.equals(AppName.UNKNOWN)) {
            return unknown;
        }
        if (unconfigured >= settings.maxApps() || name.equals(AppName.OTHER) || !AppName.isValid(name)) {
            return other;
        }
        App<C> app = newApp(name, false, settings.quota());
        unconfigured++;
        known.put(name, app);
        return app;
    }

    /** Applies new settings. An app that keeps its name and is still configured, or still is not, keeps its calls and counts. */
    public synchronized void applySettings(ProducerSettings next, List<AppSettings> entries) {
        settings = next;
        header = next.header();
        configured = new HashMap<>();
        for (AppSettings entry : entries) {
            configured.put(entry.name(), entry.quota());
        }
        other.update(false, next.quota());
        unknown.update(false, next.quota());
        for (App<C> app : known.values()) {
            AppQuota own = configured.get(app.name());
            app.update(own != null, own == null ? next.quota() : own);
        }
        for (AppSettings entry : entries) {
            if (!known.containsKey(entry.name())) {
                known.put(entry.name(), newApp(entry.name(), true, entry.quota()));
            }
        }
        unconfigured = known.size() - configured.size();
    }

    @GuardedBy("this")
    private App<C> newApp(String name, boolean byEntry, AppQuota quota) {
        App<C> app = new App<>(name, byEntry, quota, shared);
        if (closed) {
            app.close();
        }
        return app;
    }

    /**
     * Starts calls that have waited for their quota, and removes those that expired. One thread calls it every few milliseconds.
     *
     * @param expired receives each call whose deadline passed while it waited
     */
    public void tick(Consumer<C> expired) {
        long now = clock.getAsLong();
        for (App<C> app : withQueue) {
            app.tick(now).forEach(expired);
        }
        if (now - sampledNanos >= SAMPLE_INTERVAL_NANOS) {
            sampledNanos = now;
            all().forEach(app -> app.sample(now));
            removeIdle(now - IDLE_EXPIRY_NANOS);
        }
    }

    private synchronized void removeIdle(long since) {
        for (App<C> app : known.values()) {
            if (!configured.containsKey(app.name()) && app.isIdleSince(since)) {
                known.remove(app.name());
                unconfigured--;
            }
        }
    }

    private List<App<C>> all() {
        List<App<C>> all = new ArrayList<>(known.values());
        all.add(other);
        all.add(unknown);
        return all;
    }

    /** Returns a snapshot of each app that is configured or sent a message in the last minutes. */
    public List<AppStatus> status() {
        return all().stream().map(App::status).toList();
    }

    /** Removes all calls that wait for their quota, and returns them. No call is queued afterwards. */
    public synchronized List<C> close() {
        closed = true;
        List<C> left = new ArrayList<>();
        Set<App<C>> apps = new LinkedHashSet<>(all());
        apps.addAll(withQueue);
        apps.forEach(app -> left.addAll(app.close()));
        return left;
    }
}
