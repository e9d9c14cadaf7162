package io.iocluster.http.client;

import io.iocluster.http.connection.HeaderValues;
import io.iocluster.message.Header;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Converts response headers: names in lower case, without hop-by-hop headers (RFC 9110, section 7.6.1). Caches names,
 * because targets repeat them. Takes linear time for any names. Confined to one event loop.
 */
final class ResponseHeaderReader {

    /** A power of two. Each name has exactly one slot, so names chosen to collide cost no more than others. */
    private static final int CACHE_SIZE = 512;

    /** Longer names are not cached, because a target could otherwise fill the memory of a worker with them. */
    private static final int MAX_CACHED_NAME = 64;

    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

    private final AsciiString[] names = new AsciiString[CACHE_SIZE];
    private final String[] lowerCase = new String[CACHE_SIZE];

    List<Header> read(HttpHeaders headers) {
        List<Header> kept = new ArrayList<>(headers.size());
        Iterator<Map.Entry<CharSequence, CharSequence>> lines = headers.iteratorCharSequence();
        while (lines.hasNext()) {
            Map.Entry<CharSequence, CharSequence> line = lines.next();
            String name = lowerCase(line.getKey());
            if (!name.isEmpty()) {
                kept.add(new Header(
                        name, HeaderValues.withoutOuterBlanks(line.getValue().toString())));
            }
        }
        dropNamed(headers, kept);
        return kept;
    }

    /** Returns the name in lower case, or an empty text for a header that is dropped. */
    private String lowerCase(CharSequence name) {
        // The decoders create AsciiString names, so nothing is copied here.
        AsciiString key = AsciiString.of(name);
        int hash = key.hashCode();
        int slot = (hash ^ (hash >>> 16)) & (CACHE_SIZE - 1);
        if (key.equals(names[slot])) {
            return lowerCase[slot];
        }
        String lower = name.toString().toLowerCase(Locale.ROOT);
        String result = HOP_BY_HOP.contains(lower) ? "" : lower;
        if (key.length() <= MAX_CACHED_NAME) {
            // A copy, because the name may be a slice of a larger array.
            names[slot] = new AsciiString(key.toByteArray());
            lowerCase[slot] = result;
        }
        return result;
    }

    /** Drops the headers that the Connection header names, because they belong to this connection only. */
    private static void dropNamed(HttpHeaders headers, List<Header> kept) {
        Set<String> named = null;
        Iterator<String> lines = headers.valueStringIterator(HttpHeaderNames.CONNECTION);
        while (lines.hasNext()) {
            for (String token : lines.next().split(",", -1)) {
                String name = token.strip().toLowerCase(Locale.ROOT);
                if (!name.equals("close") && !name.equals("keep-alive")) {
                    named = named == null ? new HashSet<>() : named;
                    named.add(name);
                }
            }
        }
        if (named != null) {
            Set<String> dropped = named;
            kept.removeIf(header -> dropped.contains(header.name()));
        }
    }
}
