package io.iocluster.kafka.requirement;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClientFactory;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.config.SecurityConfig;
import org.apache.kafka.common.security.JaasContext;
import org.apache.kafka.common.security.JaasUtils;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule;
import org.apache.kafka.common.security.plain.PlainLoginModule;
import org.apache.kafka.common.security.scram.ScramLoginModule;

/** Verifies the login of clients that use SASL. Stateless. */
final class SaslRequirements {

    private static final String PLAIN = PlainLoginModule.class.getName();
    private static final String SCRAM = ScramLoginModule.class.getName();
    private static final String OAUTHBEARER = OAuthBearerLoginModule.class.getName();
    private static final String KERBEROS = "com.sun.security.auth.module.Krb5LoginModule";

    /** The login module of each mechanism that the Kafka clients and the JDK implement. */
    private static final Map<String, String> LOGIN_MODULES = Map.of(
            "PLAIN", PLAIN,
            "SCRAM-SHA-256", SCRAM,
            "SCRAM-SHA-512", SCRAM,
            "OAUTHBEARER", OAUTHBEARER,
            "GSSAPI", KERBEROS);

    private static final String CREDENTIALS = " required username=\"USER\" password=\"PASSWORD\";";

    /** What to write into {@code sasl.jaas.config}, by login module. */
    private static final Map<String, String> EXAMPLES = Map.of(
            PLAIN, PLAIN + CREDENTIALS,
            SCRAM, SCRAM + CREDENTIALS,
            OAUTHBEARER, OAUTHBEARER + " required;",
            KERBEROS,
                    KERBEROS
                            + " required useKeyTab=true keyTab=\"FILE\" principal=\"NAME@REALM\" storeKey=true"
                            + " serviceName=\"kafka\";");

    private SaslRequirements() {}

    /**
     * Reports each property that keeps a client from logging in.
     *
     * @param parsed the properties as the clients see them
     */
    static void check(Map<String, Object> parsed, BiConsumer<String, String> unmet) {
        String mechanism = (String) parsed.get(SaslConfigs.SASL_MECHANISM);
        List<AppConfigurationEntry> entries;
        try {
            entries = JaasContext.loadClientContext(parsed).configurationEntries();
        } catch (RuntimeException invalid) {
            unmet.accept(SaslConfigs.SASL_JAAS_CONFIG, invalidLogin(parsed, mechanism, invalid));
            return;
        }
        for (AppConfigurationEntry entry : entries) {
            String problem = problem(parsed, mechanism, entry);
            if (problem != null) {
                unmet.accept(SaslConfigs.SASL_JAAS_CONFIG, problem);
                return;
            }
        }
        if ("GSSAPI".equals(mechanism)) {
            KerberosRequirements.check(parsed, entries, unmet);
        } else if ("OAUTHBEARER".equals(mechanism)) {
            OAuthBearerRequirements.check(parsed, entries, unmet);
        }
        // security.providers adds mechanisms when a client is created.
        if (parsed.get(SecurityConfig.SECURITY_PROVIDERS_CONFIG) == null && !isOffered(mechanism)) {
            unmet.accept(
                    SaslConfigs.SASL_MECHANISM,
                    mechanism + " is not known; the Kafka clients have PLAIN, SCRAM-SHA-256, SCRAM-SHA-512, OAUTHBEARER"
                            + " and GSSAPI, and the login module of a plugin may add others");
        }
    }

    /** Returns the reason without the parser's own message, which may quote a password. */
    private static String invalidLogin(Map<String, Object> parsed, String mechanism, RuntimeException invalid) {
        String message = String.valueOf(invalid.getMessage());
        if (message.contains(JaasUtils.ALLOWED_LOGIN_MODULES_CONFIG)
                || message.contains(JaasUtils.DISALLOWED_LOGIN_MODULES_CONFIG)) {
            return "cannot be used: " + message;
        }
        String reason = parsed.get(SaslConfigs.SASL_JAAS_CONFIG) == null
                ? "is missing, and sasl.mechanism " + mechanism + " needs a login module"
                : "is not one login module with its options and a semicolon";
        return reason + example(LOGIN_MODULES.get(mechanism));
    }

    private static String example(String loginModule) {
        return EXAMPLES.containsKey(loginModule) ? "; write " + EXAMPLES.get(loginModule) : "";
    }

    private static String problem(Map<String, Object> parsed, String mechanism, AppConfigurationEntry entry) {
        String module = entry.getLoginModuleName();
        String obstacle = LoadableClass.obstacle(module);
        if (obstacle != null) {
            return "cannot be used: " + obstacle;
        }
        String expected = LOGIN_MODULES.get(mechanism);
        if (EXAMPLES.containsKey(module) && expected != null && !expected.equals(module)) {
            return "has a login module of another mechanism, " + module + ", and sasl.mechanism is " + mechanism
                    + example(expected);
        }
        boolean takesPassword = module.equals(PLAIN) || module.equals(SCRAM);
        // A plugin's callback handler may get the credentials elsewhere.
        if (takesPassword && parsed.get(SaslConfigs.SASL_CLIENT_CALLBACK_HANDLER_CLASS) == null) {
            for (String option : List.of("username", "password")) {
                if (entry.getOptions().get(option) == null) {
                    return "has no option " + option + example(module);
                }
            }
        }
        return null;
    }

    private static boolean isOffered(String mechanism) {
        for (SaslClientFactory factory : Collections.list(Sasl.getSaslClientFactories())) {
            if (Arrays.asList(factory.getMechanismNames(Map.of())).contains(mechanism)) {
                return true;
            }
        }
        return false;
    }
}
