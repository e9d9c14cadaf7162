package io.iocluster.kafka.requirement;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.File;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.internals.BrokerSecurityConfigs;

/**
 * Allows the Kafka clients of this JVM to use the URLs and files from which the mechanism OAUTHBEARER gets its tokens.
 *
 * <p>The clients use a URL or a file only if a system property names it. Kafka has these two properties for programs
 * that get client properties from untrusted users (CVE-2025-27817). The operator of a node writes its configuration, and
 * would have to write the same values twice, so this class adds them. Changes only the values that it wrote itself, and
 * never a system property that the operator set. Thread-safe.
 */
public final class AllowedTokenSources {

    private static final AllowedTokenSources URLS = new AllowedTokenSources(
            BrokerSecurityConfigs.ALLOWED_SASL_OAUTHBEARER_URLS_CONFIG,
            List.of(SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL, SaslConfigs.SASL_OAUTHBEARER_JWKS_ENDPOINT_URL));

    private static final AllowedTokenSources FILES = new AllowedTokenSources(
            BrokerSecurityConfigs.ALLOWED_SASL_OAUTHBEARER_FILES_CONFIG,
            List.of(
                    SaslConfigs.SASL_OAUTHBEARER_ASSERTION_FILE,
                    SaslConfigs.SASL_OAUTHBEARER_ASSERTION_PRIVATE_KEY_FILE,
                    SaslConfigs.SASL_OAUTHBEARER_ASSERTION_TEMPLATE_FILE));

    private final String systemProperty;
    private final List<String> sources;

    @GuardedBy("this")
    private String written;

    private AllowedTokenSources(String systemProperty, List<String> sources) {
        this.systemProperty = systemProperty;
        this.sources = sources;
    }

    /**
     * Allows the URLs and files of these properties, if they select OAUTHBEARER.
     *
     * @return for each property whose value stays refused, the reason, which follows the property's name in a message
     */
    public static Map<String, String> allow(Map<String, ?> properties) {
        if (!"OAUTHBEARER".equals(properties.get(SaslConfigs.SASL_MECHANISM))) {
            return Map.of();
        }
        Map<String, String> refused = new TreeMap<>(URLS.allowEach(properties, false));
        refused.putAll(FILES.allowEach(properties, true));
        return refused;
    }

    private synchronized Map<String, String> allowEach(Map<String, ?> properties, boolean files) {
        Map<String, String> refused = new TreeMap<>();
        Set<String> allowed = new LinkedHashSet<>();
        String current = System.getProperty(systemProperty, "");
        Arrays.stream(current.split(","))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .forEach(allowed::add);
        boolean ours = allowed.isEmpty() || current.equals(written);
        for (String property : sources) {
            if (properties.get(property) instanceof String value && !value.isBlank()) {
                String source = files ? new File(value.strip()).getAbsolutePath() : value.strip();
                if (source.contains(",")) {
                    refused.put(property, "must not contain a comma, because the Kafka clients cannot allow it");
                } else if (ours) {
                    allowed.add(source);
                } else if (!allowed.contains(source)) {
                    refused.put(
                            property,
                            "is not in the system property " + systemProperty
                                    + "; add it there, or remove the system property to allow every configured value");
                }
            }
        }
        if (ours && !allowed.isEmpty()) {
            written = String.join(",", allowed);
            System.setProperty(systemProperty, written);
        }
        return refused;
    }
}
