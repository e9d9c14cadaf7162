package io.iocluster.node.cli.terminal;

import io.iocluster.node.config.BootstrapSettings;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.consul.InitialKeyValue;
import io.iocluster.node.logging.NodeLogging;
import io.iocluster.settings.InvalidSettingsException;
import io.iocluster.thread.Platform;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option for the configuration file, which may name a key in Consul. Confined to one thread. */
public final class ConfigOption {

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "Configuration file, in YAML.")
    private Path file;

    private SettingsLoader<NodeSettings> loader;

    /** Returns the option as if it named this file. */
    public static ConfigOption of(Path file) {
        ConfigOption option = new ConfigOption();
        option.file = file;
        return option;
    }

    /**
     * Loads the file and the key in Consul, if the file names one, and configures the log.
     *
     * @throws IOException if Consul does not answer; the message is for users
     */
    public LoadedSettings<NodeSettings> load(Map<String, String> environment) throws IOException, InterruptedException {
        loader = new SettingsLoader<>(NodeSettings.class, environment);
        ConsulSettings consul = consul(environment);
        if (consul.hasKey()) {
            loader = loader.withOverlay(InitialKeyValue.await(consul, Platform.system()));
        }
        LoadedSettings<NodeSettings> loaded = loader.load(file);
        NodeLogging.configure(
                loaded.settings().logging(), loaded.settings().node().id());
        return loaded;
    }

    private ConsulSettings consul(Map<String, String> environment) {
        try {
            return new SettingsLoader<>(BootstrapSettings.class, environment)
                    .loadPartial(file)
                    .settings()
                    .config()
                    .consul();
        } catch (InvalidSettingsException part) {
            // Loading the whole file reports these errors and all others.
            loader.load(file);
            throw part;
        }
    }

    /** Returns the loader of the settings; null before {@link #load}. */
    public SettingsLoader<NodeSettings> loader() {
        return loader;
    }

    public Path file() {
        return file;
    }
}
