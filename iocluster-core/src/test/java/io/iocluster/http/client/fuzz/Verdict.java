package io.iocluster.http.client.fuzz;

/**
 * What the bytes that a server sent mean for one call, by strict rules.
 *
 * @param status of the response; 0 if it is not known
 * @param body decoded; null if it is not known
 * @param mayBeUnprocessed whether the server said that it did not process the request
 */
public record Verdict(Kind kind, int status, byte[] body, boolean mayBeUnprocessed) {

    /** Whether a client must, may or must not take the bytes for a response. */
    public enum Kind {
        /** The bytes contain a whole response, without any doubt. */
        COMPLETE,
        /** Clients may differ. */
        UNCLEAR,
        /** The bytes contain no whole response. */
        INCOMPLETE
    }

    static Verdict complete(int status, byte[] body) {
        return new Verdict(Kind.COMPLETE, status, body, false);
    }

    static Verdict unclear() {
        return new Verdict(Kind.UNCLEAR, 0, null, false);
    }

    static Verdict incomplete() {
        return new Verdict(Kind.INCOMPLETE, 0, null, false);
    }

    Verdict unclearIf(boolean doubtful) {
        return doubtful && kind == Kind.COMPLETE ? new Verdict(Kind.UNCLEAR, 0, null, mayBeUnprocessed) : this;
    }

    Verdict withMayBeUnprocessed(boolean may) {
        return new Verdict(kind, status, body, may);
    }
}
