package io.iocluster.credential.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Encodes the id of a call as the id of a webhook. Different calls get different ids. The result has no full stop: the id is signed as
 * {@code id.timestamp.body}, so an id with a full stop would let its sender choose the time of the signature.
 */
final class WebhookId {

    private static final String KEPT = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~:/@";
    private static final int MAX_LENGTH = 1_024;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private WebhookId() {}

    static String encode(String callId) {
        StringBuilder encoded = new StringBuilder(callId.length() + 16);
        byte[] bytes = callId.getBytes(UTF_8);
        for (byte each : bytes) {
            if (each > 0 && KEPT.indexOf(each) >= 0) {
                encoded.append((char) each);
            } else {
                encoded.append('%').append(HEX.toHexDigits(each));
            }
        }
        return encoded.length() <= MAX_LENGTH ? encoded.toString() : "sha256:" + sha256(bytes);
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException defect) {
            throw new IllegalStateException("every JDK has SHA-256", defect);
        }
    }
}
