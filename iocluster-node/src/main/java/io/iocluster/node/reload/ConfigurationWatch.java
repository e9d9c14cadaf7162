package io.iocluster.node.reload;

import io.iocluster.node.config.LoadedSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.SettingsLoader;
import io.iocluster.settings.FileContents;
import io.iocluster.settings.InvalidSettingsException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every so often at a node's configuration file and at the files that it names, and gives the node what they say when
 * that has changed (docs/adr/0014-the-configuration-file-is-read-again.md). What is being written is left alone until two looks
 * see the same; a file that was refused is read anew at each look, for what it names may have come. Owns its thread.
 */
public final class ConfigurationWatch implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ConfigurationWatch.class);
    private static final Duration SETTLING = Duration.ofMillis(200);

    private final Path file;
    private final SettingsLoader<NodeSettings> loader;
    private final LiveConfiguration configuration;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread watch = new Thread(task, "iocluster-config");
        watch.setDaemon(true);
        return watch;
    });
    private Set<Path> named;
    private FileContents seen;
    private FileContents taken;

    ConfigurationWatch(Path file, SettingsLoader<NodeSettings> loader, LiveConfiguration configuration) {
        this.file = file;
        this.loader = loader;
        this.configuration = configuration;
        this.named = named(configuration.inForce());
        configuration.follow(file);
    }

    /**
     * Begins to look, unless the settings say never.
     *
     * @param loader how the file is read
     */
    public static ConfigurationWatch start(
            Path file, SettingsLoader<NodeSettings> loader, LiveConfiguration configuration) {
        ConfigurationWatch watch = new ConfigurationWatch(file, loader, configuration);
        watch.schedule(false);
        return watch;
    }

    private static Set<Path> named(LoadedSettings<NodeSettings> loaded) {
        Set<Path> named = new HashSet<>(loaded.files());
        named.addAll(loaded.settings().pipeline().files());
        return named;
    }

    private void schedule(boolean settled) {
        Duration interval = configuration.inForce().settings().config().pollInterval();
        if (interval.isZero()) {
            return;
        }
        Duration next = settled || interval.compareTo(SETTLING) < 0 ? interval : SETTLING;
        try {
            thread.schedule(this::run, next.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            LOG.debug("the configuration file is not followed any more");
        }
    }

    private void run() {
        boolean settled = true;
        try {
            settled = look();
        } catch (RuntimeException bug) {
            LOG.error("defect while the configuration file was read", bug);
        }
        schedule(settled);
    }

    /** Looks once; false if something has moved since the look before. */
    boolean look() {
        Set<Path> files = new HashSet<>(named);
        files.add(file);
        FileContents now = FileContents.of(files);
        boolean settled = now.equals(seen);
        seen = now;
        if (settled && (!now.equals(taken) || configuration.isRefused())) {
            taken = now;
            read();
        }
        return settled;
    }

    private void read() {
        try {
            LoadedSettings<NodeSettings> loaded = loader.load(file);
            named = named(loaded);
            configuration.take(loaded);
        } catch (InvalidSettingsException wrong) {
            configuration.refuse(wrong.mistakes());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
