package io.iocluster.credential;

/**
 * Result of a token request.
 *
 * @param value null if there is no token
 * @param lifetimeNanos from the end of the token request
 * @param problem why there is no token; human-readable, without secrets; null if there is one
 */
record TokenResult(String value, long lifetimeNanos, String problem) {

    static TokenResult success(String value, long lifetimeNanos) {
        return new TokenResult(value, lifetimeNanos, null);
    }

    static TokenResult failure(String problem) {
        return new TokenResult(null, 0, problem);
    }

    boolean isPresent() {
        return value != null;
    }

    /** Omits the token. */
    @Override
    public String toString() {
        return isPresent() ? "Token" : "no token: " + problem;
    }
}
