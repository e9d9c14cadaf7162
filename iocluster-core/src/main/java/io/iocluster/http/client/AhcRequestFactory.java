package io.iocluster.http.client;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.client.RouteTable.TargetRoute;
import io.iocluster.message.Header;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.ReadOnlyHttpHeaders;
import java.util.List;
import org.asynchttpclient.DefaultRequest;
import org.asynchttpclient.Request;
import org.asynchttpclient.uri.Uri;

/** Converts requests to async-http-client's type so that the client does not parse anything again. */
final class AhcRequestFactory {

    private AhcRequestFactory() {}

    static Request create(HttpRequest request, TargetRoute route) {
        TargetUrl url = request.url();
        // Path and query together as the path, so that the client does not split and join them for each call.
        Uri uri = new Uri(url.scheme(), null, route.host(), route.port(), url.pathAndQuery(), null, null);
        return new DefaultRequest(
                request.method(),
                uri,
                null,
                null,
                headers(route, request.headers()),
                List.of(),
                request.body(),
                null,
                null,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(),
                route.tlsName(),
                null,
                null,
                null,
                false,
                null,
                null,
                0,
                null,
                route.partitioning(),
                null);
    }

    /**
     * Returns the headers as a list that the client copies into the headers that it sends. Not validated, because names and values were
     * validated before, and the client validates them again.
     */
    private static HttpHeaders headers(TargetRoute route, List<Header> requestHeaders) {
        String encoding = route.client().acceptEncoding();
        boolean addsEncoding = encoding != null && !hasAcceptEncoding(requestHeaders);
        CharSequence[] lines = new CharSequence[2 * (requestHeaders.size() + (addsEncoding ? 2 : 1))];
        lines[0] = HttpHeaderNames.HOST;
        lines[1] = route.authority();
        int length = 2;
        for (int i = 0; i < requestHeaders.size(); i++) {
            Header header = requestHeaders.get(i);
            lines[length++] = header.name();
            lines[length++] = header.value();
        }
        if (addsEncoding) {
            lines[length++] = HttpHeaderNames.ACCEPT_ENCODING;
            lines[length] = encoding;
        }
        return new ReadOnlyHttpHeaders(false, lines);
    }

    private static boolean hasAcceptEncoding(List<Header> headers) {
        for (int i = 0; i < headers.size(); i++) {
            if (HttpHeaderNames.ACCEPT_ENCODING.contentEqualsIgnoreCase(
                    headers.get(i).name())) {
                return true;
            }
        }
        return false;
    }
}
