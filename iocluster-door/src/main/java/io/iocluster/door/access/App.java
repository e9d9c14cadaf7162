package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.limit.RateLimit;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.egress.HostPatterns;
import io.iocluster.egress.TargetUrl;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.settings.Rate;
import io.iocluster.thread.NodeClock;
import java.util.List;

/** An app with its limits and the calls that it has open. Thread-safe. */
public final class App {

    private final String name;
    private final NodeClock clock;

    @GuardedBy("this")
    private int maxInFlight;

    @GuardedBy("this")
    private RateLimit rate;

    /** Calls that started before the rate allowed them, because they belong to one envelope. Later calls wait for them. */
    @GuardedBy("this")
    private int owed;

    @GuardedBy("this")
    private int inFlight;

    private volatile HostPatterns destinations;

    App(DoorAppSettings settings, NodeClock clock) {
        this(settings.name(), settings.maxInFlight(), settings.rate(), settings.destinations(), clock);
    }

    private App(String name, int maxInFlight, Rate rate, List<String> destinations, NodeClock clock) {
        this.name = name;
        this.clock = clock;
        this.maxInFlight = maxInFlight;
        this.rate = limit(rate);
        this.destinations = new HostPatterns(destinations);
    }

    /** Returns an app without its own limits. */
    static App unlimited(String name, NodeClock clock) {
        return new App(name, 0, Rate.UNLIMITED, List.of(), clock);
    }

    private RateLimit limit(Rate newRate) {
        return new RateLimit(name, newRate, 1, clock::nanos);
    }

    /** Changes the limits. Open calls stay open. */
    synchronized void update(DoorAppSettings settings) {
        maxInFlight = settings.maxInFlight();
        if (!settings.rate().equals(rate.rate())) {
            rate = limit(settings.rate());
            owed = 0;
        }
        destinations = new HostPatterns(settings.destinations());
    }

    public String name() {
        return name;
    }

    /** Returns the first host that the app may not call; null if there is none. Ignores URLs that are not valid, because no node calls them. */
    public String forbiddenHost(RequestEnvelope envelope) {
        HostPatterns allowed = destinations;
        if (allowed.isEmpty()) {
            return null;
        }
        List<RequestEnvelope> calls = envelope.scatter() == null
                ? List.of(envelope)
                : envelope.scatter().branches();
        for (RequestEnvelope each : calls) {
            try {
                String host = TargetUrl.parse(each.url()).host();
                if (!allowed.matches(host)) {
                    return host;
                }
            } catch (IllegalArgumentException invalid) {
                continue;
            }
        }
        return null;
    }

    /** Counts calls as open and returns true if the limits of the app allow it. Counted calls must {@link #end}. */
    synchronized boolean tryStart(int calls) {
        if (maxInFlight > 0 && inFlight + calls > maxInFlight) {
            return false;
        }
        long now = clock.nanos();
        while (owed > 0 && takePermission(now)) {
            owed--;
        }
        if (owed > 0 || !takePermission(now)) {
            return false;
        }
        owed = calls - 1;
        inFlight += calls;
        return true;
    }

    @GuardedBy("this")
    private boolean takePermission(long nowNanos) {
        if (!rate.tryReserve(nowNanos)) {
            return false;
        }
        rate.consumeReservation();
        return true;
    }

    synchronized boolean hasOpenCalls() {
        return inFlight > 0;
    }

    /** Returns the maximum number of calls in flight; 0 for no limit. */
    public synchronized int maxInFlight() {
        return maxInFlight;
    }

    synchronized void end(int calls) {
        inFlight -= calls;
    }
}
