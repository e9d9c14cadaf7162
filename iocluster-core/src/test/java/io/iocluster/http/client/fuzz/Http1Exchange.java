package io.iocluster.http.client.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** One call over HTTP/1.1, and a response that begins as a valid one. */
public final class Http1Exchange extends Exchange {

    private static final String PATH = "/scripted";

    private static final List<byte[]> FRAGMENTS = Stream.of(
                    "\r\n",
                    "\n",
                    " ",
                    "\0",
                    ":",
                    "0\r\n\r\n",
                    "0\r\n",
                    "5\r\nhello\r\n",
                    "5;a=b\r\n",
                    "ffffffff\r\n",
                    "FFFFFFFFFFFFFFFFF\r\n",
                    "-1",
                    "+5",
                    "0x5",
                    "\u00e9",
                    " folded: x\r\n",
                    "Content-Length: 3\r\n",
                    "Content-Length: 0\r\n",
                    "Content-Length: 5, 5\r\n",
                    "Content-Length: 99999999999999999999\r\n",
                    "Transfer-Encoding: chunked\r\n",
                    "Transfer-Encoding: gzip, chunked\r\n",
                    "Transfer-Encoding: identity\r\n",
                    "Content-Encoding: gzip\r\n",
                    "Content-Encoding: br\r\n",
                    "Connection: close\r\n",
                    "Connection: keep-alive\r\n",
                    "Upgrade: h2c\r\nConnection: Upgrade\r\n",
                    "HTTP/1.1 100 Continue\r\n\r\n",
                    "HTTP/1.1 101 Switching Protocols\r\n\r\n",
                    "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n",
                    "HTTP/1.1 204 No Content\r\n\r\n",
                    "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            .map(Bytes::of)
            .toList();

    private static final List<String> HEADERS = List.of(
            "Content-Type: text/plain",
            "Connection: keep-alive",
            "Connection: close",
            "Keep-Alive: timeout=5, max=100",
            "Keep-Alive: timeout=1",
            "Set-Cookie: a=b; Path=/",
            "X-Empty:",
            "X-Long: " + "x".repeat(500),
            "Trailer: X-Checksum",
            "Connection: close, X-Hop",
            "Proxy-Authenticate: Basic",
            "Date: Mon, 05 Jan 2026 10:00:09 GMT");

    /** When the server begins its response. */
    enum Start {
        AFTER_REQUEST,
        AFTER_HEAD,
        /** After the head, and it reads no further until the call has ended. */
        STALLED,
        BEFORE_REQUEST
    }

    final Start start;
    private final Call call;
    private final byte[] script;
    private final List<byte[]> parts;

    public Http1Exchange(Choices choices) {
        super(choices, choices.oneIn(2));
        String method = choices.of("GET", "POST", "HEAD", "PUT");
        byte[] body = method.equals("POST") || method.equals("PUT")
                ? requestBody(choices.of(5, 0, 5, 2_000, 5, 400_000))
                : null;
        call = new Call(method, PATH, body);
        start = choices.of(
                Start.AFTER_REQUEST,
                Start.AFTER_REQUEST,
                Start.AFTER_REQUEST,
                Start.AFTER_REQUEST,
                Start.AFTER_HEAD,
                Start.AFTER_HEAD,
                Start.STALLED,
                Start.BEFORE_REQUEST);
        byte[] valid = Bytes.join(mutate(response(choices, method), choices));
        script = Bytes.mutate(valid, choices, FRAGMENTS);
        parts = Bytes.split(script, choices);
    }

    private static List<byte[]> response(Choices choices, String method) {
        List<byte[]> pieces = new ArrayList<>();
        for (int left = choices.of(0, 0, 0, 0, 1, 2, 0, 17); left > 0; left--) {
            pieces.add(Bytes.of("HTTP/1.1 " + choices.of(100, 103, 102, 199) + " Wait\r\n"));
            pieces.add(Bytes.of("\r\n"));
        }
        int status = choices.of(200, 200, 201, 204, 206, 304, 400, 401, 404, 407, 408, 205, 302, 500, 503, 299);
        pieces.add(Bytes.of(
                "HTTP/1." + choices.of(1, 1, 1, 0) + " " + status + choices.of(" OK", "", " ", " a\tb") + "\r\n"));
        for (int left = choices.below(4); left > 0; left--) {
            pieces.add(Bytes.of(choices.of(HEADERS) + "\r\n"));
        }
        byte[] body = body(choices.of(5, 0, 300, 5, 70_000, 3_000));
        String coding = choices.of("", "", "", "gzip", "deflate", "br");
        if (!coding.isEmpty()) {
            pieces.add(Bytes.of("Content-Encoding: " + coding + "\r\n"));
        }
        byte[] encoded = coding.isEmpty() || coding.equals("br") ? body : Bytes.encode(coding, body);
        boolean bodiless = (method.equals("HEAD") || status == 204 || status == 304) && !choices.oneIn(8);
        addBody(pieces, choices, bodiless && status != 200 ? null : encoded, bodiless);
        return pieces;
    }

    /** Adds the framing of a body and the body itself, except if the response has none although it describes one. */
    private static void addBody(List<byte[]> pieces, Choices choices, byte[] body, boolean omitted) {
        if (body == null) {
            pieces.add(Bytes.of("\r\n"));
            return;
        }
        switch (choices.below(3)) {
            case 0 -> {
                pieces.add(Bytes.of("Content-Length: " + body.length + "\r\n"));
                pieces.add(Bytes.of("\r\n"));
                if (!omitted) {
                    pieces.add(body);
                }
            }
            case 1 -> {
                pieces.add(Bytes.of("Transfer-Encoding: chunked\r\n"));
                pieces.add(Bytes.of("\r\n"));
                if (!omitted) {
                    addChunks(pieces, choices, body);
                }
            }
            default -> {
                pieces.add(Bytes.of("\r\n"));
                if (!omitted) {
                    pieces.add(body);
                }
            }
        }
    }

    private static void addChunks(List<byte[]> pieces, Choices choices, byte[] body) {
        int start = 0;
        for (int left = choices.below(4); left >= 0 && start < body.length; left--) {
            int until = left == 0 ? body.length : start + 1 + choices.below(body.length - start);
            String size = Integer.toHexString(until - start) + choices.of("", "", ";a", ";a=\"b\"");
            pieces.add(Bytes.of(size + "\r\n"));
            pieces.add(Arrays.copyOfRange(body, start, until));
            pieces.add(Bytes.of("\r\n"));
            start = until;
        }
        pieces.add(Bytes.of("0\r\n"));
        for (int left = choices.of(0, 0, 0, 1, 2); left > 0; left--) {
            pieces.add(Bytes.of("X-Checksum: 1\r\n"));
        }
        pieces.add(Bytes.of("\r\n"));
    }

    private static byte[] body(int length) {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) ("answer\n".charAt(i % 7) + i / 70_000);
        }
        return body;
    }

    /** Removes, repeats, moves and inserts whole lines and parts of the body. */
    private static List<byte[]> mutate(List<byte[]> valid, Choices choices) {
        List<byte[]> pieces = new ArrayList<>(valid);
        for (int left = choices.mutations(); left > 0; left--) {
            int at = choices.below(pieces.size());
            switch (choices.below(5)) {
                case 0 -> {
                    if (pieces.size() > 1) {
                        pieces.remove(at);
                    }
                }
                case 1 -> pieces.add(at, pieces.get(at));
                case 2 -> pieces.add(choices.below(pieces.size()), pieces.remove(at));
                case 3 -> pieces.add(at, choices.of(FRAGMENTS));
                default -> pieces.add(choices.of(FRAGMENTS));
            }
        }
        return pieces;
    }

    List<byte[]> parts() {
        return parts;
    }

    @Override
    public List<Call> calls() {
        return List.of(call);
    }

    @Override
    public Verdict verdict(int index) {
        boolean closedCleanly = end == End.CLOSE || (end == End.CUT && !tls) || isClosedLater();
        Verdict verdict = new Http1Reference(script, call.method(), closedCleanly).verdict();
        return verdict.unclearIf(end == End.RESET || hangs() || start == Start.BEFORE_REQUEST);
    }

    @Override
    public boolean hasReceived(FuzzServer server, Call asked) {
        return server.receivedBytes() > 0;
    }

    /** A client of HTTP/1.1 has to know itself which connection it can use again. */
    @Override
    boolean isReusable() {
        return true;
    }

    @Override
    ServerConnection newConnection(FuzzServer server) {
        return new Http1Connection(server, this);
    }

    @Override
    public String toString() {
        String text = new String(script, StandardCharsets.ISO_8859_1).replaceAll("(answer\n){3,}", "answer\n…");
        return (tls ? "TLS " : "") + (warmUp ? "pooled " : "") + call.method() + " with "
                + (call.body() == null ? 0 : call.body().length) + " bytes, " + start + ", " + parts.size()
                + " parts, then " + end + (nextIsPost ? ", next POST" : ", next GET") + ":\n"
                + (text.length() > 2_000 ? text.substring(0, 2_000) + "… " + text.length() : text);
    }
}
