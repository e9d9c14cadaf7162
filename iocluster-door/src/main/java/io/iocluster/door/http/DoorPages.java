package io.iocluster.door.http;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What the program that runs the door adds to its routes.
 *
 * @param metrics returns the text of all metrics, for the value of {@code Accept}, which may be null
 * @param console returns a file of the console by its name, and the page itself for an empty name; null if there is no such file
 */
public record DoorPages(Function<String, Page> metrics, Function<String, Page> console) {

    /**
     * A response with status 200.
     *
     * @param headers further headers
     */
    public record Page(String contentType, byte[] body, Map<String, String> headers) {

        public Page {
            headers = Map.copyOf(headers);
        }

        public Page(String contentType, byte[] body) {
            this(contentType, body, Map.of());
        }

        /** Returns a copy with another header. */
        public Page withHeader(String name, String value) {
            Map<String, String> all = new TreeMap<>(headers);
            all.put(name, value);
            return new Page(contentType, body, all);
        }

        /** Returns the response. */
        public HttpResponse response() {
            ResponseHeadersBuilder built = ResponseHeaders.builder(200).add(HttpHeaderNames.CONTENT_TYPE, contentType);
            headers.forEach(built::set);
            return HttpResponse.of(built.contentLength(body.length).build(), HttpData.wrap(body));
        }
    }
}
