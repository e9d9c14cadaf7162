package io.iocluster.kafka.config;

import io.iocluster.kafka.requirement.LoadableClass;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SecurityConfig;
import org.apache.kafka.common.utils.Utils;

/** Finds properties that the Kafka clients would reject, before a client is created. Stateless. */
final class ClientPropertyCheck {

    private static final List<ConfigDef> CLIENTS =
            List.of(ConsumerConfig.configDef(), ProducerConfig.configDef(), AdminClientConfig.configDef());

    /** Properties whose type is text, although the clients load each name in it as a class. */
    private static final Set<String> LISTS_OF_CLASSES = Set.of(
            CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG,
            ProducerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
            SecurityConfig.SECURITY_PROVIDERS_CONFIG);

    /** Below this the broker mostly answers requests for metadata, because each client sends its own. */
    private static final long MIN_METADATA_MAX_AGE_MS = 1_000;

    /** Kafka's default. A client also needs this request to learn of new brokers. */
    private static final long MAX_METADATA_MAX_AGE_MS = 300_000;

    private static final int MAX_TYPOS = 2;
    private static final Set<String> NAMES = new TreeSet<>();

    static {
        CLIENTS.forEach(client -> NAMES.addAll(client.names()));
    }

    private ClientPropertyCheck() {}

    /**
     * Returns what is wrong with the property, or null. A property that no client knows may belong to a plugin and is
     * accepted, unless it is at most two typos away from a known one.
     */
    static String problem(String property, String value) {
        return NAMES.contains(property)
                ? wrongValue(property, value)
                : typo(property).orElse(null);
    }

    private static Optional<String> typo(String property) {
        LevenshteinDistance distance = new LevenshteinDistance(MAX_TYPOS);
        return NAMES.stream()
                .filter(known -> distance.apply(property, known) >= 0)
                .min(Comparator.comparingInt(known -> distance.apply(property, known)))
                .map(known -> "is not a property of the Kafka clients; did you mean " + known + "?");
    }

    private static String wrongValue(String property, String value) {
        for (ConfigDef client : CLIENTS) {
            ConfigKey key = client.configKeys().get(property);
            if (key != null && (key.type == Type.CLASS || LISTS_OF_CLASSES.contains(property))) {
                return unusableClass(value);
            }
            if (key != null) {
                try {
                    Object parsed = ConfigDef.parseType(property, value, key.type);
                    if (key.validator != null) {
                        key.validator.ensureValid(property, parsed);
                    }
                    if (property.equals(CommonClientConfigs.METADATA_MAX_AGE_CONFIG)) {
                        return problemOfMetadataMaxAge((Long) parsed);
                    }
                } catch (ConfigException invalid) {
                    return "is not accepted by the Kafka clients; expected " + kind(key);
                }
            }
        }
        return null;
    }

    private static String problemOfMetadataMaxAge(long millis) {
        return millis >= MIN_METADATA_MAX_AGE_MS && millis <= MAX_METADATA_MAX_AGE_MS
                ? null
                : "must be from " + MIN_METADATA_MAX_AGE_MS + " to " + MAX_METADATA_MAX_AGE_MS
                        + ", because each consumer and producer requests the partitions of its topics this often";
    }

    private static String unusableClass(String value) {
        return Arrays.stream(value.split(","))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(LoadableClass::obstacle)
                .filter(Objects::nonNull)
                .findFirst()
                .map(obstacle -> "cannot be used: " + obstacle)
                .orElse(null);
    }

    private static String kind(ConfigKey key) {
        String range = key.validator == null ? "" : " " + key.validator;
        return "a value of type " + key.type.name().toLowerCase(Locale.ROOT) + range;
    }

    /** Returns the first address that is not {@code host:port}, or null. */
    static String invalidAddress(String bootstrapServers) {
        for (String address : bootstrapServers.split(",", -1)) {
            Integer port = Utils.getPort(address.strip());
            if (Utils.getHost(address.strip()) == null || port == null || port < 1 || port > 65_535) {
                return address.strip();
            }
        }
        return null;
    }
}
