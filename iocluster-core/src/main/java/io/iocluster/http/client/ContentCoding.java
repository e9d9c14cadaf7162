package io.iocluster.http.client;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.Locale;

/** The content codings that a node decompresses (RFC 9110, section 8.4.1). */
enum ContentCoding {
    GZIP,
    /** The zlib format, or raw deflate data, which some servers send under this name. */
    DEFLATE;

    private static final int PARTIAL_CONTENT = 206;

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the coding of a response body. Returns null if the body is passed on unchanged: it is not compressed,
     * has another coding or several codings, or is a part of a compressed body.
     */
    static ContentCoding of(int status, HttpHeaders headers) {
        String first = headers.get(HttpHeaderNames.CONTENT_ENCODING);
        if (first == null || status == PARTIAL_CONTENT) {
            return null;
        }
        List<String> all = headers.getAll(HttpHeaderNames.CONTENT_ENCODING);
        return single(all.size() == 1 ? first : String.join(",", all));
    }

    private static ContentCoding single(String codings) {
        String only = null;
        for (String each : codings.split(",", -1)) {
            String coding = each.strip();
            if (!coding.isEmpty() && !coding.equalsIgnoreCase("identity")) {
                if (only != null) {
                    return null;
                }
                only = coding;
            }
        }
        return only == null ? null : named(only.toLowerCase(Locale.ROOT));
    }

    private static ContentCoding named(String coding) {
        return switch (coding) {
            case "gzip", "x-gzip" -> GZIP;
            case "deflate" -> DEFLATE;
            default -> null;
        };
    }
}
