package io.iocluster.node.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsChange;
import io.iocluster.node.reload.ConfigurationStatus.Reload;
import io.iocluster.pipeline.WorkerSettings;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a node runs with. Whoever has other settings for it comes here, one after the other; they are taken up whole or refused
 * whole, but for keys that wait for the next start. Changes are guarded by a lock; it is read without one.
 */
public final class LiveConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);
    private static final int MOST_KEYS_LOGGED = 20;

    private final Applier applier;
    private final Clock clock;

    @GuardedBy("this")
    private WorkerSettings workersInFile;

    private volatile LoadedSettings<NodeSettings> inForce;
    private volatile ConfigurationStatus status = ConfigurationStatus.initial();

    /** Makes a node run with other settings. */
    public interface Applier {

        /**
         * Called for one change at a time.
         *
         * @return whether anything changed: perhaps no setting, but what a file holds that a setting names
         * @throws RuntimeException if they cannot be taken up; the node runs as before then
         */
        boolean apply(NodeSettings next);
    }

    public LiveConfiguration(LoadedSettings<NodeSettings> initial, Applier applier, Clock clock) {
        this.inForce = initial;
        this.workersInFile = initial.settings().workers();
        this.applier = applier;
        this.clock = clock;
    }

    /** As it holds now. */
    public LoadedSettings<NodeSettings> current() {
        return inForce;
    }

    public ConfigurationStatus status() {
        return status;
    }

    synchronized void setFile(Path file) {
        status = new ConfigurationStatus(
                file,
                status.differs(),
                status.applied(),
                status.refused(),
                status.lastReload(),
                status.restartNeeded());
    }

    /**
     * Changes how much is done at once, until the file says something else of the workers than it says now.
     *
     * @param threads null: as it is
     * @param maxInFlight null: as it is
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of its range
     */
    public synchronized void resize(Integer threads, Integer maxInFlight) {
        WorkerSettings workers = inForce.settings().workers();
        NodeSettings resized = inForce.settings()
                .withWorkerSize(
                        threads == null ? workers.threads() : threads,
                        maxInFlight == null ? workers.maxInFlight() : maxInFlight);
        applier.apply(resized);
        inForce = new LoadedSettings<>(resized, inForce.hiddenPaths(), inForce.files());
        status = status(status.applied(), status.refused(), status.lastReload(), status.restartNeeded());
    }

    /** Takes up what the file says now. */
    synchronized void update(LoadedSettings<NodeSettings> loaded) {
        NodeSettings running = inForce.settings();
        boolean sameWorkers = loaded.settings().workers().equals(workersInFile);
        NodeSettings wanted = sameWorkers ? loaded.settings().withWorkers(running.workers()) : loaded.settings();
        SettingsChange<NodeSettings> change = SettingsChange.between(running, wanted);
        boolean changed;
        try {
            changed = applier.apply(change.settings());
        } catch (RuntimeException failed) {
            if (refuse(List.of(new InvalidSetting("the node", "cannot take it up; its log says why")))) {
                LOG.error("the configuration cannot be taken up", failed);
            }
            return;
        }
        Set<String> hidden = new HashSet<>(inForce.hiddenPaths());
        hidden.addAll(loaded.hiddenPaths());
        inForce = new LoadedSettings<>(change.settings(), hidden, loaded.files());
        workersInFile = loaded.settings().workers();
        boolean again = isRefused();
        boolean waits = !change.restartKeys().equals(status.restartNeeded());
        if (changed || again || waits) {
            log(change, changed, waits);
            Reload taken = new Reload(clock.instant(), List.of());
            status = status(status.applied() + 1, status.refused(), taken, change.restartKeys());
        } else {
            status = status(status.applied(), status.refused(), status.lastReload(), change.restartKeys());
        }
    }

    private static void log(SettingsChange<NodeSettings> change, boolean changed, boolean waits) {
        String none = changed ? "what a file holds that it names" : "nothing new";
        LOG.info(
                "the configuration was read again; taken up: {}",
                change.appliedKeys().isEmpty() ? none : keys(change.appliedKeys()));
        if (waits && !change.restartKeys().isEmpty()) {
            LOG.warn("these keys of the configuration wait for the next start: {}", keys(change.restartKeys()));
        }
    }

    private static String keys(List<String> keys) {
        int more = keys.size() - MOST_KEYS_LOGGED;
        return more <= 0
                ? String.join(", ", keys)
                : String.join(", ", keys.subList(0, MOST_KEYS_LOGGED)) + " and " + more + " more";
    }

    /**
     * Says what is wrong with the file and goes on as before.
     *
     * @return false if that was said already
     */
    synchronized boolean refuse(List<InvalidSetting> mistakes) {
        List<String> wrong = mistakes.stream().map(InvalidSetting::toString).toList();
        if (status.lastReload() != null && status.lastReload().errors().equals(wrong)) {
            return false;
        }
        LOG.error("the configuration is refused, and what ran before goes on: {}", String.join("; ", wrong));
        Reload refused = new Reload(clock.instant(), wrong);
        status = status(status.applied(), status.refused() + 1, refused, status.restartNeeded());
        return true;
    }

    /** Whether the file as it was read last was refused. */
    boolean isRefused() {
        Reload last = status.lastReload();
        return last != null && last.isRefused();
    }

    @GuardedBy("this")
    private ConfigurationStatus status(long applied, long refused, Reload last, List<String> restartNeeded) {
        boolean isRefused = last != null && last.isRefused();
        boolean resized = !inForce.settings().workers().equals(workersInFile);
        return new ConfigurationStatus(
                status.file(), isRefused || resized || !restartNeeded.isEmpty(), applied, refused, last, restartNeeded);
    }
}
