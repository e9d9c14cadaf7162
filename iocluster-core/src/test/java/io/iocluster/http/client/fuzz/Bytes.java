package io.iocluster.http.client.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;

/** Byte arrays of scripts. */
final class Bytes {

    private Bytes() {}

    static byte[] of(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static byte[] join(byte[]... parts) {
        return join(List.of(parts));
    }

    static byte[] join(List<byte[]> parts) {
        ByteArrayOutputStream joined = new ByteArrayOutputStream();
        parts.forEach(joined::writeBytes);
        return joined.toByteArray();
    }

    static byte[] encode(String coding, byte[] body) {
        ByteArrayOutputStream encoded = new ByteArrayOutputStream();
        try (var out = coding.equals("gzip") ? new GZIPOutputStream(encoded) : new DeflaterOutputStream(encoded)) {
            out.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return encoded.toByteArray();
    }

    /** Returns the decoded body; null if it is not exactly one valid stream. */
    static byte[] decode(String coding, byte[] body) {
        ByteArrayInputStream source = new ByteArrayInputStream(body);
        try (InputStream in = coding.equals("gzip") ? new GZIPInputStream(source) : new InflaterInputStream(source)) {
            byte[] decoded = in.readAllBytes();
            return Arrays.equals(encode(coding, decoded), body) ? decoded : null;
        } catch (IOException invalid) {
            return null;
        }
    }

    /** Changes a few bytes: overwrites, removes, repeats or inserts some. */
    static byte[] mutate(byte[] bytes, Choices choices, List<byte[]> fragments) {
        byte[] result = bytes;
        for (int left = choices.mutations(); left > 0; left--) {
            int at = choices.below(result.length + 1);
            int until = Math.min(result.length, at + 1 + choices.below(8));
            byte[] before = Arrays.copyOf(result, at);
            byte[] rest = Arrays.copyOfRange(result, at, result.length);
            byte[] after = Arrays.copyOfRange(result, until, result.length);
            result = switch (choices.below(6)) {
                case 0 -> join(before, new byte[] {choices.octetValue()}, rest.length == 0 ? rest : tail(rest));
                case 1 -> join(before, after);
                case 2 -> join(before, Arrays.copyOfRange(result, at, until), rest);
                case 3 -> before;
                case 4 -> join(before, new byte[] {choices.octetValue()}, rest);
                default -> join(before, choices.of(fragments), rest);
            };
        }
        return result;
    }

    private static byte[] tail(byte[] bytes) {
        return Arrays.copyOfRange(bytes, 1, bytes.length);
    }

    /** Splits at a few places. Each part is sent only when the client has had time to read the one before. */
    static List<byte[]> split(byte[] bytes, Choices choices) {
        List<byte[]> parts = new ArrayList<>();
        byte[] rest = bytes;
        for (int left = choices.below(4); left > 0 && rest.length > 0; left--) {
            int at = 1 + choices.below(rest.length);
            parts.add(Arrays.copyOf(rest, at));
            rest = Arrays.copyOfRange(rest, at, rest.length);
        }
        if (rest.length > 0) {
            parts.add(rest);
        }
        return parts;
    }
}
