package io.iocluster.credential.signature;

import io.iocluster.egress.Rejection;
import io.iocluster.http.HttpRequest;
import java.time.Instant;
import java.util.Optional;

/** Signs requests. Immutable; thread-safe; never blocks. */
public interface RequestSigner {

    /** Returns whether the signer sets a header of this name, in any case. */
    boolean setsHeader(String name);

    /** Returns why the request cannot be signed, or empty. */
    default Optional<Rejection> check(HttpRequest request) {
        return Optional.empty();
    }

    /**
     * Returns the request with its signature. The request is then sent without changes.
     *
     * @param request has a call id and none of the headers that the signer sets
     * @param now the time of the attempt
     */
    HttpRequest sign(HttpRequest request, Instant now);
}
