package io.iocluster.door.access;

/**
 * What a request says about its caller. Any text is unverified.
 *
 * @param token the token; null for none
 * @param certificateName the common name of the verified client certificate, empty if it has none; null without a certificate
 * @param appHeader the value of the header that names the app; null for none
 * @param host the host and port that the caller asked for; null for none
 * @param origin the value of {@code Origin}, which browsers send; null for none
 * @param fetchSite the value of {@code Sec-Fetch-Site}, which browsers send; null for none
 */
public record Caller(
        String token, String certificateName, String appHeader, String host, String origin, String fetchSite) {

    /** Returns whether a browser sent the request for a page of this door. */
    boolean isFromSameOrigin() {
        return origin == null && "same-origin".equals(fetchSite);
    }

    /** Returns a copy that no browser sent. */
    Caller withoutFetchSite() {
        return new Caller(token, certificateName, appHeader, host, origin, null);
    }
}
