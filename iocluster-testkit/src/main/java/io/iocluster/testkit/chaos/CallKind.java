package io.iocluster.testkit.chaos;

/** The behaviour that a planned call requests from its target, or the defect of its envelope. */
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
    /** Two parallel calls; the first one with a 2xx status is the answer. */
    ANY(TargetRole.HEALTHY, "/ok?"),
    /** Two parallel calls with one answer. */
    ALL(TargetRole.HEALTHY, "/ok?"),
    /** An envelope that is rejected, because it has an unknown field. */
    UNKNOWN_FIELD(TargetRole.HEALTHY, "/ok?"),
    /** A message that is not JSON and becomes a dead letter. */
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

    /** Returns path and query of the call with this id. */
    public String path(String id) {
        return path + "id=" + id;
    }

    /** Returns the number of HTTP calls of one envelope. */
    public int branches() {
        return this == ANY || this == ALL ? 2 : 1;
    }
}
