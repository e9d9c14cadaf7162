package io.iocluster.kafka.requirement;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.JaasUtils;

/** Verifies the login of the mechanism GSSAPI (Kerberos). Stateless. */
final class KerberosRequirements {

    /** The system property with the path of krb5.conf. */
    private static final String CONFIGURATION = "java.security.krb5.conf";

    private KerberosRequirements() {}

    static void check(
            Map<String, Object> parsed, List<AppConfigurationEntry> entries, BiConsumer<String, String> unmet) {
        boolean named = parsed.get(SaslConfigs.SASL_KERBEROS_SERVICE_NAME) != null
                || entries.stream().anyMatch(entry -> entry.getOptions().get(JaasUtils.SERVICE_NAME) != null);
        if (!named) {
            unmet.accept(
                    SaslConfigs.SASL_KERBEROS_SERVICE_NAME,
                    "must be set to the first part of the brokers' principal, usually kafka");
        }
        String configuration = System.getProperty(CONFIGURATION);
        if (configuration != null && !ReadableFile.isReadable(configuration)) {
            unmet.accept(
                    SaslConfigs.SASL_MECHANISM,
                    "GSSAPI cannot be used: the file of the system property " + CONFIGURATION + " cannot be read: "
                            + configuration);
        }
        entries.stream()
                .filter(entry -> entry.getLoginModuleName().endsWith(".Krb5LoginModule"))
                .map(entry -> problem(entry.getOptions()))
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(problem -> unmet.accept(SaslConfigs.SASL_JAAS_CONFIG, problem));
    }

    private static String problem(Map<String, ?> options) {
        if (!isTrue(options, "useKeyTab")) {
            return isTrue(options, "useTicketCache")
                    ? null
                    : "has neither useKeyTab=true nor useTicketCache=true, and the node cannot ask for a password";
        }
        // Without the option, the JDK uses the keytab of its Kerberos configuration.
        if (!(options.get("keyTab") instanceof String keyTab)) {
            return null;
        }
        String file = keyTab.startsWith("FILE:") ? keyTab.substring("FILE:".length()) : keyTab;
        return ReadableFile.isReadable(file) ? null : "names a keyTab that cannot be read: " + file;
    }

    private static boolean isTrue(Map<String, ?> options, String option) {
        return options.get(option) instanceof String value && value.equalsIgnoreCase("true");
    }
}
