package io.iocluster.node.reload;

import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.Overlay;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.settings.FileDigests;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.settings.InvalidSettingsException.InvalidSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every so often at a node's configuration file and at the files that it names, and gives the node what they say when
 * that has changed (docs/adr/0014-the-configuration-file-is-reloaded.md). What is being written is left alone until two looks
 * see the same; a file that was refused is read anew at each look, for what it names may have come, and so is one that has
 * become empty, which is refused. What is laid over the file comes from elsewhere, and is taken up together with what the file
 * says then. Owns its thread.
 */
public final class ConfigurationWatcher implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationWatcher.class);
    private static final Duration SETTLING = Duration.ofMillis(200);

    private final Path file;
    private final boolean startedEmpty;
    private final LiveConfiguration configuration;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread watch = new Thread(task, "iocluster-config");
        watch.setDaemon(true);
        return watch;
    });
    private SettingsLoader<NodeSettings> loader;
    private Set<Path> named;
    private FileDigests seen;
    private FileDigests taken;
    private boolean isLaid = true;
    private boolean isGone;
    private Future<?> next;

    ConfigurationWatcher(Path file, SettingsLoader<NodeSettings> loader, LiveConfiguration configuration) {
        this.file = file;
        this.startedEmpty = isEmpty(file);
        this.loader = loader;
        this.configuration = configuration;
        this.named = named(configuration.current());
        configuration.setFile(file);
    }

    /**
     * Begins to look, unless the settings say never.
     *
     * @param loader how the file is read
     */
    public static ConfigurationWatcher start(
            Path file, SettingsLoader<NodeSettings> loader, LiveConfiguration configuration) {
        ConfigurationWatcher watch = new ConfigurationWatcher(file, loader, configuration);
        if (!watch.interval().isZero()) {
            watch.schedule(false);
        }
        return watch;
    }

    /**
     * Takes what is laid over the file from now on; nothing says that it is gone. May be called from any thread, and returns at
     * once.
     */
    public void setOverlay(Optional<Overlay> other) {
        try {
            thread.execute(() -> {
                applyOverlay(other);
                run();
            });
        } catch (RejectedExecutionException closed) {
            LOG.debug("the configuration is not followed any more");
        }
    }

    /** As {@link #setOverlay}, for the thread that looks. */
    void applyOverlay(Optional<Overlay> other) {
        Optional<Overlay> before = isGone ? Optional.empty() : loader.overlay();
        if (!other.equals(before)) {
            isGone = other.isEmpty();
            loader = other.map(loader::withOverlay).orElse(loader);
            isLaid = false;
        }
    }

    private static Set<Path> named(LoadedSettings<NodeSettings> loaded) {
        Set<Path> named = new HashSet<>(loaded.files());
        named.addAll(loaded.settings().pipeline().tlsFiles());
        return named;
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

    private void begin(Runnable task, Duration in) {
        try {
            next = thread.schedule(task, in.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the configuration is not followed any more");
        }
    }

    /** One look is due at a time, also where what is laid over the file changes in between. */
    private void schedule(boolean settled) {
        Duration interval = interval();
        boolean soon = !settled && (interval.isZero() || SETTLING.compareTo(interval) < 0);
        if (soon) {
            begin(this::run, SETTLING);
        } else if (!interval.isZero()) {
            begin(this::run, interval);
        }
    }

    private void run() {
        boolean settled = true;
        if (next != null) {
            next.cancel(false);
        }
        try {
            settled = poll();
        } catch (RuntimeException bug) {
            LOG.error("defect while the configuration was read", bug);
        }
        schedule(settled);
    }

    /** Looks once; false if something has moved since the look before. */
    boolean poll() {
        Set<Path> files = new HashSet<>(named);
        files.add(file);
        FileDigests now = FileDigests.read(files);
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && (!isLaid || !now.equals(taken) || configuration.isRefused())) {
            taken = now;
            isLaid = true;
            read();
        }
        return settled;
    }

    private void read() {
        if (isGone) {
            String key = configuration.current().settings().config().consul().key();
            configuration.refuse(List.of(new InvalidSetting("config.consul.key", "is not in Consul any more: " + key)));
            return;
        }
        if (isEmpty(file) && !startedEmpty) {
            configuration.refuse(List.of(new InvalidSetting(file.toString(), "has become empty")));
            return;
        }
        try {
            LoadedSettings<NodeSettings> loaded = loader.load(file);
            named = named(loaded);
            configuration.update(loaded);
        } catch (InvalidSettingsException wrong) {
            configuration.refuse(wrong.invalidSettings());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
