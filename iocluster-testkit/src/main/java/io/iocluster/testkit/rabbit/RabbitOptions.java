package io.iocluster.testkit.rabbit;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a RabbitMQ is to be.
 *
 * @param settings as {@code rabbitmq.conf} takes them; they replace what the testkit sets
 * @param plugins such as {@link #MANAGEMENT}; each makes the start slower
 */
public record RabbitOptions(Map<String, String> settings, Set<String> plugins) {

    /** The plugin that serves the management API. */
    public static final String MANAGEMENT = "rabbitmq_management";

    /** No settings but the testkit's own, and no plugin. */
    public static final RabbitOptions DEFAULT = new RabbitOptions(Map.of(), Set.of());

    public RabbitOptions {
        settings = Map.copyOf(settings);
        plugins = Set.copyOf(plugins);
    }

    public RabbitOptions with(String setting, String value) {
        Map<String, String> more = new LinkedHashMap<>(settings);
        more.put(setting, value);
        return new RabbitOptions(more, plugins);
    }

    /** As the file {@code enabled_plugins} has it. */
    String pluginsFile() {
        return "[" + String.join(",", plugins) + "].\n";
    }

    /** As the file {@code rabbitmq.conf} has it, with more settings of less weight. */
    String settingsFile(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(more);
        all.putAll(settings);
        return all.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue() + "\n")
                .collect(Collectors.joining());
    }

    public RabbitOptions withPlugin(String plugin) {
        Set<String> more = new LinkedHashSet<>(plugins);
        more.add(plugin);
        return new RabbitOptions(settings, more);
    }
}
