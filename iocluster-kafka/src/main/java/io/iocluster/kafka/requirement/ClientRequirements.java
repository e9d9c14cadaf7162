package io.iocluster.kafka.requirement;

import io.iocluster.transport.outage.RootCause;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;

/** Verifies what the Kafka clients need in addition to valid properties: classes, files and a complete login. Stateless. */
public final class ClientRequirements {

    /** The class that the Kafka clients need for each compression. The JDK has gzip. */
    private static final Map<String, String> COMPRESSORS = Map.of(
            "zstd", "com.github.luben.zstd.ZstdOutputStreamNoFinalizer",
            "snappy", "org.xerial.snappy.Snappy",
            "lz4", "net.jpountz.lz4.LZ4Factory");

    private ClientRequirements() {}

    /**
     * Returns what is missing, by property; empty if the clients can be created. Reads the files that the properties name,
     * and connects to nothing.
     *
     * @param properties values that the Kafka clients accept
     * @return the text follows the property's name in a message, and contains no secrets
     */
    public static Map<String, String> unmet(Map<String, String> properties) {
        Map<String, String> unmet = new TreeMap<>();
        checkCompression(properties, unmet::put);
        String protocol = properties
                .getOrDefault(
                        CommonClientConfigs.SECURITY_PROTOCOL_CONFIG, CommonClientConfigs.DEFAULT_SECURITY_PROTOCOL)
                .strip()
                .toUpperCase(Locale.ROOT);
        Map<String, Object> parsed = parse(properties);
        if (protocol.endsWith("SSL")) {
            checkTls(parsed, unmet::put);
        }
        if (protocol.startsWith("SASL_")) {
            SaslRequirements.check(parsed, unmet::put);
        }
        return unmet;
    }

    private static void checkCompression(Map<String, String> properties, BiConsumer<String, String> unmet) {
        String type = properties.getOrDefault(ProducerConfig.COMPRESSION_TYPE_CONFIG, "none");
        String obstacle = COMPRESSORS.containsKey(type) ? LoadableClass.obstacle(COMPRESSORS.get(type)) : null;
        if (obstacle != null) {
            unmet.accept(ProducerConfig.COMPRESSION_TYPE_CONFIG, type + " cannot be used: " + obstacle);
        }
    }

    /** Loads the certificates and keys as the clients do. Skips a custom engine factory, because it may need what exists only at run time. */
    private static void checkTls(Map<String, Object> parsed, BiConsumer<String, String> unmet) {
        if (parsed.get(SslConfigs.SSL_ENGINE_FACTORY_CLASS_CONFIG) != null) {
            return;
        }
        for (String location :
                List.of(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG, SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG)) {
            if (parsed.get(location) instanceof String file && !ReadableFile.isReadable(file)) {
                unmet.accept(location, "cannot be read: " + file);
                return;
            }
        }
        try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
            factory.configure(parsed);
        } catch (RuntimeException unusable) {
            Throwable root = RootCause.of(unusable);
            String detail = root == unusable || root.getMessage() == null ? "" : ": " + root.getMessage();
            unmet.accept(
                    CommonClientConfigs.SECURITY_PROTOCOL_CONFIG,
                    parsed.get(CommonClientConfigs.SECURITY_PROTOCOL_CONFIG) + " cannot be used: "
                            + unusable.getMessage() + detail);
        }
    }

    /** Returns the values as the clients see them: parsed, with defaults, and unknown ones unchanged. */
    private static Map<String, Object> parse(Map<String, String> properties) {
        Map<String, Object> all = new HashMap<>(properties);
        // The definition requires addresses, which this check does not need.
        all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, "127.0.0.1:1");
        all.putAll(AdminClientConfig.configDef().parse(all));
        return all;
    }
}
