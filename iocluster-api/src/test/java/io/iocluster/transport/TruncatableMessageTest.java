package io.iocluster.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class TruncatableMessageTest {

    private static final PublishResult TOO_LARGE = new PublishResult.TooLarge("2 bytes, over 1");

    private final List<String> tried = new ArrayList<>();

    @Test
    void publishesTheWholeMessageIfItFits() {
        assertThat(published(PublishResult.CONFIRMED, TOO_LARGE)).isEqualTo(PublishResult.CONFIRMED);
        assertThat(tried).containsExactly("whole");
    }

    @Test
    void publishesTheLargestVersionThatFitsAndReportsItsTruncation() {
        assertThat(published(TOO_LARGE, TOO_LARGE, PublishResult.CONFIRMED))
                .isEqualTo(new PublishResult.Confirmed(TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD));
        assertThat(tried)
                .containsExactly(
                        "whole", TruncatableMessage.WITHOUT_HEADERS, TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD);
    }

    @Test
    void stopsAtAnyOtherFailure() {
        PublishResult unreachable = new PublishResult.Failed("broker unreachable");

        assertThat(published(TOO_LARGE, unreachable, PublishResult.CONFIRMED)).isEqualTo(unreachable);
        assertThat(tried).hasSize(2);
    }

    @Test
    void isTooLargeIfNoVersionFits() {
        assertThat(published(TOO_LARGE, TOO_LARGE, TOO_LARGE)).isEqualTo(TOO_LARGE);
    }

    @Test
    void headersDescribeTheOriginalPayload() {
        Map<String, byte[]> headers = TruncatableMessage.truncationHeaders(
                TruncatableMessage.WITHOUT_HEADERS, "abc".getBytes(StandardCharsets.UTF_8));

        assertThat(text(headers.get(TruncatableMessage.TRUNCATED))).isEqualTo("headers");
        assertThat(text(headers.get(TruncatableMessage.PAYLOAD_SIZE))).isEqualTo("3");
        assertThat(text(headers.get(TruncatableMessage.PAYLOAD_SHA256)))
                .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assertThat(headers.keySet()).allMatch(ReservedHeaders::isReserved);
    }

    @Test
    void keepsThePrefixOfAPayload() {
        byte[] small = new byte[TruncatableMessage.MAX_PREFIX_BYTES];

        assertThat(TruncatableMessage.payloadPrefix(small)).isSameAs(small);
        assertThat(TruncatableMessage.payloadPrefix(new byte[TruncatableMessage.MAX_PREFIX_BYTES + 1]))
                .isEqualTo(small);
    }

    private PublishResult published(PublishResult... results) {
        List<PublishResult> left = new ArrayList<>(List.of(results));
        return new TruncatableMessage()
                .addVersion(null, () -> attempt("whole", left))
                .addVersion(TruncatableMessage.WITHOUT_HEADERS, () -> attempt(TruncatableMessage.WITHOUT_HEADERS, left))
                .addVersion(
                        TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD,
                        () -> attempt(TruncatableMessage.WITHOUT_HEADERS_AND_PAYLOAD, left))
                .publish()
                .toCompletableFuture()
                .join();
    }

    private CompletionStage<PublishResult> attempt(String version, List<PublishResult> left) {
        tried.add(version);
        return CompletableFuture.completedFuture(left.remove(0));
    }

    private static String text(byte[] utf8) {
        return new String(utf8, StandardCharsets.UTF_8);
    }
}
