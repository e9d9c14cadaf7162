package io.iocluster.credential.signature;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.iocluster.message.Header;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * Path and query of a URL in the one spelling in which every service signs them: only letters, digits and {@code -._~} are not
 * percent-encoded, and a plus in the query is a space. Immutable.
 *
 * @param path starts with a slash
 * @param query with its question mark, or empty
 * @param parameters the decoded parameters; null if one is not UTF-8
 */
record AwsTarget(String path, String query, List<Header> parameters) {

    private static final String UNRESERVED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    /** Normalizes a path and query from the strict parser. */
    static AwsTarget of(String pathAndQuery) {
        int start = pathAndQuery.indexOf('?');
        String path = start < 0 ? pathAndQuery : pathAndQuery.substring(0, start);
        StringBuilder query = new StringBuilder();
        List<Header> parameters = new ArrayList<>();
        boolean utf8 = true;
        for (String parameter : (start < 0 ? "" : pathAndQuery.substring(start + 1)).split("&")) {
            if (parameter.isEmpty()) {
                continue;
            }
            int equals = parameter.indexOf('=');
            byte[] name = decode(equals < 0 ? parameter : parameter.substring(0, equals), ' ');
            byte[] value = decode(equals < 0 ? "" : parameter.substring(equals + 1), ' ');
            query.append(query.isEmpty() ? '?' : '&').append(encode(name));
            if (equals >= 0) {
                query.append('=').append(encode(value));
            }
            parameters.add(new Header(new String(name, UTF_8), new String(value, UTF_8)));
            utf8 = utf8 && isUtf8(name) && isUtf8(value);
        }
        return new AwsTarget(normalizePath(path), query.toString(), utf8 ? parameters : null);
    }

    /** Decodes no slash, because an encoded one is no separator. */
    private static String normalizePath(String path) {
        List<String> segments = new ArrayList<>();
        for (String segment : path.split("/", -1)) {
            segments.add(encode(decode(segment, '+')));
        }
        return String.join("/", segments);
    }

    private static byte[] decode(String text, char plus) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.write(HexFormat.fromHexDigits(text, i + 1, i + 3));
                i += 2;
            } else {
                bytes.write(c == '+' ? plus : c);
            }
        }
        return bytes.toByteArray();
    }

    private static String encode(byte[] bytes) {
        StringBuilder encoded = new StringBuilder(bytes.length + 16);
        for (byte each : bytes) {
            if (each > 0 && UNRESERVED.indexOf(each) >= 0) {
                encoded.append((char) each);
            } else {
                encoded.append('%').append(HEX.toHexDigits(each));
            }
        }
        return encoded.toString();
    }

    private static boolean isUtf8(byte[] bytes) {
        return Arrays.equals(new String(bytes, UTF_8).getBytes(UTF_8), bytes);
    }
}
