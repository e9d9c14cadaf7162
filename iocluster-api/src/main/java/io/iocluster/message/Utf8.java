package io.iocluster.message;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** UTF-8 validation. Stateless. */
final class Utf8 {

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final long HIGH_BITS = 0x8080808080808080L;

    private Utf8() {}

    /**
     * Returns whether the bytes are well-formed UTF-8: no overlong form, no surrogate, nothing above U+10FFFF and no
     * truncated sequence. Runs for every envelope, so it skips ASCII eight bytes at a time and allocates nothing.
     */
    static boolean isWellFormed(byte[] bytes) {
        int i = 0;
        while (i < bytes.length) {
            if (i + Long.BYTES <= bytes.length && ((long) LONGS.get(bytes, i) & HIGH_BITS) == 0) {
                i += Long.BYTES;
            } else if (bytes[i] >= 0) {
                i++;
            } else {
                int length = sequenceLength(bytes, i);
                if (length == 0) {
                    return false;
                }
                i += length;
            }
        }
        return true;
    }

    /** Returns the length of the well-formed 2 to 4 byte sequence that starts here, or 0 (Unicode, table 3-7). */
    private static int sequenceLength(byte[] bytes, int i) {
        int lead = bytes[i] & 0xff;
        if (lead < 0xc2 || lead > 0xf4) {
            return 0;
        }
        int length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        if (i + length > bytes.length) {
            return 0;
        }
        int second = bytes[i + 1] & 0xff;
        int minSecond = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        int maxSecond = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        boolean valid = second >= minSecond && second <= maxSecond;
        for (int k = i + 2; k < i + length; k++) {
            valid &= (bytes[k] & 0xc0) == 0x80;
        }
        return valid ? length : 0;
    }

    /** Returns the bytes as text, or null if they are not well-formed UTF-8. */
    static String decode(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD') < 0) {
            return text;
        }
        // Either the bytes encode U+FFFD, or they are malformed.
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            return null;
        }
    }

    /** Returns whether the text has no unpaired surrogate. JSON escapes can spell one, and UTF-8 cannot encode it. */
    static boolean canEncode(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (!Character.isHighSurrogate(c)
                        || i + 1 == text.length()
                        || !Character.isLowSurrogate(text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }
}
