package io.iocluster.settings;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, written as {@code 512B}, {@code 64KiB}, {@code 1MiB} or {@code 2GiB} (powers of 1024).
 *
 * @param bytes zero or more
 */
public record DataSize(long bytes) implements Comparable<DataSize> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,15})\\s*(B|KiB|MiB|GiB)?");
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB"};

    public DataSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("size must not be negative: " + bytes);
        }
    }

    public static DataSize ofMebibytes(long mebibytes) {
        return new DataSize(Math.multiplyExact(mebibytes, 1L << 20));
    }

    /**
     * Parses a size.
     *
     * @throws IllegalArgumentException if the text is not a size, or is 2^63 bytes or more
     */
    public static DataSize parse(String text) {
        Matcher matcher = TEXT.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a size such as 64KiB or 1MiB: " + text);
        }
        long factor = factor(matcher.group(2));
        try {
            return new DataSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), factor));
        } catch (ArithmeticException tooLarge) {
            throw new IllegalArgumentException("size is too large: " + text, tooLarge);
        }
    }

    private static long factor(String unit) {
        for (int i = 0; i < UNITS.length; i++) {
            if (UNITS[i].equals(unit)) {
                return 1L << (10 * i);
            }
        }
        return 1;
    }

    @Override
    public int compareTo(DataSize other) {
        return Long.compare(bytes, other.bytes);
    }

    @Override
    public String toString() {
        int unit = 0;
        long amount = bytes;
        while (unit < UNITS.length - 1 && amount != 0 && amount % 1024 == 0) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, "%d%s", amount, UNITS[unit]);
    }
}
