package io.iocluster.kafka.requirement;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.security.oauthbearer.JwtRetriever;
import org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginCallbackHandler;
import org.apache.kafka.common.utils.Utils;

/** Verifies the login of the mechanism OAUTHBEARER, without asking for a token. Stateless. */
final class OAuthBearerRequirements {

    private static final String HANDLER = OAuthBearerLoginCallbackHandler.class.getName();
    private static final String KAFKA_CLASSES = "org.apache.kafka.";
    /** Kafka's own token classes need this class, which is an optional dependency of the clients. */
    private static final String JSON_PARSER = "com.fasterxml.jackson.databind.ObjectMapper";

    private OAuthBearerRequirements() {}

    static void check(
            Map<String, Object> parsed, List<AppConfigurationEntry> entries, BiConsumer<String, String> unmet) {
        Class<?> handler = (Class<?>) parsed.get(SaslConfigs.SASL_LOGIN_CALLBACK_HANDLER_CLASS);
        if (handler == null && parsed.get(SaslConfigs.SASL_LOGIN_CLASS) == null) {
            checkUnsecured(entries, unmet);
        } else if (handler != null && handler.getName().equals(HANDLER)) {
            checkSecured(parsed, entries, unmet);
        }
    }

    /** Without a handler, the Kafka client creates unsigned tokens. Refuses that unless the login asks for them. */
    private static void checkUnsecured(List<AppConfigurationEntry> entries, BiConsumer<String, String> unmet) {
        boolean intended = entries.stream()
                .flatMap(entry -> entry.getOptions().keySet().stream())
                .anyMatch(option -> option.startsWith("unsecuredLogin"));
        if (!intended) {
            unmet.accept(
                    SaslConfigs.SASL_LOGIN_CALLBACK_HANDLER_CLASS,
                    "is missing, so the Kafka client would get no token from sasl.oauthbearer.token.endpoint.url; set"
                            + " it to " + HANDLER);
            return;
        }
        report(LoadableClass.obstacle(JSON_PARSER), unmet);
    }

    private static void checkSecured(
            Map<String, Object> parsed, List<AppConfigurationEntry> entries, BiConsumer<String, String> unmet) {
        Class<?> retriever = (Class<?>) parsed.get(SaslConfigs.SASL_OAUTHBEARER_JWT_RETRIEVER_CLASS);
        Class<?> validator = (Class<?>) parsed.get(SaslConfigs.SASL_OAUTHBEARER_JWT_VALIDATOR_CLASS);
        String obstacle = Stream.of(validator.getName(), retriever.getName(), JSON_PARSER)
                .map(LoadableClass::obstacle)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        Map<String, String> refused = AllowedTokenSources.allow(parsed);
        refused.forEach(unmet);
        if (obstacle == null && refused.isEmpty() && retriever.getName().startsWith(KAFKA_CLASSES)) {
            obstacle = problem(retriever, parsed, entries);
        }
        report(obstacle, unmet);
    }

    /** Returns why the retriever cannot be configured; null if it can. Asks for no token. */
    private static String problem(Class<?> type, Map<String, Object> parsed, List<AppConfigurationEntry> entries) {
        try (JwtRetriever retriever = Utils.newInstance(type, JwtRetriever.class)) {
            retriever.configure(parsed, "OAUTHBEARER", entries);
            return null;
        } catch (RuntimeException | IOException unusable) {
            return withoutUrl(String.valueOf(unusable.getMessage()), parsed);
        }
    }

    /** Removes the URL, because it may contain a password. */
    private static String withoutUrl(String message, Map<String, Object> parsed) {
        return parsed.get(SaslConfigs.SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL) instanceof String url && !url.isBlank()
                ? message.replace(url.strip(), "***")
                : message;
    }

    private static void report(String obstacle, BiConsumer<String, String> unmet) {
        if (obstacle != null) {
            unmet.accept(SaslConfigs.SASL_MECHANISM, "OAUTHBEARER cannot be used: " + obstacle);
        }
    }
}
