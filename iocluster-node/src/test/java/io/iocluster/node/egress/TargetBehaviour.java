package io.iocluster.node.egress;

import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * The responses of a {@link RawTarget} by path. The body of a valid response is the path, so that responses cannot be
 * confused.
 */
final class TargetBehaviour {

    private static final int BOMB_BYTES = 200 << 20;

    private TargetBehaviour() {}

    /** A gzip of about 200 KB, created once. */
    private static final class Bomb {

        private static final byte[] BYTES = make();

        private static byte[] make() {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
                byte[] part = new byte[1 << 20];
                Arrays.fill(part, (byte) 'x');
                for (int made = 0; made < BOMB_BYTES; made += part.length) {
                    zip.write(part);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return bytes.toByteArray();
        }
    }

    /** Creates the bomb before the calls, because on a busy machine this takes longer than the timeout of a call. */
    static void prepare() {
        assertThat(Bomb.BYTES).hasSizeLessThan(1 << 20);
    }

    /**
     * Answers one request.
     *
     * @param number number of the request on its connection, starting at 1
     * @param seen number of requests for the path, including this one
     * @return whether the connection stays open
     */
    static boolean answer(ScriptedConnection connection, String path, int number, int seen)
            throws IOException, InterruptedException {
        switch (path.contains("?") ? path.substring(0, path.indexOf('?')) : path) {
            case "/redirect" ->
                connection.send("HTTP/1.1 302 Found\nLocation: http://169.254.169.254/latest/meta-data/\n"
                        + "Content-Length: 0\n\n");
            case "/bomb" -> {
                connection.send(
                        "HTTP/1.1 200 OK\nContent-Encoding: gzip\nContent-Length: " + Bomb.BYTES.length + "\n\n");
                connection.sendBytes(Bomb.BYTES);
            }
            case "/endless-body" -> {
                connection.send("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n");
                String chunk = "2000\n" + "x".repeat(0x2000) + "\n";
                while (true) {
                    connection.send(chunk);
                }
            }
            case "/endless-headers" -> {
                connection.send("HTTP/1.1 200 OK\n");
                while (true) {
                    connection.send("X-More: and more\n");
                }
            }
            case "/drip" -> {
                connection.send("HTTP/1.1 200 OK\nContent-Length: 1000\n\n");
                while (true) {
                    connection.send("x");
                    // Slow enough that a timeout expires before all thousand bytes are sent.
                    TimeUnit.MILLISECONDS.sleep(200);
                }
            }
            case "/never" -> connection.awaitClose();
            case "/early" -> {
                connection.send("HTTP/1.1 103 Early Hints\nLink: </a.css>\n\n");
                good(connection, path);
            }
            case "/flood" -> {
                while (true) {
                    connection.send("HTTP/1.1 102 Processing\n\n");
                }
            }
            case "/two-lengths" ->
                connection.send("HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n");
            case "/cut" -> {
                connection.send("HTTP/1.1 200 OK\nContent-Length: 10\n\nhalf");
                return false;
            }
            case "/stale" -> {
                if (number > 1 && seen == 1) {
                    return false;
                }
                good(connection, path);
            }
            case "/retry-after" -> {
                if (seen == 1) {
                    String value =
                            URLDecoder.decode(path.substring(path.indexOf('=') + 1), StandardCharsets.ISO_8859_1);
                    connection.send("HTTP/1.1 503 Busy\nRetry-After: " + value + "\nContent-Length: 0\n\n");
                } else {
                    good(connection, path);
                }
            }
            default -> good(connection, path);
        }
        return true;
    }

    private static void good(ScriptedConnection connection, String path) throws IOException {
        connection.send("HTTP/1.1 200 OK\nContent-Length: " + path.length() + "\n\n" + path);
    }
}
