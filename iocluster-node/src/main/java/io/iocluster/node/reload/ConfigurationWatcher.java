package io.iocluster.node.reload;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.settings.FileDigests;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import io.iocluster.thread.GuardedTask;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Polls the node's configuration file and the files that it names, and applies a change
 * (docs/adr/0014-the-configuration-file-is-reloaded.md). Owns its thread.
 *
 * <p>It reads a changed file only after two polls saw the same content, because it may still be being written. It reads
 * a refused file again at each poll, because a file that it names may exist by then. This includes a file that was
 * emptied, which is refused. An overlay comes from elsewhere and is applied together with the file's current content.
 */
public final class ConfigurationWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationWatcher.class);
    private static final Duration SETTLING_TIME = Duration.ofMillis(200);

    private final Path file;
    private final boolean startedEmpty;
    private final LiveConfiguration configuration;
    private final ScheduledExecutorService executor;
    private SettingsLoader<NodeSettings> loader;
    private Set<Path> referencedFiles;
    private FileDigests lastSeen;
    private FileDigests lastRead;
    private boolean isOverlayRead = true;
    private boolean isOverlayGone;
    private Future<?> nextPoll;
    private boolean settled;
    private final GuardedTask guardedPoll;

    ConfigurationWatcher(
            Path file, SettingsLoader<NodeSettings> loader, LiveConfiguration configuration, Platform platform) {
        this.executor = platform.newScheduler("iocluster-config");
        this.guardedPoll = new GuardedTask("configuration", () -> settled = poll(), platform);
        this.file = file;
        this.startedEmpty = isEmpty(file);
        this.loader = loader;
        this.configuration = configuration;
        this.referencedFiles = referencedFiles(configuration.current());
        configuration.setFile(file);
    }

    /**
     * Starts polling, unless {@code config.poll-interval} is zero.
     *
     * @param loader reads the file
     */
    public static ConfigurationWatcher start(
            Path file, SettingsLoader<NodeSettings> loader, LiveConfiguration configuration, Platform platform) {
        ConfigurationWatcher watcher = new ConfigurationWatcher(file, loader, configuration, platform);
        if (!watcher.interval().isZero()) {
            watcher.schedule(false);
        }
        return watcher;
    }

    /** Replaces the overlay of the file; empty if its source has gone. Thread-safe; returns at once. */
    public void setOverlay(Optional<Overlay> next) {
        try {
            executor.execute(() -> {
                applyOverlay(next);
                run();
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("Configuration watcher is closed");
        }
    }

    /** Does the work of {@link #setOverlay} on the polling thread. */
    void applyOverlay(Optional<Overlay> next) {
        Optional<Overlay> before = isOverlayGone ? Optional.empty() : loader.overlay();
        if (!next.equals(before)) {
            isOverlayGone = next.isEmpty();
            loader = next.map(loader::withOverlay).orElse(loader);
            isOverlayRead = false;
        }
    }

    private static Set<Path> referencedFiles(LoadedSettings<NodeSettings> loaded) {
        Set<Path> referencedFiles = new HashSet<>(loaded.files());
        referencedFiles.addAll(loaded.settings().pipeline().tlsFiles());
        loaded.settings().admin().tls().files().forEach(referencedFiles::add);
        loaded.settings().door().tls().files().forEach(referencedFiles::add);
        return referencedFiles;
    }

    private static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (IOException unreadable) {
            return false;
        }
    }

    private Duration interval() {
        return configuration.current().settings().config().pollInterval();
    }

    private void scheduleIn(Runnable task, Duration in) {
        try {
            nextPoll = executor.schedule(task, in.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("Configuration watcher is closed");
        }
    }

    /**
     * Schedules the next poll. {@link #run} cancels an earlier one, so that only one is scheduled even if the overlay
     * changes.
     */
    private void schedule(boolean isSettled) {
        Duration interval = interval();
        boolean soon = !isSettled && (interval.isZero() || SETTLING_TIME.compareTo(interval) < 0);
        if (soon) {
            scheduleIn(this::run, SETTLING_TIME);
        } else if (!interval.isZero()) {
            scheduleIn(this::run, interval);
        }
    }

    private void run() {
        if (nextPoll != null) {
            nextPoll.cancel(false);
        }
        settled = true;
        guardedPoll.run();
        schedule(settled);
    }

    /** Polls once. Returns false if a file changed since the previous poll. */
    boolean poll() {
        Set<Path> files = new HashSet<>(referencedFiles);
        files.add(file);
        FileDigests now = FileDigests.read(files);
        boolean unchanged = now.equals(lastSeen);
        lastSeen = now;
        if (unchanged && (!isOverlayRead || !now.equals(lastRead) || configuration.isRefused())) {
            lastRead = now;
            isOverlayRead = true;
            read();
        }
        return unchanged;
    }

    private void read() {
        if (isOverlayGone) {
            String key = configuration.current().settings().config().consul().key();
            configuration.refuse(List.of(new InvalidSetting("config.consul.key", "is no longer in Consul: " + key)));
            return;
        }
        if (isEmpty(file) && !startedEmpty) {
            configuration.refuse(List.of(new InvalidSetting(file.toString(), "has become empty")));
            return;
        }
        try {
            LoadedSettings<NodeSettings> loaded = loader.load(file);
            referencedFiles = referencedFiles(loaded);
            configuration.update(loaded);
        } catch (InvalidSettingsException invalid) {
            configuration.refuse(invalid.invalidSettings());
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
