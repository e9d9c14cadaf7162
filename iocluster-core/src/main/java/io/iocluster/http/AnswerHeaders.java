package io.iocluster.http;

import io.iocluster.message.Header;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.util.AsciiString;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Turns an answer's headers into ours: names in lower case, hop-by-hop headers dropped (RFC 9110, section 7.6.1). Remembers
 * the names it has seen, for targets repeat themselves. Confined to one event loop.
 */
final class AnswerHeaders {

    private static final int MOST_NAMES = 512;

    private static final Set<String> HOP_BY_HOP =
            Set.of("connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade");

    private final Map<AsciiString, String> names = new HashMap<>();

    List<Header> from(HttpHeaders headers) {
        List<Header> kept = new ArrayList<>(headers.size());
        Iterator<Map.Entry<CharSequence, CharSequence>> lines = headers.iteratorCharSequence();
        while (lines.hasNext()) {
            Map.Entry<CharSequence, CharSequence> line = lines.next();
            String name = lowerCase(line.getKey());
            if (!name.isEmpty()) {
                kept.add(new Header(name, line.getValue().toString()));
            }
        }
        String connection = headers.get(HttpHeaderNames.CONNECTION);
        if (connection != null) {
            dropNamed(connection, kept);
        }
        return kept;
    }

    /** The name to answer with, empty for one that is dropped. */
    private String lowerCase(CharSequence name) {
        // The decoders make names of this kind, so nothing is copied here.
        AsciiString key = AsciiString.of(name);
        String known = names.get(key);
        if (known != null) {
            return known;
        }
        String lower = name.toString().toLowerCase(Locale.ROOT);
        String answered = HOP_BY_HOP.contains(lower) ? "" : lower;
        if (names.size() >= MOST_NAMES) {
            names.clear();
        }
        // A copy, for the name may be part of a larger array.
        names.put(new AsciiString(key.toByteArray()), answered);
        return answered;
    }

    /** Whom the Connection header names belongs to this connection only. */
    private static void dropNamed(String connection, List<Header> kept) {
        for (String token : connection.split(",", -1)) {
            String name = token.strip().toLowerCase(Locale.ROOT);
            if (!name.equals("close") && !name.equals("keep-alive")) {
                kept.removeIf(header -> header.name().equals(name));
            }
        }
    }
}
