package io.iocluster.node.cluster;

import java.util.regex.Pattern;

/** Cleans text of other nodes, which is shown to operators. Stateless. */
final class CleanText {

    /** Control and format characters, which could hide or reorder what follows, and characters that are not assigned. */
    private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Co}\\p{Cn}\\p{Cs}\\p{Zl}\\p{Zp}]");

    private CleanText() {}

    /** Returns at most this many characters, with every unprintable one replaced; empty for null. */
    static String of(String text, int maxChars) {
        if (text == null) {
            return "";
        }
        String clean = UNPRINTABLE.matcher(text).replaceAll("\uFFFD");
        if (clean.length() <= maxChars) {
            return clean;
        }
        int end = Character.isHighSurrogate(clean.charAt(maxChars - 2)) ? maxChars - 2 : maxChars - 1;
        return clean.substring(0, end) + "…";
    }
}
