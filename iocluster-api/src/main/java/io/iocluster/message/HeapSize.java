package io.iocluster.message;

/** Estimates the heap size of strings, in bytes. Stateless. */
final class HeapSize {

    private static final int OVERHEAD = 56;
    /** Shorter text is not scanned and counts as two bytes a character. */
    private static final int MIN_SCANNED_CHARS = 1_024;

    private HeapSize() {}

    /** Returns an upper bound, 0 for null. */
    static long of(String text) {
        if (text == null) {
            return 0;
        }
        int length = text.length();
        return OVERHEAD + (length >= MIN_SCANNED_CHARS && isLatin1(text) ? length : 2L * length);
    }

    private static boolean isLatin1(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > 0xff) {
                return false;
            }
        }
        return true;
    }
}
