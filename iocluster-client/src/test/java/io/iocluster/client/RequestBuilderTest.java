package io.iocluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.iocluster.client.spi.OutgoingRequest;
import io.iocluster.message.DecodedRequest;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestDecoder;
import io.iocluster.message.RequestEncoder;
import io.iocluster.message.RequestEnvelope;
import io.iocluster.message.usable.UsableRule;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RequestBuilderTest {

    @Test
    void aNodeReadsEveryFieldThatTheBuilderSets() {
        Request request = Request.of("PUT", "https://partner.example/")
                .header("X-Tag", "a")
                .header("X-Tag", "b")
                .body(new byte[] {(byte) 0xFF})
                .timeout(Duration.ofSeconds(1))
                .maxAttempts(3)
                .idempotencyKey("key")
                .auth("partner")
                .usable(UsableRule.builder()
                        .status(200)
                        .json("/match")
                        .equalTo(true)
                        .build())
                .reply(ReplyMode.FAILURES)
                .replyTo("there")
                .context(" {\"a\": [1, 2]} ")
                .build();

        RequestEnvelope read = read(request, Duration.ofSeconds(5));

        assertThat(read.id()).isEqualTo("id");
        assertThat(read.method()).isEqualTo("PUT");
        assertThat(read.url()).isEqualTo("https://partner.example/");
        assertThat(read.headers()).extracting("value").containsExactly("a", "b");
        assertThat(read.body()).containsExactly(0xFF);
        assertThat(read.timeoutMs()).isEqualTo(1_000);
        assertThat(read.deadlineMs()).isEqualTo(5_000);
        assertThat(read.maxAttempts()).isEqualTo(3);
        assertThat(read.idempotencyKey()).isEqualTo("key");
        assertThat(read.auth()).isEqualTo("partner");
        assertThat(read.usable()).hasToString("status [200], /match equals true");
        assertThat(read.reply()).isEqualTo(ReplyMode.FAILURES);
        assertThat(read.replyTo()).isEqualTo("there");
        assertThat(read.context()).isEqualTo("{\"a\":[1,2]}");
    }

    @Test
    void putsKeyAndMessageHeadersOnTheMessage() {
        Request request = Request.get("http://a/")
                .key("customer-1")
                .messageHeader("traceparent", "00-1-2-01")
                .build();

        OutgoingRequest message = request.encode(new RequestEncoder(), "id", null, null, Duration.ofSeconds(5));

        assertThat(message.key()).isEqualTo("customer-1");
        assertThat(message.headers()).containsOnly(Map.entry("traceparent", "00-1-2-01"));
        assertThat(message.expiry()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void writesSeveralCallsIntoOneEnvelope() {
        Request request = Request.any(List.of(
                        Request.get("http://a/").timeout(Duration.ofMillis(300)).build(),
                        Request.post("http://b/").body("42").build()))
                .build();

        RequestEnvelope read = read(request, null);

        assertThat(read.scatter().branches())
                .extracting(RequestEnvelope::url)
                .containsExactly("http://a/", "http://b/");
    }

    @Test
    void refusesEnvelopeFieldsOnABranch() {
        Request branch = Request.get("http://a/").id("own").build();

        assertThatThrownBy(() -> Request.all(List.of(branch)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must not set id");
        assertThatThrownBy(() -> Request.all(List.of())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesCallFieldsOnAnEnvelopeWithBranches() {
        Request.Builder several = Request.any(List.of(Request.get("http://a/").build()));

        assertThatThrownBy(() -> several.body("text")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> several.header("a", "b")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void refusesValuesThatEveryNodeRejects() {
        Request.Builder get = Request.get("http://h/");

        assertThatThrownBy(() -> Request.get(" ")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> get.context("{")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> get.context("1 2")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> get.context("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> get.timeout(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> get.deadline(Duration.ofNanos(1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> get.id("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(get.id(null).build().id()).isNull();
        assertThatThrownBy(() -> get.maxAttempts(101)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void omitsBodyAndUrlInToString() {
        assertThat(Request.post("http://h/?token=hush").body("hush").build().toString())
                .doesNotContain("hush");
    }

    private static RequestEnvelope read(Request request, Duration deadline) {
        byte[] envelope =
                request.encode(new RequestEncoder(), "id", deadline, null, null).envelope();
        DecodedRequest decoded = new RequestDecoder(1 << 20, 16).decode(envelope);
        assertThat(decoded).as(new String(envelope, StandardCharsets.UTF_8)).isInstanceOf(DecodedRequest.Valid.class);
        return ((DecodedRequest.Valid) decoded).envelope();
    }
}
