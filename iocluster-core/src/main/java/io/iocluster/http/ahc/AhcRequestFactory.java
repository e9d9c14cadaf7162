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

/** Puts calls into the client's words without having it parse anything again. */
final class AhcRequestFactory {

    /** Names and values are checked already, and once more when the client copies them. */
    private static final HttpHeadersFactory HEADERS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private AhcRequestFactory() {}

    static Request create(HttpRequest request, TargetRoute place) {
        TargetUrl url = request.url();
        // The whole of path and query as the path, so that nothing is cut apart and put together again for each call.
        Uri uri = new Uri(url.scheme(), null, place.host(), url.port(), url.pathAndQuery(), null, null);
        return new DefaultRequest(
                request.method(),
                uri,
                null,
                null,
                headers(place, request.headers()),
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
                place.partitioning(),
                null);
    }

    private static HttpHeaders headers(TargetRoute place, List<Header> added) {
        HttpHeaders headers = HEADERS.newHeaders();
        headers.add(HttpHeaderNames.HOST, place.authority());
        for (int i = 0; i < added.size(); i++) {
            Header header = added.get(i);
            headers.add(header.name(), header.value());
        }
        String encoding = place.client().acceptEncoding();
        if (encoding != null && !headers.contains(HttpHeaderNames.ACCEPT_ENCODING)) {
            headers.add(HttpHeaderNames.ACCEPT_ENCODING, encoding);
        }
        return headers;
    }
}
