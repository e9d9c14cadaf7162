package io.iocluster.credential.signature;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.message.Header;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests signatures against known ones, and which ids are signed. */
class WebhookSignerTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String OLD_SECRET = "whsec_b2xkb2xkb2xkb2xkb2xkb2xkb2xkb2xk";

    /** The first one is published by other implementations; the others were computed with Python's hmac module. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "msg_p5jXN8AQM9LWM0D4loKWxJek | 1614265330 | {\"test\": 2432232314} | g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
                "msg_loFOjxBNrRLzqYUf | 1731705121 | {\"event_type\":\"ping\",\"data\":{\"success\":true}} | ra7kgjOCnSSR5URJ70WM3QMv18NGuuwnmtI2W0CEQ1c=",
                "call-1 | 1674087231 | '' | dEYiPP5sWY6azXQGtbr0HGzmgevPUdEZL/kpXVIDyKA=",
                "call-1 | 1674087232 | '' | igRqPQLj0Z8ZW5mHVG8c4vw71SesWe58Z73q2rAJagk="
            })
    void signsAsOtherImplementationsDo(String id, long time, String body, String signature) {
        HttpRequest signed = new WebhookSigner(new StandardWebhooksSettings(List.of(SECRET)))
                .sign(request(id, body.isEmpty() ? null : body), Instant.ofEpochSecond(time));

        assertThat(signed.headers())
                .containsExactly(
                        new Header("Content-Type", "application/json"),
                        new Header("webhook-id", id),
                        new Header("webhook-timestamp", Long.toString(time)),
                        new Header("webhook-signature", "v1," + signature));
    }

    @Test
    void signsWithEachSecretWhileOneIsRotated() {
        HttpRequest request = request("call-1", "{}");
        Instant now = Instant.ofEpochSecond(1_674_087_231);

        assertThat(signature(List.of(SECRET, OLD_SECRET), request, now))
                .isEqualTo(
                        signature(List.of(SECRET), request, now) + " " + signature(List.of(OLD_SECRET), request, now));
    }

    @ParameterizedTest
    @CsvSource({
        "orders.in/3/4711, orders%2Ein/3/4711",
        "msg_1.1674087231, msg_1%2E1674087231",
        "100%2E, 100%252E",
        "'a b,c', a%20b%2Cc",
        "ä, %C3%A4",
        "7c9e6679-7425-40de-944b-e07fc1f90ae7, 7c9e6679-7425-40de-944b-e07fc1f90ae7"
    })
    void signsNoFullStopOfAnId(String callId, String webhookId) {
        assertThat(WebhookId.encode(callId)).isEqualTo(webhookId);
    }

    @Test
    void signsTheHashOfALongId() {
        assertThat(WebhookId.encode("x".repeat(1_024))).isEqualTo("x".repeat(1_024));
        assertThat(WebhookId.encode("x".repeat(1_025)))
                .isEqualTo("sha256:c6d8e9905300876046729949cc95c2385221270d389176f7234fe7ac00c4e430");
    }

    private static String signature(List<String> secrets, HttpRequest request, Instant now) {
        return new WebhookSigner(new StandardWebhooksSettings(secrets))
                .sign(request, now).headers().stream()
                        .filter(header -> header.name().equals("webhook-signature"))
                        .map(Header::value)
                        .findFirst()
                        .orElseThrow();
    }

    private static HttpRequest request(String callId, String body) {
        return new HttpRequest(
                "POST",
                new TargetUrl("https", "partner.example", 443, "/hook"),
                List.of(new Header("Content-Type", "application/json")),
                body == null ? null : body.getBytes(StandardCharsets.UTF_8),
                "a",
                callId,
                null,
                null);
    }
}
