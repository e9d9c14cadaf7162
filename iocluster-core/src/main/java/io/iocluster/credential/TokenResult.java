package io.iocluster.credential;

/**
 * What a fetch of a token came to.
 *
 * @param value null if there is no token
 * @param lifeNanos from the fetch's end on
 * @param problem why there is none, for people; shows no secret
 */
record TokenResult(String value, long lifetimeNanos, String problem) {

    static TokenResult success(String value, long lifeNanos) {
        return new TokenResult(value, lifeNanos, null);
    }

    static TokenResult failure(String problem) {
        return new TokenResult(null, 0, problem);
    }

    boolean isPresent() {
        return value != null;
    }

    /** Everything but the token. */
    @Override
    public String toString() {
        return isPresent() ? "Token" : "no token: " + problem;
    }
}
