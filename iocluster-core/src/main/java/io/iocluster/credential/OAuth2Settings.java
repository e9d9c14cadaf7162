package io.iocluster.credential;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Map;

/** Configures OAuth 2.0 client credentials (RFC 6749, section 4.4). */
public record OAuth2Settings(
        @Setting(
                value = "\"\"",
                doc = "URL of the token endpoint. The egress policy must allow it. Empty: no OAuth 2.0.")
        String tokenUrl,

        @Setting(value = "\"\"", doc = "Client ID of the node.")
        String clientId,

        @Setting(value = "\"\"", secret = true, doc = "Client secret.")
        String clientSecret,

        @Setting(value = "\"\"", doc = "Requested scopes, separated by spaces. Empty: the client's default.")
        String scope,

        @Setting(
                value = "basic",
                doc = "Sends the client secret in an `Authorization` header (`basic`) or in the request body.")
        ClientAuth clientAuth,

        @Setting(secret = true, doc = "Further parameters of the token request, such as `audience`.")
        Map<String, String> parameters,

        @Setting(value = "5s", doc = "Timeout of a token request.")
        Duration timeout,

        @Setting(value = "5m", doc = "Lifetime of a token whose response has no `expires_in`.")
        Duration defaultLifetime,

        @Setting(
                value = "30s",
                doc = "How long before a token expires a new one is fetched, at most half of its lifetime. Calls use"
                        + " the old one meanwhile.")
        Duration refreshAhead,

        @Setting(value = "5s", doc = "Wait after a failed token request, or after a target refused a new token.")
        Duration failureBackoff) {

    public static final OAuth2Settings NONE = new OAuth2Settings(
            "",
            "",
            "",
            "",
            ClientAuth.BASIC,
            Map.of(),
            Duration.ofSeconds(5),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(5));

    public OAuth2Settings {
        parameters = Map.copyOf(parameters);
        boolean used = !tokenUrl.isEmpty();
        new SettingsValidator()
                .check(
                        !used || tokenUrl.startsWith("https://") || tokenUrl.startsWith("http://"),
                        "token-url",
                        "must start with https:// or http://")
                .check(used || clientId.isEmpty(), "token-url", "must be set if client-id is set")
                .check(!used || !clientId.isEmpty(), "client-id", "must be set if token-url is set")
                .checkPositive("timeout", timeout)
                .check(
                        timeout.compareTo(Duration.ofMinutes(1)) <= 0,
                        "timeout",
                        "must be at most 1m: " + DurationText.format(timeout))
                .checkPositive("default-lifetime", defaultLifetime)
                .checkNotNegative("refresh-ahead", refreshAhead)
                .checkNotNegative("failure-backoff", failureBackoff)
                .throwIfInvalid();
    }

    public boolean isConfigured() {
        return !tokenUrl.isEmpty();
    }

    /** Omits the secrets. */
    @Override
    public String toString() {
        return "OAuth2Settings[" + tokenUrl + ", " + clientId + "]";
    }

    /** How a client authenticates at the token endpoint (RFC 6749, section 2.3.1). */
    public enum ClientAuth {
        BASIC,
        BODY
    }
}
