package io.iocluster.node.tap;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Replaces the secrets of the node's configuration in text that producers and targets sent. A sender may know a secret and repeat it.
 * Immutable.
 */
final class SecretRedaction {

    private static final String HIDDEN = "***";
    /** Shorter values, such as a user name of one letter, also occur in text that is no secret. */
    private static final int MIN_CHARS = 4;
    /** A value such as {@code Bearer abc} is also found without its scheme. */
    private static final int MIN_WORD_CHARS = 8;

    /** The longest first, because one may contain another. */
    private final List<String> secrets;

    SecretRedaction(Collection<String> secrets) {
        this.secrets = secrets.stream()
                .map(String::strip)
                .filter(secret -> secret.length() >= MIN_CHARS)
                .flatMap(SecretRedaction::forms)
                .distinct()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    private static Stream<String> forms(String secret) {
        Stream<String> words = Stream.of(secret.split("\\s+")).filter(word -> word.length() >= MIN_WORD_CHARS);
        return Stream.concat(Stream.of(secret), words)
                .flatMap(text -> Stream.of(text, URLEncoder.encode(text, StandardCharsets.UTF_8)));
    }

    /** Returns the text without the secrets; null for null. */
    String redact(String text) {
        if (text == null) {
            return null;
        }
        String redacted = text;
        for (String secret : secrets) {
            redacted = redacted.replace(secret, HIDDEN);
        }
        return redacted;
    }
}
