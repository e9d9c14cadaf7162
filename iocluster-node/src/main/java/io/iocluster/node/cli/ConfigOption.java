package io.iocluster.node.cli;

import io.iocluster.node.config.LoadedSettings;
import io.iocluster.node.config.NodeSettings;
import io.iocluster.node.config.SettingsLoader;
import io.iocluster.node.logging.NodeLogging;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Option;

/** The option that names the configuration file. */
final class ConfigOption {

    @Option(
            names = {"-c", "--config"},
            required = true,
            paramLabel = "FILE",
            description = "The configuration, in YAML.")
    private Path file;

    /** Loads the file and sets the log up as it says. */
    LoadedSettings<NodeSettings> load(Map<String, String> environment) {
        LoadedSettings<NodeSettings> loaded = loader(environment).load(file);
        NodeLogging.configure(loaded.settings().logging());
        return loaded;
    }

    /** What reads the file. */
    SettingsLoader<NodeSettings> loader(Map<String, String> environment) {
        return new SettingsLoader<>(NodeSettings.class, environment);
    }

    Path file() {
        return file;
    }
}
