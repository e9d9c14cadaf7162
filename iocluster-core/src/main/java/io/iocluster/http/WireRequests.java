package io.iocluster.http;

import io.iocluster.egress.Origin;
import io.iocluster.egress.TargetUrl;
import io.iocluster.message.Header;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.asynchttpclient.DefaultRequest;
import org.asynchttpclient.Request;
import org.asynchttpclient.channel.ChannelPoolPartitioning;
import org.asynchttpclient.uri.Uri;

/**
 * Puts calls into the client's words without having it parse anything again. Remembers what is the same for all calls to one
 * place. Confined to one event loop.
 */
final class WireRequests {

    private static final int MOST_PLACES = 1_024;

    /** Names and values are checked already, and once more when the client copies them. */
    private static final HttpHeadersFactory HEADERS =
            DefaultHttpHeadersFactory.headersFactory().withValidation(false);

    private final Map<Origin, Place> places = new HashMap<>();

    /** What is the same for all calls to one origin; its connections are pooled under the origin itself. */
    private record Place(String host, String authority, ChannelPoolPartitioning pool) {}

    Request from(HttpRequest request) {
        TargetUrl url = request.url();
        Origin origin = url.origin();
        Place place = place(origin);
        // The whole of path and query as the path, so that nothing is cut apart and put together again for each call.
        Uri uri = new Uri(origin.scheme(), null, place.host(), origin.port(), url.pathAndQuery(), null, null);
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
                place.pool(),
                null);
    }

    private static HttpHeaders headers(Place place, List<Header> added) {
        HttpHeaders headers = HEADERS.newHeaders();
        headers.add(HttpHeaderNames.HOST, place.authority());
        for (int i = 0; i < added.size(); i++) {
            Header header = added.get(i);
            headers.add(header.name(), header.value());
        }
        return headers;
    }

    private Place place(Origin origin) {
        Place known = places.get(origin);
        if (known != null) {
            return known;
        }
        if (places.size() >= MOST_PLACES) {
            places.clear();
        }
        Place place = new Place(origin.hostInUrl(), origin.authority(), (uri, virtualHost, proxy) -> origin);
        places.put(origin, place);
        return place;
    }
}
