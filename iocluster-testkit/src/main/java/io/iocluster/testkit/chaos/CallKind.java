package io.iocluster.testkit.chaos;

/** What a planned call asks of its target, or what is wrong with it. */
public enum CallKind {
    OK(TargetRole.HEALTHY, "/ok?"),
    COMPRESSED(TargetRole.HEALTHY, "/body?bytes=20000&gzip=true&"),
    SLOW(TargetRole.SLOW, "/delay?ms=400&"),
    DRIP(TargetRole.SLOW, "/drip?bytes=10&every=40&chunked=true&"),
    FLAKY(TargetRole.HOSTILE, "/flaky?failures=1&"),
    UNAVAILABLE(TargetRole.HOSTILE, "/status?code=503&"),
    NO_RESPONSE(TargetRole.HOSTILE, "/never?"),
    RESET(TargetRole.HOSTILE, "/reset?"),
    TRUNCATED(TargetRole.HOSTILE, "/reset?at=body&"),
    GARBAGE(TargetRole.HOSTILE, "/garbage?"),
    EARLY_HINTS(TargetRole.HOSTILE, "/early?"),
    CONNECTION_REFUSED(TargetRole.ABSENT, "/?"),
    /** Two calls, of which the first with a 2xx status is the answer. */
    ANY(TargetRole.HEALTHY, "/ok?"),
    /** Two calls, which are answered together. */
    ALL(TargetRole.HEALTHY, "/ok?"),
    /** Is rejected, because it has a field that does not exist. */
    UNKNOWN_FIELD(TargetRole.HEALTHY, "/ok?"),
    /** Is no JSON, and becomes a dead letter. */
    MALFORMED(TargetRole.HEALTHY, "/ok?");

    private final TargetRole role;
    private final String path;

    CallKind(TargetRole role, String path) {
        this.role = role;
        this.path = path;
    }

    public TargetRole role() {
        return role;
    }

    /** Returns the path and the query of the call with this id. */
    public String path(String id) {
        return path + "id=" + id;
    }

    /** Returns how many HTTP calls one envelope asks for. */
    public int branches() {
        return this == ANY || this == ALL ? 2 : 1;
    }
}
