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

/** Reads what a token endpoint says (RFC 6749, sections 5.1 and 5.2). Confined to one answer. */
final class TokenResponse {

    /** Far more than any token needs. */
    static final int MAX_BYTES = 64 * 1024;

    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxDocumentLength(MAX_BYTES)
                    .maxNestingDepth(16)
                    .build())
            .build();
    private static final Pattern ERROR = Pattern.compile("[a-z_]{1,40}");
    private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]+");
    private static final long LONGEST_SECONDS = Duration.ofDays(365).toSeconds();

    private String accessToken = "";
    private String tokenType = "bearer";
    private String error = "";
    private long expiresInSeconds = -1;

    private TokenResponse() {}

    /** The token, or why there is none, without a word of the answer but its error code. */
    static TokenResult toResult(HttpResult result, OAuth2Settings settings) {
        if (result instanceof HttpResult.Failure failure) {
            return TokenResult.failure(
                    "the token could not be fetched: " + failure.code().wireName());
        }
        HttpResult.Response response = (HttpResult.Response) result;
        TokenResponse answer = new TokenResponse();
        boolean readable = !response.truncated() && answer.parse(response.body());
        if (response.status() != 200) {
            String why = ERROR.matcher(answer.error).matches() ? ", " + answer.error : "";
            return TokenResult.failure("the token endpoint answered " + response.status() + why);
        }
        if (!readable || !TOKEN.matcher(answer.accessToken).matches()) {
            return TokenResult.failure("the token endpoint's answer has no access_token that can be sent");
        }
        if (!answer.tokenType.equalsIgnoreCase("bearer")) {
            return TokenResult.failure("the token endpoint's answer is no bearer token");
        }
        long life = answer.expiresInSeconds < 0
                ? settings.defaultLifetime().toNanos()
                : Duration.ofSeconds(Math.min(answer.expiresInSeconds, LONGEST_SECONDS))
                        .toNanos();
        return TokenResult.success(answer.accessToken, life);
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
                    take(name, parser.getString());
                }
            }
            return true;
        } catch (JacksonException | NumberFormatException broken) {
            return false;
        }
    }

    private void take(String name, String value) {
        switch (name) {
            case "access_token" -> accessToken = value;
            case "token_type" -> tokenType = value;
            case "error" -> error = value;
            // A number, but some write it as text.
            case "expires_in" -> expiresInSeconds = Math.max(0, Long.parseLong(value));
            default -> {}
        }
    }
}
