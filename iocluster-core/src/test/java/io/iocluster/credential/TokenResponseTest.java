package io.iocluster.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.Certainty;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.message.ErrorCode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenResponseTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"access_token\":\"abc\",\"token_type\":\"Bearer\",\"expires_in\":60}; 60",
                "{\"access_token\":\"abc\",\"token_type\":\"bearer\",\"expires_in\":\"60\"}; 60",
                "{\"scope\":[\"a\"],\"more\":{\"access_token\":\"x\"},\"access_token\":\"abc\"}; 300",
                "{\"access_token\":\"abc\",\"expires_in\":-1}; 0",
                "{\"access_token\":\"abc\",\"expires_in\":999999999999}; 31536000"
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
                        + " the token endpoint's response has no usable access_token"
            })
    void returnsWhyThereIsNoToken(int status, String body, String problem) {
        TokenResult token = read(status, body);

        assertThat(token.isPresent()).isFalse();
        assertThat(token.problem()).isEqualTo(problem);
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

    private static TokenResult read(int status, String body) {
        return TokenResponse.toResult(
                new HttpResult.Response(
                        status, List.of(), body.getBytes(StandardCharsets.UTF_8), false, AttemptTiming.NONE),
                OAuth2Settings.NONE);
    }
}
