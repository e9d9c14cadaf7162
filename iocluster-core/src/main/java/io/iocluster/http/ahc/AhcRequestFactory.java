package io.iocluster.http.ahc;

import io.iocluster.egress.TargetUrl;
import io.iocluster.http.HttpRequest;
import io.iocluster.http.ahc.RouteTable.TargetRoute;
import io.iocluster.message.Header;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import java.util.List;
import org.asynchttpclient.DefaultRequest;
import org.asynchttpclient.Request;
import org.asynchttpclient.uri.Uri;

/** Converts requests to async-http-client's type so that the client does not parse anything again. */
final class AhcRequestFactory {

    /** Names and values were validated before, and the client validates them again when it copies them. */
    private static final HttpHeadersFactory HEADERS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private AhcRequestFactory() {}

    static Request create(HttpRequest request, TargetRoute route) {
        TargetUrl url = request.url();
        // Path and query together as the path, so that the client does not split and join them for each call.
        Uri uri = new Uri(url.scheme(), null, route.host(), url.port(), url.pathAndQuery(), null, null);
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
                null,
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

    private static HttpHeaders headers(TargetRoute route, List<Header> requestHeaders) {
        HttpHeaders headers = HEADERS.newHeaders();
        headers.add(HttpHeaderNames.HOST, route.authority());
        for (int i = 0; i < requestHeaders.size(); i++) {
            Header header = requestHeaders.get(i);
            headers.add(header.name(), header.value());
        }
        String encoding = route.client().acceptEncoding();
        if (encoding != null && !headers.contains(HttpHeaderNames.ACCEPT_ENCODING)) {
            headers.add(HttpHeaderNames.ACCEPT_ENCODING, encoding);
        }
        return headers;
    }
}
