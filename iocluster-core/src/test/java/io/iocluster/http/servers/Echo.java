package io.iocluster.http.servers;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What applications answer, so that a complete answer can be told from any other: the id, the length and the SHA-256 of the body that
 * arrived, and filler of the size that the query asks for. Thread-safe.
 */
enum Echo {
    /** The answer of the applications in {@code servers}. */
    APPLICATION {
        @Override
        String getPath() {
            return "/echo";
        }

        @Override
        byte[] response(Exchange exchange, String method) {
            byte[] body = method.equals("POST") ? exchange.body() : new byte[0];
            return text(exchange.id(), body.length, digest(body), exchange.responseBytes());
        }
    },
    /** The answer of a server of files that returns what is posted. */
    FILES {
        @Override
        String getPath() {
            return "/data";
        }

        @Override
        byte[] response(Exchange exchange, String method) {
            return method.equals("POST") ? exchange.body() : FILE;
        }
    };

    /** The content of the file {@code data}. */
    static final byte[] FILE = filler("data\n", 3_000);

    /** Every 64th call has a body and an answer that are larger than the initial window of HTTP/2, 64 KiB. */
    private static final int LARGE_EACH = 64;

    private static final int LARGE = 100_000;
    private static final int SMALL = 3_000;

    private static final Map<Integer, byte[]> LARGE_BODIES = new ConcurrentHashMap<>();
    private static final Map<Integer, String> DIGESTS = new ConcurrentHashMap<>();

    abstract String getPath();

    abstract byte[] response(Exchange exchange, String method);

    /**
     * Returns the request and the answer of an attempt.
     *
     * @param bodyBytes the size of the body, 0 for one that depends on the call, or below 0 for none
     */
    Exchange exchange(String id, int call, int bodyBytes) {
        // The quotient differs between neighbours, which are a GET and a POST.
        int variant = call / 2;
        int size = variant % LARGE_EACH == 0 ? LARGE : variant * 37 % SMALL;
        byte[] body = bodyBytes > 0
                ? LARGE_BODIES.computeIfAbsent(bodyBytes, bytes -> filler("", bytes))
                : filler(id + "\n", Math.max(size, id.length() + 1));
        return new Exchange(this, id, body, size);
    }

    /** Returns the answer of an application. */
    static byte[] text(String id, long length, String digest, int filler) {
        String text = "id=" + id + " length=" + length + " sha256=" + digest + "\n" + "x".repeat(filler) + "\nend\n";
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String digest(byte[] body) {
        return LARGE_BODIES.get(body.length) == body
                ? DIGESTS.computeIfAbsent(body.length, length -> hash(body))
                : hash(body);
    }

    private static String hash(byte[] body) {
        return HexFormat.of().formatHex(newDigest().digest(body));
    }

    private static byte[] filler(String start, int size) {
        byte[] bytes = start.getBytes(StandardCharsets.ISO_8859_1);
        byte[] filled = Arrays.copyOf(bytes, size);
        Arrays.fill(filled, bytes.length, size, (byte) 'b');
        return filled;
    }

    /**
     * An attempt's request and answer.
     *
     * @param body of a POST
     * @param responseBytes the filler that the query asks for
     */
    record Exchange(Echo echo, String id, byte[] body, int responseBytes) {

        byte[] response(String method) {
            return echo.response(this, method);
        }
    }
}
