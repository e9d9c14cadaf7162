package io.iocluster.credential;

import io.iocluster.http.HttpResult;
import io.iocluster.message.Header;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses the response of a token endpoint (RFC 6749, sections 5.1 and 5.2): JSON, or a form, which some servers send instead. Ignores
 * fields that it does not know, and null, which some servers send for a field that they do not use. Confined to one response.
 */
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
    private static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(\\.\\d*)?([eE][+-]?\\d+)?");
    private static final Pattern FORM = Pattern.compile("[^\\s<>{}\\[\\]\"=]+=[^\\s<>{}\\[\\]\"]*");
    private static final Pattern CHARSET = Pattern.compile("(?i)charset\\s*=\\s*\"?([^\\s;\"]+)");
    private static final long MAX_LIFETIME_SECONDS = Duration.ofDays(365).toSeconds();

    /** The fields whose value is a text, and the number {@code expires_in}. */
    private final Map<String, String> fields = new HashMap<>();

    private TokenResponse() {}

    /** Returns the token, or why there is none. The reason quotes nothing from the response except its error code. */
    static TokenResult toResult(HttpResult result, OAuth2Settings settings) {
        if (result instanceof HttpResult.Failure failure) {
            return TokenResult.failure(
                    "the token could not be fetched: " + failure.code().wireName());
        }
        HttpResult.Response response = (HttpResult.Response) result;
        TokenResponse parsed = new TokenResponse();
        boolean readable = !response.truncated() && parsed.parse(text(response));
        if (response.status() / 100 != 2) {
            return TokenResult.failure("the token endpoint returned status " + response.status() + parsed.errorCode());
        }
        if (parsed.hasError()) {
            return TokenResult.failure(
                    "the token endpoint returned status " + response.status() + " with an error" + parsed.errorCode());
        }
        String token = parsed.field("access_token");
        String expiresIn = parsed.field("expires_in");
        if (!readable
                || !TOKEN.matcher(token).matches()
                || !(expiresIn.isEmpty() || NUMBER.matcher(expiresIn).matches())) {
            return TokenResult.failure("the token endpoint's response has no usable access_token");
        }
        String type = parsed.field("token_type");
        if (!type.isEmpty() && !type.equalsIgnoreCase("bearer")) {
            return TokenResult.failure("the token endpoint's response is not a bearer token");
        }
        return TokenResult.success(token, lifetime(expiresIn, settings).toNanos());
    }

    /** Returns the whole seconds of a number, such as {@code 3599.9}, from 0 to a year. */
    private static Duration lifetime(String expiresIn, OAuth2Settings settings) {
        // A double, because the digits of 1e999999999 would fill the memory. Its error is far below a second here.
        return expiresIn.isEmpty()
                ? settings.defaultLifetime()
                : Duration.ofSeconds((long) Math.max(0, Math.min(Double.parseDouble(expiresIn), MAX_LIFETIME_SECONDS)));
    }

    /** Decodes the body. Bytes that are not in the charset become U+FFFD, which no field that matters may have. */
    private static String text(HttpResult.Response response) {
        String text = new String(response.body(), charset(response));
        return text.startsWith("\uFEFF") ? text.substring(1) : text;
    }

    private static Charset charset(HttpResult.Response response) {
        for (Header header : response.headers()) {
            if (header.name().equals("content-type")) {
                Matcher named = CHARSET.matcher(header.value());
                try {
                    return named.find() ? Charset.forName(named.group(1)) : StandardCharsets.UTF_8;
                } catch (IllegalArgumentException unknown) {
                    return StandardCharsets.UTF_8;
                }
            }
        }
        return StandardCharsets.UTF_8;
    }

    private boolean parse(String text) {
        if (FORM.matcher(text.strip()).matches()) {
            return parseForm(text.strip());
        }
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING || (value.isNumeric() && name.equals("expires_in"))) {
                    fields.put(name, parser.getString());
                } else {
                    parser.skipChildren();
                }
            }
            return true;
        } catch (JacksonException invalid) {
            return false;
        }
    }

    private boolean parseForm(String text) {
        try {
            for (String pair : text.split("&")) {
                String[] parts = pair.split("=", 2);
                fields.put(
                        URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
                        parts.length == 1 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
            }
            return true;
        } catch (IllegalArgumentException invalid) {
            return false;
        }
    }

    private String field(String name) {
        return fields.getOrDefault(name, "").strip();
    }

    private boolean hasError() {
        return !error().isEmpty();
    }

    /** Returns the error. Okta's own APIs call it {@code errorCode}. */
    private String error() {
        String error = field("error");
        return error.isEmpty() ? field("errorCode") : error;
    }

    private String errorCode() {
        return ERROR.matcher(error()).matches() ? ", " + error() : "";
    }
}
