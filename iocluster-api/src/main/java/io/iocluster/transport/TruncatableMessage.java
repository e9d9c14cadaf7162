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
 * Publishes a message that may be too large for its topic or queue, in smaller and smaller versions until the broker confirms
 * one. The headers of each version say what is missing. Owned by the thread that builds it until {@link #publish}.
 */
public final class TruncatableMessage {

    /** The header that names what is missing. */
    public static final String TRUNCATED = "iocluster-truncated";

    /** The header with the number of bytes that the original payload has. */
    public static final String PAYLOAD_SIZE = "iocluster-payload-size";

    /** The header with the SHA-256 of the original payload, in hexadecimal. */
    public static final String PAYLOAD_SHA256 = "iocluster-payload-sha256";

    /** The sender's headers are missing. */
    public static final String WITHOUT_HEADERS = "headers";

    /** Besides, the key is replaced by its hash. */
    public static final String WITHOUT_HEADERS_AND_KEY = "headers,key";

    /** The sender's headers and the end of the payload are missing. */
    public static final String WITHOUT_HEADERS_AND_PAYLOAD = "headers,payload";

    /** Besides, the key is replaced by its hash. */
    public static final String WITHOUT_HEADERS_KEY_AND_PAYLOAD = "headers,key,payload";

    /** All values of {@link #TRUNCATED}. */
    public static final List<String> TRUNCATIONS = List.of(
            WITHOUT_HEADERS, WITHOUT_HEADERS_AND_KEY, WITHOUT_HEADERS_AND_PAYLOAD, WITHOUT_HEADERS_KEY_AND_PAYLOAD);

    /** Bytes of a cut payload that a dead letter keeps. */
    public static final int MAX_PREFIX_BYTES = 16 << 10;

    private final List<Version> versions = new ArrayList<>();

    /**
     * One way to publish the message.
     *
     * @param cut one of {@link #TRUNCATIONS}; null for the whole message
     */
    private record Version(String cut, Supplier<CompletionStage<PublishResult>> publish) {}

    /** Adds the next smaller version; {@code cut} is null for the whole message and otherwise one of {@link #TRUNCATIONS}. */
    public TruncatableMessage addVersion(String cut, Supplier<CompletionStage<PublishResult>> publish) {
        versions.add(new Version(cut, publish));
        return this;
    }

    /**
     * Publishes the first version, and each next one only after the broker found the one before it too large.
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
            boolean cut = version.cut() != null && result instanceof PublishResult.Confirmed;
            return CompletableFuture.completedFuture(cut ? new PublishResult.Confirmed(version.cut()) : result);
        });
    }

    /** Returns the headers of a version that lacks something of this payload, in UTF-8. */
    public static Map<String, byte[]> truncationHeaders(String cut, byte[] payload) {
        return Map.of(
                TRUNCATED, utf8(cut),
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
        } catch (NoSuchAlgorithmException everyJvmHasIt) {
            throw new IllegalStateException(everyJvmHasIt);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
