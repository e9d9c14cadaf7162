package io.iocluster.door.access;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.destination.limit.RateLimit;
import io.iocluster.door.config.DoorAppSettings;
import io.iocluster.settings.Rate;

/** An app with its limits and the calls that it has open. Thread-safe. */
public final class App {

    private final String name;
    private final int maxInFlight;

    @GuardedBy("this")
    private final RateLimit rate;

    @GuardedBy("this")
    private int inFlight;

    App(DoorAppSettings settings) {
        this(settings.name(), settings.maxInFlight(), settings.rate());
    }

    private App(String name, int maxInFlight, Rate rate) {
        this.name = name;
        this.maxInFlight = maxInFlight;
        this.rate = new RateLimit(name, rate, 1, System::nanoTime);
    }

    /** Returns an app without its own limits. */
    static App unlimited(String name) {
        return new App(name, 0, Rate.UNLIMITED);
    }

    public String name() {
        return name;
    }

    /** Counts a call as open and returns true if the limits of the app allow it. Each counted call must {@link #end}. */
    synchronized boolean tryStart() {
        if (maxInFlight > 0 && inFlight >= maxInFlight) {
            return false;
        }
        if (!rate.tryReserve(System.nanoTime())) {
            return false;
        }
        rate.consumeReservation();
        inFlight++;
        return true;
    }

    synchronized void end() {
        inFlight--;
    }
}
