package io.iocluster.node.egress;

import io.iocluster.message.Header;
import io.iocluster.message.ReplyMode;
import io.iocluster.message.RequestEnvelope;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Untrusted envelopes and responses of targets, and the expected result of each. */
final class EgressTable {

    /** Timeout of a call to a target that never answers. */
    private static final long NO_ANSWER_TIMEOUT = 2_500;

    private static final String ADDRESS = "rejected address-not-allowed";
    private static final String URL = "rejected invalid-url";
    private static final String SCHEME = "rejected scheme-not-allowed";
    private static final String HEADER = "rejected invalid-header";

    private final HostileTargets targets;
    /** The part of a URL after its host: the port of the trap. */
    private final String trap;

    private final List<EgressCase> rows = new ArrayList<>();

    private EgressTable(HostileTargets targets) {
        this.targets = targets;
        this.trap = ":" + targets.trap.port() + "/";
    }

    /** Returns the cases that can run at the same time. */
    static List<EgressCase> rows(HostileTargets targets) {
        EgressTable table = new EgressTable(targets);
        table.urls();
        table.ports();
        table.hosts();
        table.addresses();
        table.names();
        table.requests();
        table.envelopes();
        table.answers();
        table.certificates();
        return table.rows;
    }

    /**
     * Returns the cases that run last: calls that never end by themselves, and calls that must not be affected by
     * them.
     */
    static List<EgressCase> afterwards(HostileTargets targets) {
        return List.of(
                EgressCase.bounded(
                        "one byte each 200 ms", at(targets.target, "/drip"), NO_ANSWER_TIMEOUT, "failed timeout"),
                EgressCase.bounded("never answers", at(targets.target, "/never"), NO_ANSWER_TIMEOUT, "failed timeout"),
                EgressCase.bounded(
                        "SYN black hole", targets.blackHole.url("/"), NO_ANSWER_TIMEOUT, "failed connect-timeout"),
                EgressCase.bounded(
                        "DNS black hole",
                        "http://lost.example:" + targets.trap.port() + "/",
                        NO_ANSWER_TIMEOUT,
                        "failed connect-timeout"),
                EgressCase.url("a bystander", at(targets.target, "/bystander"), "answered 200 /bystander"),
                EgressCase.url("rebinding, later", "http://rebinding.example:" + targets.trap.port() + "/", ADDRESS),
                EgressCase.url("the call after a 103", at(targets.early, "/next"), "answered 200 /next"),
                EgressCase.url("stale keep-alive, GET", at(targets.stale, "/stale?2"), "answered 200 /stale?2"));
    }

    private static String at(RawTarget target, String path) {
        return "http://" + HostileTargets.ALLOWED + ":" + target.port() + path;
    }

    private void url(String url, String expected) {
        rows.add(EgressCase.url("url " + url, url, expected));
    }

    private void urls() {
        url("file:///etc/passwd", SCHEME);
        url("ftp://h", SCHEME);
        url("gopher://h", SCHEME);
        url("ws://h", SCHEME);
        url("ws://127.0.0.1" + trap, SCHEME);
        url("url:http://h/", SCHEME);
        url("url:http://127.0.0.1" + trap, SCHEME);
        url("//h/x", URL);
        url("//127.0.0.1" + trap, URL);
        url("http:///h", URL);
        url("http:///127.0.0.1" + trap, URL);
        url("http://evil.com\\@127.0.0.1" + trap, URL);
        url("http://a@b@127.0.0.1" + trap, URL);
        url("http://u:p@127.0.0.1" + trap, URL);
        rows.add(EgressCase.url("url of more than 8 KiB", "http://127.0.0.1" + trap + "x".repeat(8 * 1024), URL));
    }

    private void ports() {
        url("http://" + HostileTargets.ALLOWED + ":22/", "rejected port-not-allowed");
        for (String port : List.of("0", "99999", "+80", "-1", "80:90")) {
            url("http://" + HostileTargets.ALLOWED + ":" + port + "/", URL);
        }
    }

    private void hosts() {
        for (String character : List.of("\r", "\n", "\t", "\0", " ")) {
            url("http://127.0.0.1" + character + trap, URL);
            url("http://" + HostileTargets.ALLOWED + trap + "a" + character + "b", URL);
            url("http://" + HostileTargets.ALLOWED + trap + "?a" + character + "b", URL);
        }
        for (String host : List.of(
                "%31%32%37.0.0.1",
                "h%00.evil",
                "127．0．0．1",
                "127。0。0。1",
                "127｡0｡0｡1",
                "2130706433",
                "127.1",
                "0177.0.0.1",
                "0x7f.0.0.1",
                "0",
                "[fe80::1%25eth0]")) {
            url("http://" + host + trap, URL);
        }
    }

    private void addresses() {
        for (String host : List.of(
                "127.0.0.1",
                "10.0.0.1",
                "10.255.255.255",
                "169.254.169.254",
                "100.64.0.1",
                "100.100.100.200",
                "[::1]",
                "[::]",
                "[::ffff:127.0.0.1]",
                "[::127.0.0.1]",
                "[64:ff9b::7f00:1]",
                "[2002:7f00:1::]",
                "[fd00:ec2::254]",
                "localhost",
                "localhost.")) {
            url("http://" + host + trap, ADDRESS);
        }
    }

    private void names() {
        url("http://private.example" + trap, ADDRESS);
        url("http://both.example" + trap, ADDRESS);
        url("http://families.example" + trap, ADDRESS);
        rows.add(EgressCase.url("rebinding, first", "http://rebinding.example" + trap, "answered 200 trap"));
    }

    private void requests() {
        String url = "http://" + HostileTargets.ALLOWED + trap;
        for (String method : List.of("CONNECT", "TRACE", "get", "G T")) {
            rows.add(EgressCase.call("method " + method, method, url, List.of(), null, "rejected invalid-method"));
        }
        for (String value : List.of("a\rb", "a\nb", "a\r\nX: y", "a\0b")) {
            header(new Header("X-Tag", value), HEADER);
        }
        for (String name : List.of("Bad Name", "X:Y", "")) {
            header(new Header(name, "v"), HEADER);
        }
        for (String name : List.of(
                "Host",
                "Content-Length",
                "transfer-encoding",
                "TE",
                "Trailer",
                "Connection",
                "Keep-Alive",
                "Proxy-Authorization",
                "Upgrade",
                "Expect",
                "HTTP2-Settings")) {
            header(new Header(name, "5"), "rejected forbidden-header");
        }
        List<Header> many = IntStream.range(0, 10_000)
                .mapToObj(i -> new Header("X-" + i, "y"))
                .toList();
        rows.add(EgressCase.call("10,000 headers", "GET", url, many, null, "rejected too-many-headers"));
        rows.add(EgressCase.call(
                "a body over the limit", "POST", url, List.of(), new byte[1_025], "rejected request-too-large"));
        rows.add(EgressCase.json(
                "broken base64", "{ID, 'url': '" + url + "', 'bodyBase64': 'Y'}", "rejected invalid-body"));
    }

    private void header(Header header, String expected) {
        String url = "http://" + HostileTargets.ALLOWED + trap;
        rows.add(EgressCase.call(
                "header '" + header.name() + "' '" + header.value() + "'",
                "POST",
                url,
                List.of(header),
                new byte[10],
                expected));
    }

    private void envelopes() {
        String malformed = "dead letter malformed-envelope";
        String url = "http://" + HostileTargets.ALLOWED + trap;
        rows.add(EgressCase.json("invalid JSON", "{ID, 'url': '" + url + "',}", malformed));
        rows.add(EgressCase.raw("nothing", new byte[0], malformed));
        rows.add(EgressCase.raw("not UTF-8", new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}, malformed));
        rows.add(
                EgressCase.raw("UTF-16", ("{\"url\":\"" + url + "\"}").getBytes(StandardCharsets.UTF_16LE), malformed));
        rows.add(EgressCase.json(
                "10,000 levels deep",
                "{ID, 'url': '" + url + "', 'context': " + "[".repeat(10_000) + "]".repeat(10_000) + "}",
                malformed));
        rows.add(
                EgressCase.json("unknown field", "{ID, 'url': '" + url + "', 'headrs': {}}", "rejected unknown-field"));
        for (String timeout : List.of("0", "-1", "'1s'", "1.5")) {
            rows.add(EgressCase.json(
                    "timeout " + timeout.replace("'", ""),
                    "{ID, 'url': '" + url + "', 'timeoutMs': " + timeout + "}",
                    "rejected invalid-timeout"));
        }
        rows.add(EgressCase.json(
                        "deadline past", "{ID, 'url': '" + url + "', 'deadlineMs': 1000}", "expired deadline-exceeded")
                .withAge(60_000));
        rows.add(EgressCase.json(
                "unknown auth", "{ID, 'url': '" + url + "', 'auth': 'x'}", "rejected unknown-credential"));
        rows.add(EgressCase.json(
                "auth for another host",
                "{ID, 'url': '" + url + "', 'auth': 'elsewhere'}",
                "rejected unknown-credential"));
        rows.add(EgressCase.json(
                "the header of a credential",
                "{ID, 'url': '" + url + "', 'auth': 'here', 'headers': {'x-key': 'mine'}}",
                "rejected forbidden-header"));
        rows.add(EgressCase.json(
                "a reply queue that is not allowed",
                "{ID, 'url': '" + url + "', 'replyTo': 'secrets'}",
                "rejected reply-to-not-allowed"));
        rows.add(EgressCase.of(
                new RequestEnvelope(
                        "one that cannot be answered",
                        "GET",
                        url,
                        List.of(),
                        null,
                        0,
                        0,
                        0,
                        null,
                        null,
                        ReplyMode.NEVER,
                        "secrets",
                        null),
                "dead letter reply-to-not-allowed"));
    }

    private void answers() {
        target("302 to a metadata address", "/redirect", "answered 302");
        IntStream.range(0, 10).forEach(i -> target("gzip bomb " + i, "/bomb?" + i, "answered 200 truncated"));
        target("endless chunked body", "/endless-body", "answered 200 truncated");
        target("endless headers", "/endless-headers", "failed protocol-error");
        target("a flood of 102", "/flood", "failed protocol-error");
        target("CL+TE in the answer", "/two-lengths", "failed protocol-error");
        rows.add(EgressCase.url("103 then 200", at(targets.early, "/early"), "answered 200 /early"));
        rows.add(EgressCase.url("a connection to be kept", at(targets.stale, "/stale?1"), "answered 200 /stale?1"));
        rows.add(EgressCase.call(
                "closed amid the answer to a POST",
                "POST",
                at(targets.target, "/cut"),
                List.of(),
                new byte[] {'x'},
                "failed connection-closed"));
        retryAfter("9999999999", "answered 503");
        for (String ignored : Stream.of("-1", "Mon,%2005%20Jan%201970%2010:00:00%20GMT", "soon")
                .toList()) {
            retryAfter(ignored, "answered 200 /retry-after?value=" + ignored);
        }
    }

    private void target(String id, String path, String expected) {
        rows.add(EgressCase.once(id, at(targets.target, path), expected));
    }

    private void retryAfter(String value, String expected) {
        rows.add(EgressCase.url("Retry-After: " + value, at(targets.target, "/retry-after?value=" + value), expected));
    }

    private void certificates() {
        tls("a certificate that is trusted", targets.trusted, "answered 200 /tls");
        tls("an expired certificate", targets.expired, "failed tls");
        tls("another host's certificate", targets.ofAnotherHost, "failed tls");
        tls("a self-signed certificate", targets.selfSigned, "failed tls");
    }

    private void tls(String id, RawTarget target, String expected) {
        rows.add(EgressCase.once(id, "https://" + HostileTargets.ALLOWED + ":" + target.port() + "/tls", expected));
    }
}
