package io.iocluster.node.cli;

import io.iocluster.node.config.BootstrapSettings;
import io.iocluster.node.config.ConsulSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.binding.LoadedSettings;
import io.iocluster.node.config.binding.SettingsLoader;
import io.iocluster.node.consul.InitialKeyValue;
import io.iocluster.node.logging.NodeLogging;
import io.iocluster.settings.InvalidSettingsException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option that names the configuration file, which may name a key in Consul. */
final class ConfigOption {

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The configuration, in YAML.")
    private Path file;

    private SettingsLoader<NodeSettings> loader;

    /**
     * Loads the file, with what Consul has to say if the file says so, and sets the log up as they say.
     *
     * @throws IOException if Consul is to be asked and gives no answer; the message is for people
     */
    LoadedSettings<NodeSettings> load(Map<String, String> environment) throws IOException, InterruptedException {
        loader = new SettingsLoader<>(NodeSettings.class, environment);
        ConsulSettings consul = consul(environment);
        if (consul.hasKey()) {
            loader = loader.withOverlay(InitialKeyValue.await(consul));
        }
        LoadedSettings<NodeSettings> loaded = loader.load(file);
        NodeLogging.configure(loaded.settings().logging());
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
            // The whole file has these mistakes too, and perhaps more of them.
            loader.load(file);
            throw part;
        }
    }

    /** What the settings were loaded with. */
    SettingsLoader<NodeSettings> loader() {
        return loader;
    }

    Path file() {
        return file;
    }
}
