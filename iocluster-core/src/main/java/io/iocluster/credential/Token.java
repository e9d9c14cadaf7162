package io.iocluster.credential;

/**
 * What a fetch of a token came to.
 *
 * @param value null if there is no token
 * @param lifeNanos from the fetch's end on
 * @param problem why there is none, for people; shows no secret
 */
record Token(String value, long lifeNanos, String problem) {

    static Token of(String value, long lifeNanos) {
        return new Token(value, lifeNanos, null);
    }

    static Token none(String problem) {
        return new Token(null, 0, problem);
    }

    boolean isThere() {
        return value != null;
    }

    /** Everything but the token. */
    @Override
    public String toString() {
        return isThere() ? "Token" : "no token: " + problem;
    }
}
