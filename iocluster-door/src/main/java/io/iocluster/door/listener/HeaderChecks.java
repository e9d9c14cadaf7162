package io.iocluster.door.listener;

import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.RequestHeaders;
import java.util.List;

/** Reads the headers that every server needs before it decides about access. Stateless. */
public final class HeaderChecks {

    private static final String SCHEME = "Bearer ";

    private HeaderChecks() {}

    /** Returns the token in a value of {@code Authorization}, which may be null; null if there is none. */
    public static String bearerToken(String authorization) {
        return authorization != null && authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
                ? authorization.substring(SCHEME.length()).strip()
                : null;
    }

    /** Returns whether two servers could choose different hosts for the request (RFC 9112, section 3.2). */
    public static boolean namesTwoHosts(RequestHeaders headers) {
        List<String> hosts = headers.getAll(HttpHeaderNames.HOST);
        String authority = headers.get(HttpHeaderNames.AUTHORITY);
        return hosts.size() > 1 || (authority != null && !hosts.isEmpty() && !hosts.contains(authority));
    }
}
