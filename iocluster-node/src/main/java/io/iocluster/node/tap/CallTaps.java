package io.iocluster.node.tap;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.Answer;
import io.iocluster.node.admin.AdminException;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.TapSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.pipeline.event.CallTap;
import io.iocluster.settings.Rate;
import io.iocluster.thread.NodeClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** The open taps of a node. While there is none, an ended call costs one volatile read. Thread-safe. */
public final class CallTaps implements CallTap {

    private final TapSettings settings;
    private final UrlRedaction urls;
    private final NodeClock clock;
    private final Supplier<LoadedSettings<NodeSettings>> configuration;
    private final Object lock = new Object();

    /** Replaced as a whole under the lock. */
    private volatile List<Tap> open = List.of();

    /** Replaced while a tap is open and the configuration changes. */
    private volatile KnownSecrets secrets = new KnownSecrets(null, new SecretRedaction(Set.of()));

    /** The secrets of one configuration, which is compared by identity. */
    private record KnownSecrets(LoadedSettings<NodeSettings> configuration, SecretRedaction redaction) {}

    /**
     * Creates the taps of a node.
     *
     * @param configuration returns the current configuration, whose secrets no tap shows
     */
    public CallTaps(TapSettings settings, Supplier<LoadedSettings<NodeSettings>> configuration, NodeClock clock) {
        this.clock = clock;
        this.settings = settings;
        this.configuration = configuration;
        this.urls = new UrlRedaction(settings.shownQueryValues());
    }

    @Override
    public boolean isTapped() {
        return !open.isEmpty();
    }

    @Override
    public void callTapped(String position, String destination, HttpRequest request, Answer answer) {
        for (Tap tap : open) {
            tap.offer(position, destination, request, answer);
        }
    }

    /** Reads the secrets of the configuration again if it has changed. */
    void refreshSecrets() {
        LoadedSettings<NodeSettings> current = configuration.get();
        if (current != secrets.configuration()) {
            secrets = new KnownSecrets(current, new SecretRedaction(new EffectiveSettings(current).secrets()));
        }
    }

    TapSettings settings() {
        return settings;
    }

    /** Returns the lines of a tap for this time. */
    TapStream stream(Tap tap, Duration duration) {
        return new TapStream(this, tap, duration, clock);
    }

    /**
     * Opens a tap.
     *
     * @throws AdminException if too many are open
     */
    Tap open(TapFilter filter, Rate rate) {
        refreshSecrets();
        synchronized (lock) {
            if (open.size() >= settings.maxTaps()) {
                throw new AdminException(
                        429, open.size() + " taps are open; admin.tap.max-taps is " + settings.maxTaps());
            }
            Tap tap = new Tap(filter, rate, settings.buffer(), urls, () -> secrets.redaction(), clock);
            replace(tap, true);
            return tap;
        }
    }

    void close(Tap tap) {
        synchronized (lock) {
            replace(tap, false);
        }
    }

    @GuardedBy("lock")
    private void replace(Tap tap, boolean add) {
        List<Tap> changed = new ArrayList<>(open);
        changed.remove(tap);
        if (add) {
            changed.add(tap);
        }
        open = List.copyOf(changed);
    }
}
