package io.iocluster.http.client;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.ProxySettings;
import io.iocluster.http.client.RouteTable.TargetRoute;
import io.iocluster.http.connection.WireRequest;
import io.iocluster.message.Header;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** Creates wire requests and adds the headers that the node sets. Does not check names and values, because the validation has. */
final class WireRequests {

    private static final AsciiString USER_AGENT = AsciiString.cached("IOCluster");
    private static final AsciiString ANY_TYPE = AsciiString.cached("*/*");
    private static final AsciiString ENCODINGS = AsciiString.cached("gzip, deflate");
    private static final AsciiString ZERO = AsciiString.cached("0");

    /** Maximum headers that the node adds: Host, Connection, Accept-Encoding, User-Agent, Accept, Content-Length and Proxy-Authorization. */
    private static final int MAX_OWN_HEADERS = 7;

    private WireRequests() {}

    /** @param keepAlive whether an HTTP/1.1 connection may be used again */
    static WireRequest create(HttpRequest request, TargetRoute route, boolean keepAlive) {
        TargetUrl url = request.url();
        ProxySettings proxy = route.target().profile().settings().proxy();
        boolean sentToProxy = route.target().sendsRequestsToProxy();
        String path = url.pathAndQuery();
        return new WireRequest(
                HttpMethod.valueOf(request.method()),
                url.scheme(),
                route.authority(),
                sentToProxy ? route.absoluteUrl() + path : path,
                path,
                lines(request, route, keepAlive, sentToProxy ? proxy : null),
                request.body());
    }

    private static CharSequence[] lines(
            HttpRequest request, TargetRoute route, boolean keepAlive, ProxySettings httpProxy) {
        List<Header> headers = request.headers();
        Lines lines = new Lines(headers.size() + MAX_OWN_HEADERS);
        lines.add(HttpHeaderNames.HOST, route.authority());
        // Apache sends Keep-Alive: timeout only if the request has Connection: keep-alive.
        lines.add(HttpHeaderNames.CONNECTION, keepAlive ? HttpHeaderValues.KEEP_ALIVE : HttpHeaderValues.CLOSE);
        boolean hasUserAgent = false;
        boolean hasAccept = false;
        boolean hasEncoding = false;
        for (int i = 0; i < headers.size(); i++) {
            Header header = headers.get(i);
            lines.add(header.name(), header.value());
            hasUserAgent |= HttpHeaderNames.USER_AGENT.contentEqualsIgnoreCase(header.name());
            hasAccept |= HttpHeaderNames.ACCEPT.contentEqualsIgnoreCase(header.name());
            hasEncoding |= HttpHeaderNames.ACCEPT_ENCODING.contentEqualsIgnoreCase(header.name());
        }
        if (!hasEncoding && route.target().profile().settings().compression()) {
            lines.add(HttpHeaderNames.ACCEPT_ENCODING, ENCODINGS);
        }
        if (!hasUserAgent) {
            lines.add(HttpHeaderNames.USER_AGENT, USER_AGENT);
        }
        if (!hasAccept) {
            lines.add(HttpHeaderNames.ACCEPT, ANY_TYPE);
        }
        if (request.body() != null) {
            lines.add(HttpHeaderNames.CONTENT_LENGTH, Integer.toString(request.bodyBytes()));
        } else if (hasBodyByDefinition(request.method())) {
            lines.add(HttpHeaderNames.CONTENT_LENGTH, ZERO);
        }
        if (httpProxy != null && !httpProxy.username().isEmpty()) {
            lines.add(HttpHeaderNames.PROXY_AUTHORIZATION, basic(httpProxy));
        }
        return lines.toArray();
    }

    /** Returns whether a request without a body needs {@code Content-Length: 0} (RFC 9110, section 8.6). */
    private static boolean hasBodyByDefinition(String method) {
        return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
    }

    private static String basic(ProxySettings proxy) {
        String login = proxy.username() + ":" + proxy.password();
        return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    private static final class Lines {

        private final CharSequence[] lines;
        private int length;

        private Lines(int maxHeaders) {
            lines = new CharSequence[2 * maxHeaders];
        }

        private void add(CharSequence name, CharSequence value) {
            lines[length++] = name;
            lines[length++] = value;
        }

        private CharSequence[] toArray() {
            return Arrays.copyOf(lines, length);
        }
    }
}
