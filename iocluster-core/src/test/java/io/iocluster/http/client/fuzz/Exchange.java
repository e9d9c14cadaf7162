package io.iocluster.http.client.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** One input of a fuzzer: the calls of a client, and what the server does when it sees them. Confined to the event loop. */
public abstract class Exchange {

    /** A call whose requests the server never mangles. */
    public static final String WARM_UP = "/warm-up";

    /** As {@link #WARM_UP}, after the scripted calls. */
    public static final String NEXT = "/next";

    /** One call of the client. */
    public record Call(String method, String path, byte[] body) {

        /** Returns what the server answers if it is well: all that it has received. */
        public byte[] healthyBody() {
            String start = method + " " + path + " ";
            byte[] head = start.getBytes(StandardCharsets.ISO_8859_1);
            if (method.equals("HEAD")) {
                return new byte[0];
            }
            return body == null ? head : Bytes.join(head, body);
        }
    }

    final boolean tls;
    final boolean warmUp;
    final boolean nextIsPost;
    final End end;

    private boolean closedLater;

    Exchange(Choices choices, boolean tls) {
        this.tls = tls;
        int flags = choices.below(4);
        this.warmUp = (flags & 1) != 0;
        this.nextIsPost = (flags & 2) != 0;
        this.end = choices.of(
                End.KEEP, End.KEEP, End.KEEP, End.KEEP, End.CLOSE, End.CLOSE, End.CUT, End.RESET, End.CLOSE, End.KEEP,
                End.CUT, End.RESET, End.KEEP, End.CLOSE, End.KEEP, End.HANG);
    }

    /** Returns the calls that the server answers by its script. */
    public abstract List<Call> calls();

    /** Returns what the script means for a call. Call it when the script has ended. */
    public abstract Verdict verdict(int call);

    /** Returns whether the server has certainly received a part of the call's request. */
    public abstract boolean hasReceived(FuzzServer server, Call call);

    /** Returns whether a client may use the connection of the script for another call. */
    abstract boolean isReusable();

    /** Returns the server's side of a connection. */
    abstract ServerConnection newConnection(FuzzServer server);

    public final boolean tls() {
        return tls;
    }

    /** Returns whether a healthy call comes first, so that the script is played on a connection from the pool. */
    public final boolean warmUp() {
        return warmUp;
    }

    /** Returns whether the healthy call after the script is a POST. */
    public final boolean nextIsPost() {
        return nextIsPost;
    }

    /** Returns whether the calls end only by their timeout. */
    public boolean hangs() {
        return end == End.HANG;
    }

    /** Called when the server closes the connection although it was to be kept. */
    final void closeLater() {
        closedLater = true;
    }

    final boolean isClosedLater() {
        return closedLater;
    }

    static byte[] requestBody(int length) {
        byte[] body = new byte[length];
        for (int i = 0; i < length; i++) {
            body[i] = (byte) ('a' + i % 26);
        }
        return body;
    }
}
