package io.iocluster.credential;

import io.iocluster.settings.DurationText;
import io.iocluster.settings.Setting;
import io.iocluster.settings.SettingsValidator;
import java.time.Duration;
import java.util.Map;

/** A token by OAuth 2.0 client credentials (RFC 6749, section 4.4). */
public record OAuth2Settings(
        @Setting(
                value = "\"\"",
                doc = "Where tokens are fetched; the egress policy must allow it. Empty: no OAuth 2.0.")
        String tokenUrl,

        @Setting(value = "\"\"", doc = "The client that the node is.")
        String clientId,

        @Setting(value = "\"\"", secret = true, doc = "The client's secret.")
        String clientSecret,

        @Setting(value = "\"\"", doc = "The scopes to ask for, with blanks between them; empty: the client's own.")
        String scope,

        @Setting(
                value = "basic",
                doc = "How the client shows its secret: in an `Authorization` header, or in the request's body.")
        ClientAuth clientAuth,

        @Setting(secret = true, doc = "Further parameters of the request for a token, such as `audience`.")
        Map<String, String> parameters,

        @Setting(value = "5s", doc = "Longest one fetch may take.")
        Duration timeout,

        @Setting(value = "5m", doc = "How long a token is used whose answer has no `expires_in`.")
        Duration defaultLifetime,

        @Setting(
                value = "30s",
                doc = "How long before a token expires a new one is fetched, while calls go on with the old one; at"
                        + " most half of the token's life.")
        Duration refreshAhead,

        @Setting(
                value = "5s",
                doc = "After a fetch that failed, or a new token that a target refused, none is fetched for so long.")
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
                        "must begin with https:// or http://")
                .check(used || clientId.isEmpty(), "token-url", "must be set, for there is a client-id")
                .check(!used || !clientId.isEmpty(), "client-id", "must be set, for there is a token-url")
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

    boolean isConfigured() {
        return !tokenUrl.isEmpty();
    }

    /** Everything but the secrets. */
    @Override
    public String toString() {
        return "OAuth2Settings[" + tokenUrl + ", " + clientId + "]";
    }

    /** How a client proves who it is (RFC 6749, section 2.3.1). */
    public enum ClientAuth {
        BASIC,
        BODY
    }
}
