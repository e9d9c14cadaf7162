package io.iocluster.egress;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.record.RecordCopy;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fuzzes URLs. Each one is either rejected with a documented code, or all parsers find the same host in it: this one
 * and both of the JDK's. If the host is an IP address, in any notation, the policy allows that
 * address.
 */
class UrlParserFuzz {

    private static final Set<ErrorCode> REJECTION_CODES =
            EnumSet.of(ErrorCode.INVALID_URL, ErrorCode.SCHEME_NOT_ALLOWED, ErrorCode.ADDRESS_NOT_ALLOWED);

    private final EgressPolicy policy = new EgressPolicy(settings());

    static Stream<byte[]> seeds() {
        return Stream.of(
                        "http://h.example",
                        "HTTPS://H.Example.:8443/a/../b;c=d?e=f&g[h]=%20%0a#i/j?k",
                        "http://1.1.1.1./x:y@z",
                        "http://[2606:4700:4700:0::1111]:443/~a'(b)*!$&+,;=",
                        "http://[::ffff:1.1.1.1]?a",
                        "http://bücher.example/",
                        "http://xn--bcher-kva.example/",
                        "http://a.b-c.h2.example/%7B%20%7D?%41",
                        "http://evil.com\\@127.0.0.1/",
                        "http://a@b@127.0.0.1/",
                        "http://2130706433/",
                        "http://127.1/",
                        "http://0177.0.0.1/",
                        "http://0x7f.0.0.1/",
                        "http://%31%32%37.0.0.1/",
                        "http://127。0。0。1/",
                        "http://１２７.0.0.1/",
                        "http://[::127.0.0.1]/",
                        "http://[64:ff9b::7f00:1]/",
                        "http://[fe80::1%25eth0]/",
                        "http://h:80:90/",
                        "url:http://h/",
                        "http:///h")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
    }

    @MethodSource("seeds")
    @DictionaryEntries({
        "http://",
        "https://",
        "127.0.0.1",
        "[::1]",
        "[::ffff:",
        "64:ff9b::",
        "0x7f",
        "xn--",
        "%2e",
        "%25",
        "@",
        "\\",
        "。",
        "．",
        ":80",
        ":443",
        "#",
        "?",
        "//",
        "..",
        "1.1.1.1",
        "2606:4700::"
    })
    @FuzzTest(maxDuration = "2s")
    void rejectsOrParsesAUrlLikeEveryOtherParser(byte[] bytes) {
        String url = new String(bytes, StandardCharsets.UTF_8);
        UrlCheckResult result = policy.checkUrl(url);
        if (result instanceof Rejection rejection) {
            check(REJECTION_CODES.contains(rejection.code()), url, rejection);
        } else if (result instanceof TargetUrl target) {
            checkCanonicalForm(url, target);
            checkOtherParsers(url, target);
            checkAddress(url, target);
        }
    }

    private void checkCanonicalForm(String url, TargetUrl target) {
        String canonical = target.scheme() + "://" + target.destination() + target.pathAndQuery();
        check(target.equals(policy.checkUrl(canonical)), url, canonical);
        URI uri = jdk(canonical);
        check(uri != null && target.origin().hostInUrl().equals(uri.getHost()), url, uri);
        check(target.port() == uri.getPort() && uri.getUserInfo() == null, url, uri);
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        check(target.pathAndQuery().equals(uri.getRawPath() + query), url, uri);
    }

    private static void checkOtherParsers(String url, TargetUrl target) {
        URI uri = jdk(url);
        if (uri != null && uri.getHost() != null) {
            checkSameHost(url, target, uri.getHost(), uri.getPort() < 0 ? defaultPort(target) : uri.getPort());
        }
        try {
            URL jdkUrl = new URL(url);
            checkSameHost(
                    url, target, jdkUrl.getHost(), jdkUrl.getPort() < 0 ? jdkUrl.getDefaultPort() : jdkUrl.getPort());
        } catch (MalformedURLException rejected) {
            // A parser that rejects the URL finds no other host in it.
        }
    }

    private static void checkSameHost(String url, TargetUrl target, String host, int port) {
        boolean bracketed = host.startsWith("[");
        String canonical = bracketed
                ? HostName.canonicalizeIpv6(host.substring(1, host.length() - 1))
                : HostName.canonicalize(host);
        check(Objects.equals(canonical, target.host()) && port == target.port(), url, host + " " + port);
    }

    private void checkAddress(String url, TargetUrl target) {
        InetAddress literal = NetUtil.createInetAddressFromIpAddressString(target.host());
        check(
                literal == null || policy.allows(target.host(), List.of(new InetSocketAddress(literal, 1))),
                url,
                literal);
        check(literal != null || !looksLikeAnAddress(target.host()), url, target.host());
    }

    /** Matches what C's inet_aton accepts: up to four numbers, each decimal, octal or hexadecimal. */
    private static boolean looksLikeAnAddress(String host) {
        return host.matches("(?i)(0x[0-9a-f]*|\\d+)(\\.(0x[0-9a-f]*|\\d+)){0,3}\\.?");
    }

    private static int defaultPort(TargetUrl target) {
        return target.origin().isSecure() ? 443 : 80;
    }

    private static URI jdk(String url) {
        try {
            return new URI(url);
        } catch (URISyntaxException rejected) {
            return null;
        }
    }

    private static EgressSettings settings() {
        return RecordCopy.with(
                EgressSettings.DEFAULTS,
                "ports",
                List.of(),
                "allowNetworks",
                List.of(),
                "denyNetworks",
                List.of(),
                "denyHosts",
                List.of(),
                "allowHosts",
                List.of());
    }

    private static void check(boolean holds, String url, Object parsed) {
        if (!holds) {
            throw new AssertionError("'" + url + "' was parsed as " + parsed);
        }
    }
}
