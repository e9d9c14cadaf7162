package io.iocluster.credential;

import io.iocluster.http.HttpResult;
import java.time.Duration;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Parses the response of a token endpoint (RFC 6749, sections 5.1 and 5.2). Confined to one response. */
final class TokenResponse {

    /** Limit of a response body; far more than any token needs. */
    static final int MAX_BYTES = 64 * 1024;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(MAX_BYTES)
                    .maxNestingDepth(16)
                    .build())
            .build();
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,40}");
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");
    private static final long MAX_LIFETIME_SECONDS = Duration.ofDays(365).toSeconds();

    private String accessToken = "";
    private String tokenType = "bearer";
    private String error = "";
    private long expiresInSeconds = -1;

    private TokenResponse() {}

    /** Returns the token, or why there is none. The reason quotes nothing from the response except its error code. */
    static TokenResult toResult(HttpResult result, OAuth2Settings settings) {
        if (result instanceof HttpResult.Failure failure) {
            return TokenResult.failure(
                    "the token could not be fetched: " + failure.code().wireName());
        }
        HttpResult.Response response = (HttpResult.Response) result;
        TokenResponse parsed = new TokenResponse();
        boolean readable = !response.truncated() && parsed.parse(response.body());
        if (response.status() != 200) {
            String errorCode = ERROR.matcher(parsed.error).matches() ? ", " + parsed.error : "";
            return TokenResult.failure("the token endpoint returned status " + response.status() + errorCode);
        }
        if (!readable || !TOKEN.matcher(parsed.accessToken).matches()) {
            return TokenResult.failure("the token endpoint's response has no usable access_token");
        }
        if (!parsed.tokenType.equalsIgnoreCase("bearer")) {
            return TokenResult.failure("the token endpoint's response is not a bearer token");
        }
        long lifetimeNanos = parsed.expiresInSeconds < 0
                ? settings.defaultLifetime().toNanos()
                : Duration.ofSeconds(Math.min(parsed.expiresInSeconds, MAX_LIFETIME_SECONDS))
                        .toNanos();
        return TokenResult.success(parsed.accessToken, lifetimeNanos);
    }

    private boolean parse(byte[] body) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value.isStructStart()) {
                    parser.skipChildren();
                } else {
                    setField(name, parser.getString());
                }
            }
            return true;
        } catch (JacksonException | NumberFormatException invalid) {
            return false;
        }
    }

    private void setField(String name, String value) {
        switch (name) {
            case "access_token" -> accessToken = value;
            case "token_type" -> tokenType = value;
            case "error" -> error = value;
            // A number, but some servers send a string.
            case "expires_in" -> expiresInSeconds = Math.max(0, Long.parseLong(value));
            default -> {}
        }
    }
}
