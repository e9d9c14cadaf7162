package io.iocluster.kafka;

import java.util.List;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;

/**
 * Finds in the settings what the clients would refuse, before they are started: no waiting mends a configuration. Stateless.
 */
final class ClientPropertyCheck {

    private static final List<ConfigDef> CLIENTS =
            List.of(ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef());

    private ClientPropertyCheck() {}

    /** What is wrong with the value, or null. A property that no client knows is a plugin's own, and passes. */
    static String problem(String property, String value) {
        for (ConfigDef client : CLIENTS) {
            ConfigKey key = client.configKeys().get(property);
            if (key != null) {
                try {
                    Object parsed = ConfigDef.parseType(property, value, key.type);
                    if (key.validator != null) {
                        key.validator.ensureValid(property, parsed);
                    }
                } catch (ConfigException refused) {
                    return "is not what the Kafka clients take: " + kind(key);
                }
            }
        }
        return null;
    }

    private static String kind(ConfigKey key) {
        String range = key.validator == null ? "" : " " + key.validator;
        return "a value of type " + key.type.name().toLowerCase(java.util.Locale.ROOT) + range;
    }

    /** The first of the addresses that is not {@code host:port}, or null. */
    static String brokenAddress(String bootstrapServers) {
        for (String address : bootstrapServers.split(",", -1)) {
            Integer port = Utils.getPort(address.strip());
            if (Utils.getHost(address.strip()) == null || port == null || port < 1 || port > 65_535) {
                return address.strip();
            }
        }
        return null;
    }
}
