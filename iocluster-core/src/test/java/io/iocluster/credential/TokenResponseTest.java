package io.iocluster.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.Certainty;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class TokenResponseTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"access_token\":\"abc\",\"token_type\":\"Bearer\",\"expires_in\":60}; 60",
                "{\"access_token\":\"abc\",\"token_type\":\"bearer\",\"expires_in\":\"60\"}; 60",
                "{\"scope\":[\"a\"],\"more\":{\"access_token\":\"x\"},\"access_token\":\"abc\"}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":-1}; 0",
                "{\"access_token\":\"abc\",\"expires_in\":999999999999}; 31536000",
                "{\"access_token\":\"abc\",\"expires_in\":null}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":\"\"}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":false}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":[60]}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":{\"seconds\":60}}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":3599.9}; 3599",
                "{\"access_token\":\"abc\",\"expires_in\":\"3599.9\"}; 3599",
                "{\"access_token\":\"abc\",\"expires_in\":\" 3599 \"}; 3599",
                "{\"access_token\":\"abc\",\"expires_in\":3.6e3}; 3600",
                "{\"access_token\":\"abc\",\"expires_in\":-0.5}; 0",
                "{\"access_token\":\"abc\",\"expires_in\":\"-3600\"}; 0",
                "{\"access_token\":\"abc\",\"expires_in\":99999999999999999999}; 31536000",
                "{\"access_token\":\"abc\",\"expires_in\":1e400}; 31536000",
                "{\"access_token\":\"abc\",\"expires_in\":1e999999999}; 31536000",
                "{\"access_token\":\"abc\",\"token_type\":null}; 300",
                "{\"access_token\":\"abc\",\"token_type\":\"\"}; 300",
                "{\"access_token\":\"abc\",\"token_type\":\"BEARER\"}; 300",
                "{\"access_token\":\"abc\",\"token_type\":\"Bearer \"}; 300",
                "{\"access_token\":\"abc\",\"scope\":null,\"error\":null,\"error_description\":\"\"}; 300",
                "{\"access_token\":\"abc\",\"error\":\"\"}; 300"
            })
    void parsesATokenAndItsLifetime(String body, long seconds) {
        TokenResult token = read(200, body);

        assertThat(token.value()).isEqualTo("abc");
        assertThat(Duration.ofNanos(token.lifetimeNanos())).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "401; {\"error\":\"invalid_client\"}; the token endpoint returned status 401, invalid_client",
                "400; {\"error\":\"Ein <b>Wort</b>\"}; the token endpoint returned status 400",
                "500; no json; the token endpoint returned status 500",
                "302; {\"access_token\":\"abc\"}; the token endpoint returned status 302",
                "200; no json; the token endpoint's response has no usable access_token",
                "200; {\"access_token\":\"a; the token endpoint's response has no usable access_token",
                "200; {}; the token endpoint's response has no usable access_token",
                "200; {\"access_token\":\"a\\nb\"}; the token endpoint's response has no usable access_token",
                "200; {\"access_token\":\"abc\",\"token_type\":\"mac\"};"
                        + " the token endpoint's response is not a bearer token",
                "200; {\"access_token\":\"abc\",\"expires_in\":\"soon\"};"
                        + " the token endpoint's response has no usable access_token",
                "200; {\"access_token\":null}; the token endpoint's response has no usable access_token",
                "200; {\"access_token\":true}; the token endpoint's response has no usable access_token",
                "200; {\"access_token\":17}; the token endpoint's response has no usable access_token",
                "200; {\"access_token\":[\"abc\"]}; the token endpoint's response has no usable access_token",
                "200; {\"error\":\"invalid_scope\"};"
                        + " the token endpoint returned status 200 with an error, invalid_scope",
                "200; {\"ok\":false,\"error\":\"Secret!\",\"access_token\":\"abc\"};"
                        + " the token endpoint returned status 200 with an error",
                "400; error=invalid_client&error_description=No+such+client;"
                        + " the token endpoint returned status 400, invalid_client",
                "400; {\"error\":{\"code\":400,\"status\":\"X\"}}; the token endpoint returned status 400",
                "400; <html>error=invalid_client</html>; the token endpoint returned status 400"
            })
    void returnsWhyThereIsNoToken(int status, String body, String problem) {
        TokenResult token = read(status, body);

        assertThat(token.isPresent()).isFalse();
        assertThat(token.problem()).isEqualTo(problem);
    }

    /** The answers that the providers document, with values of our own. */
    @ParameterizedTest
    @CsvSource({
        "google, ya29.c.example-0aB_cD.............................., 3599",
        "entra-v1, eyJ0eXAi.eyJhdWQi.c2ln-_, 3599",
        "entra-v2, eyJ0eXAi.eyJhdWQi.c2ln-_, 3599",
        "okta, eyJraWQi.eyJ2ZXIi.c2ln-_, 3600",
        "auth0, eyJhbGci.eyJpc3Mi.c2ln-_, 86400",
        "keycloak, eyJhbGci.eyJleHAi.c2ln-_, 300"
    })
    void readsTheTokensOfProviders(String provider, String value, long seconds) throws IOException {
        TokenResult token = read(200, fixture(provider));

        assertThat(token.value()).isEqualTo(value);
        assertThat(Duration.ofNanos(token.lifetimeNanos())).isEqualTo(Duration.ofSeconds(seconds));
    }

    @ParameterizedTest
    @CsvSource({
        "google-error, 400, invalid_grant",
        "entra-error, 401, invalid_client",
        "okta-error, 401, invalid_client",
        "auth0-error, 401, access_denied",
        "keycloak-error, 401, unauthorized_client"
    })
    void readsTheErrorsOfProviders(String provider, int status, String error) throws IOException {
        assertThat(read(status, fixture(provider)).problem())
                .isEqualTo("the token endpoint returned status " + status + ", " + error);
    }

    static Stream<Arguments> encodings() {
        String json = "{\"note\":\"für später\",\"access_token\":\"abc\",\"expires_in\":60}";
        return Stream.of(
                Arguments.of(null, json.getBytes(StandardCharsets.UTF_8)),
                Arguments.of(null, ("\uFEFF" + json).getBytes(StandardCharsets.UTF_8)),
                Arguments.of("application/json", json.getBytes(StandardCharsets.ISO_8859_1)),
                Arguments.of("application/json;charset=UTF-8", json.getBytes(StandardCharsets.UTF_8)),
                Arguments.of("application/json; charset=\"utf-8\"", ("\uFEFF" + json).getBytes(StandardCharsets.UTF_8)),
                Arguments.of("application/json; charset=ISO-8859-1", json.getBytes(StandardCharsets.ISO_8859_1)),
                Arguments.of("application/json; charset=utf-16le", json.getBytes(StandardCharsets.UTF_16LE)),
                Arguments.of("application/json; charset=no-such-charset", json.getBytes(StandardCharsets.UTF_8)),
                Arguments.of("text/html", json.getBytes(StandardCharsets.UTF_8)),
                Arguments.of(
                        "application/x-www-form-urlencoded",
                        "access_token=abc&expires_in=60&token_type=bearer".getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @MethodSource("encodings")
    void readsATokenInAnyEncoding(String contentType, byte[] body) {
        TokenResult token = read(200, contentType, body);

        assertThat(token.value()).isEqualTo("abc");
        assertThat(Duration.ofNanos(token.lifetimeNanos())).isEqualTo(Duration.ofSeconds(60));
    }

    @Test
    void readsATokenWithAnySuccessfulStatus() {
        assertThat(read(201, "{\"access_token\":\"abc\"}").value()).isEqualTo("abc");
    }

    @Test
    void returnsTheErrorCodeOfAFailedRequest() {
        TokenResult token = TokenResponse.toResult(
                new HttpResult.Failure(ErrorCode.CONNECT_REFUSED, "because", Certainty.NOT_SENT, AttemptTiming.NONE),
                OAuth2Settings.NONE);

        assertThat(token.problem()).isEqualTo("the token could not be fetched: connect-refused");
    }

    @Test
    void rejectsATruncatedResponse() {
        HttpResult truncated = new HttpResult.Response(
                200,
                List.of(),
                "{\"access_token\":\"abc\"}".getBytes(StandardCharsets.UTF_8),
                true,
                AttemptTiming.NONE);

        assertThat(TokenResponse.toResult(truncated, OAuth2Settings.NONE).isPresent())
                .isFalse();
    }

    private static String fixture(String name) throws IOException {
        try (InputStream file = TokenResponseTest.class.getResourceAsStream("tokens/" + name + ".json")) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static TokenResult read(int status, String body) {
        return read(status, null, body.getBytes(StandardCharsets.UTF_8));
    }

    private static TokenResult read(int status, String contentType, byte[] body) {
        List<Header> headers = contentType == null ? List.of() : List.of(new Header("content-type", contentType));
        return TokenResponse.toResult(
                new HttpResult.Response(status, headers, body, false, AttemptTiming.NONE), OAuth2Settings.NONE);
    }
}
