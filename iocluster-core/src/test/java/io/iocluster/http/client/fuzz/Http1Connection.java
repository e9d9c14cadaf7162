package io.iocluster.http.client.fuzz;

import io.iocluster.http.client.fuzz.Http1Exchange.Start;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads requests strictly, because each byte between two requests is a fault of the client. */
final class Http1Connection extends ServerConnection {

    private static final Pattern HEAD = Pattern.compile(
            "(GET|HEAD|POST|PUT) (/scripted|/scripted-[0-9]|/warm-up|/next) HTTP/1\\.1\r\n(?:[A-Za-z-]+: [\\x20-\\x7e]*\r\n)+\r\n");
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: ([0-9]+)\r\n");

    private final Http1Exchange exchange;
    private String input = "";
    private Matcher head;
    private int bodyLength;
    private boolean broken;

    /** @param exchange null if all requests get their healthy answer */
    Http1Connection(FuzzServer server, Http1Exchange exchange) {
        super(server);
        this.exchange = exchange;
    }

    @Override
    void connected(boolean http2) {
        if (exchange.start == Start.BEFORE_REQUEST && !exchange.warmUp() && server.startScript(this)) {
            play();
        }
    }

    private void play() {
        server.play(this, exchange.parts(), () -> {});
    }

    @Override
    void received(byte[] bytes) {
        server.receivedBytes(bytes.length);
        input += new String(bytes, StandardCharsets.ISO_8859_1);
        while (!broken && (head != null || readHead())) {
            if (input.length() < bodyLength) {
                return;
            }
            String body = input.substring(0, bodyLength);
            input = input.substring(bodyLength);
            String path = head.group(2);
            String method = head.group(1);
            head = null;
            respond(method, path, body);
        }
    }

    private boolean readHead() {
        int end = input.indexOf("\r\n\r\n");
        if (end < 0) {
            return false;
        }
        String text = input.substring(0, end + 4);
        Matcher matcher = HEAD.matcher(text);
        if (!matcher.matches()) {
            broken = true;
            server.violation("not a request: " + text);
            return false;
        }
        head = matcher;
        Matcher length = LENGTH.matcher(text);
        bodyLength = length.find() ? Integer.parseInt(length.group(1)) : 0;
        input = input.substring(end + 4);
        server.request(head.group(2));
        boolean early =
                isScripted(head.group(2)) && (exchange.start == Start.AFTER_HEAD || exchange.start == Start.STALLED);
        if (early && server.startScript(this)) {
            if (exchange.start == Start.STALLED) {
                setReading(false);
            }
            play();
        }
        return true;
    }

    private boolean isScripted(String path) {
        return exchange != null && path.equals("/scripted");
    }

    private void respond(String method, String path, String body) {
        if (isScripted(path)) {
            if (server.startScript(this)) {
                play();
                return;
            }
            if (server.isScripted(this)) {
                return;
            }
        }
        server.answeredWell(path);
        String answer = method + " " + path + " " + body;
        String start = "HTTP/1.1 200 OK\r\nContent-Length: " + answer.length() + "\r\n\r\n";
        send(Bytes.of(method.equals("HEAD") ? start : start + answer));
    }
}
