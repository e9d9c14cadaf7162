package io.iocluster.transport;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Publishes a message that may be too large for its topic or queue: tries ever smaller versions until the broker
 * confirms one. The headers of a version name what is missing. Confined to the thread that builds it until {@link
 * #publish}.
 */
public final class TruncatableMessage {

    /** The header that names the missing parts. */
    public static final String TRUNCATED = "iocluster-truncated";

    /** The header with the size of the original payload in bytes. */
    public static final String PAYLOAD_SIZE = "iocluster-payload-size";

    /** The header with the SHA-256 of the original payload, in hexadecimal. */
    public static final String PAYLOAD_SHA256 = "iocluster-payload-sha256";

    /** The sender's headers are missing. */
    public static final String WITHOUT_HEADERS = "headers";

    /** The sender's headers are missing, and the key is replaced by its hash. */
    public static final String WITHOUT_HEADERS_AND_KEY = "headers,key";

    /** The sender's headers and the end of the payload are missing. */
    public static final String WITHOUT_HEADERS_AND_PAYLOAD = "headers,payload";

    /** The sender's headers and the end of the payload are missing, and the key is replaced by its hash. */
    public static final String WITHOUT_HEADERS_KEY_AND_PAYLOAD = "headers,key,payload";

    /** All values of {@link #TRUNCATED}. */
    public static final List<String> TRUNCATIONS = List.of(
            WITHOUT_HEADERS, WITHOUT_HEADERS_AND_KEY, WITHOUT_HEADERS_AND_PAYLOAD, WITHOUT_HEADERS_KEY_AND_PAYLOAD);

    /** Number of payload bytes that a truncated dead letter keeps. */
    public static final int MAX_PREFIX_BYTES = 16 << 10;

    private final List<Version> versions = new ArrayList<>();

    /**
     * One version of the message.
     *
     * @param truncation one of {@link #TRUNCATIONS}; null for the whole message
     */
    private record Version(String truncation, Supplier<CompletionStage<PublishResult>> publish) {}

    /**
     * Adds the next smaller version; {@code truncation} is one of {@link #TRUNCATIONS}, or null for the whole message.
     */
    public TruncatableMessage addVersion(String truncation, Supplier<CompletionStage<PublishResult>> publish) {
        versions.add(new Version(truncation, publish));
        return this;
    }

    /**
     * Publishes the first version, and each further version only if the broker refused the one before as too large.
     *
     * @return completes with the result of the last version that was tried
     */
    public CompletionStage<PublishResult> publish() {
        return publish(0);
    }

    private CompletionStage<PublishResult> publish(int index) {
        Version version = versions.get(index);
        return version.publish().get().thenCompose(result -> {
            if (result instanceof PublishResult.TooLarge && index + 1 < versions.size()) {
                return publish(index + 1);
            }
            boolean truncated = version.truncation() != null && result instanceof PublishResult.Confirmed;
            return CompletableFuture.completedFuture(
                    truncated ? new PublishResult.Confirmed(version.truncation()) : result);
        });
    }

    /** Returns the headers of a truncated version of a message with this payload, in UTF-8. */
    public static Map<String, byte[]> truncationHeaders(String truncation, byte[] payload) {
        return Map.of(
                TRUNCATED, utf8(truncation),
                PAYLOAD_SIZE, utf8(Integer.toString(payload.length)),
                PAYLOAD_SHA256, utf8(sha256Hex(payload)));
    }

    /** Returns the payload's first bytes, at most {@link #MAX_PREFIX_BYTES}. */
    public static byte[] payloadPrefix(byte[] payload) {
        return payload.length <= MAX_PREFIX_BYTES ? payload : Arrays.copyOf(payload, MAX_PREFIX_BYTES);
    }

    /** Returns the SHA-256 in hexadecimal, in lower case. */
    public static String sha256Hex(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JVM has SHA-256", impossible);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
