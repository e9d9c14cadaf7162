package io.iocluster.node.reload;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.iocluster.node.audit.Actor;
import io.iocluster.node.audit.AuditLog;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.EffectiveSettings;
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
import tools.jackson.databind.node.ObjectNode;

/**
 * The settings in use. Applies changed settings one at a time, and as a whole or not at all, except keys that need a
 * restart. Thread-safe: writes take a lock, reads do not.
 */
public final class LiveConfiguration {

    private static final Logger LOG = LoggerFactory.getLogger(LiveConfiguration.class);
    private static final String ACTION = "configuration";
    private static final int MAX_KEYS_LOGGED = 20;

    private final Applier applier;
    private final Clock clock;
    private final AuditLog audit;

    @GuardedBy("this")
    private WorkerSettings workersInFile;

    private volatile LoadedSettings<NodeSettings> loadedSettings;
    private volatile ConfigurationStatus status;

    /** Applies settings to the node. */
    public interface Applier {

        /**
         * Applies the settings. Called for one change at a time.
         *
         * @return whether anything changed: a setting, or the content of a file that a setting names
         * @throws RuntimeException if the settings cannot be applied; the node keeps the previous ones
         */
        boolean apply(NodeSettings next);
    }

    /**
     * Creates the configuration of a node.
     *
     * @param audit records applied and refused changes of the file or Consul key
     */
    public LiveConfiguration(LoadedSettings<NodeSettings> initial, Applier applier, Clock clock, AuditLog audit) {
        this.loadedSettings = initial;
        this.workersInFile = initial.settings().workers();
        this.applier = applier;
        this.clock = clock;
        this.audit = audit;
        this.status = ConfigurationStatus.initial(ConfigurationHash.of(initial));
    }

    /** Returns the settings in use. */
    public LoadedSettings<NodeSettings> current() {
        return loadedSettings;
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
                status.restartNeeded(),
                status.hash());
    }

    /**
     * Resizes the workers. The size holds until the {@code workers} of the file change.
     *
     * @param threads null for no change
     * @param maxInFlight null for no change
     * @throws io.iocluster.settings.InvalidSettingsException if a value is out of range
     */
    public synchronized void resize(Integer threads, Integer maxInFlight) {
        WorkerSettings workers = loadedSettings.settings().workers();
        NodeSettings resized = loadedSettings
                .settings()
                .withWorkerSize(
                        threads == null ? workers.threads() : threads,
                        maxInFlight == null ? workers.maxInFlight() : maxInFlight);
        applier.apply(resized);
        loadedSettings = new LoadedSettings<>(resized, loadedSettings.hiddenPaths(), loadedSettings.files());
        status = status(status.applied(), status.refused(), status.lastReload(), status.restartNeeded(), status.hash());
    }

    /** Applies the current content of the file, or refuses it. */
    synchronized void update(LoadedSettings<NodeSettings> loaded) {
        NodeSettings running = loadedSettings.settings();
        boolean sameWorkers = loaded.settings().workers().equals(workersInFile);
        NodeSettings wanted = sameWorkers ? loaded.settings().withWorkers(running.workers()) : loaded.settings();
        SettingsChange<NodeSettings> change = SettingsChange.between(running, wanted);
        boolean changed;
        try {
            changed = applier.apply(change.settings());
        } catch (RuntimeException | Error failed) {
            if (refuse(List.of(new InvalidSetting("the node", "cannot apply the configuration; see its log")))) {
                LOG.error("Applying the configuration failed; the node keeps its settings", failed);
            }
            return;
        }
        Set<String> hidden = new HashSet<>(loadedSettings.hiddenPaths());
        hidden.addAll(loaded.hiddenPaths());
        LoadedSettings<NodeSettings> before = new LoadedSettings<>(running, hidden, loadedSettings.files());
        loadedSettings = new LoadedSettings<>(change.settings(), hidden, loaded.files());
        workersInFile = loaded.settings().workers();
        String hash = hashOfFile();
        boolean wasRefused = isRefused();
        boolean restartKeysChanged = !change.restartKeys().equals(status.restartNeeded());
        if (changed || wasRefused || restartKeysChanged) {
            log(change, changed, restartKeysChanged);
            Reload reload = new Reload(clock.instant(), List.of());
            status = status(status.applied() + 1, status.refused(), reload, change.restartKeys(), hash);
            if (changed) {
                // After the status, because the values take longest.
                audit.done(actor(), ACTION, values(before, change), values(loadedSettings, change));
            }
        } else {
            status = status(status.applied(), status.refused(), status.lastReload(), change.restartKeys(), hash);
        }
    }

    /** Returns the values of the applied keys, with secrets hidden. */
    private static ObjectNode values(LoadedSettings<NodeSettings> loaded, SettingsChange<NodeSettings> change) {
        return new EffectiveSettings(loaded).values(change.appliedKeys());
    }

    private Actor actor() {
        return new Actor("configuration", String.valueOf(status.file()));
    }

    private static void log(SettingsChange<NodeSettings> change, boolean changed, boolean restartKeysChanged) {
        String none = changed ? "content of a referenced file" : "nothing";
        LOG.info(
                "Configuration reloaded applied={}",
                change.appliedKeys().isEmpty() ? none : keys(change.appliedKeys()));
        if (restartKeysChanged && !change.restartKeys().isEmpty()) {
            LOG.warn("Changed keys need a restart keys={}", keys(change.restartKeys()));
        }
    }

    private static String keys(List<String> keys) {
        int more = keys.size() - MAX_KEYS_LOGGED;
        return more <= 0
                ? String.join(", ", keys)
                : String.join(", ", keys.subList(0, MAX_KEYS_LOGGED)) + " and " + more + " more";
    }

    /**
     * Records and logs why the file is refused. The settings in use stay.
     *
     * @return false if the last reload was refused for the same reasons
     */
    synchronized boolean refuse(List<InvalidSetting> invalidSettings) {
        List<String> errors =
                invalidSettings.stream().map(InvalidSetting::toString).toList();
        if (status.lastReload() != null && status.lastReload().errors().equals(errors)) {
            return false;
        }
        LOG.error("Configuration refused; the node keeps its settings errors={}", String.join("; ", errors));
        audit.refused(actor(), ACTION, String.join("; ", errors));
        Reload refused = new Reload(clock.instant(), errors);
        status = status(status.applied(), status.refused() + 1, refused, status.restartNeeded(), status.hash());
        return true;
    }

    /** Returns whether the last reload was refused. */
    boolean isRefused() {
        Reload last = status.lastReload();
        return last != null && last.isRefused();
    }

    /** Leaves out sizes that an operator or the advisor set, because they belong to this node and not to the configuration. */
    @GuardedBy("this")
    private String hashOfFile() {
        return ConfigurationHash.of(new LoadedSettings<>(
                loadedSettings.settings().withWorkers(workersInFile),
                loadedSettings.hiddenPaths(),
                loadedSettings.files()));
    }

    @GuardedBy("this")
    private ConfigurationStatus status(
            long applied, long refused, Reload last, List<String> restartNeeded, String hash) {
        boolean isRefused = last != null && last.isRefused();
        boolean resized = !loadedSettings.settings().workers().equals(workersInFile);
        return new ConfigurationStatus(
                status.file(),
                isRefused || resized || !restartNeeded.isEmpty(),
                applied,
                refused,
                last,
                restartNeeded,
                hash);
    }
}
