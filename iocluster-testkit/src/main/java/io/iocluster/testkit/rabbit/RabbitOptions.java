package io.iocluster.testkit.rabbit;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The options of a RabbitMQ broker. Immutable.
 *
 * @param settings settings of {@code rabbitmq.conf}; they override those of the testkit
 * @param plugins such as {@link #MANAGEMENT}; each slows the start
 */
public record RabbitOptions(Map<String, String> settings, Set<String> plugins) {

    /** The plugin that serves the management API. */
    public static final String MANAGEMENT = "rabbitmq_management";

    /** The testkit's settings and no plugins. */
    public static final RabbitOptions DEFAULT = new RabbitOptions(Map.of(), Set.of());

    public RabbitOptions {
        settings = Map.copyOf(settings);
        plugins = Set.copyOf(plugins);
    }

    /** Returns a copy with this setting. */
    public RabbitOptions with(String setting, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(setting, value);
        return new RabbitOptions(more, plugins);
    }

    /** Returns the content of the file {@code enabled_plugins}. */
    String pluginsFile() {
        return "[" + String.join(",", plugins) + "].\n";
    }

    /** Returns the content of the file {@code rabbitmq.conf}; these options override the defaults. */
    String settingsFile(Map<String, String> defaults) {
        Map<String, String> all = new LinkedHashMap<>(defaults);
        all.putAll(settings);
        return all.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue() + "\n")
                .collect(Collectors.joining());
    }

    /** Returns a copy with this plugin. */
    public RabbitOptions withPlugin(String plugin) {
        Set<String> more = new LinkedHashSet<>(plugins);
        more.add(plugin);
        return new RabbitOptions(settings, more);
    }
}
