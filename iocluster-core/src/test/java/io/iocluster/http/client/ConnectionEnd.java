package io.iocluster.http.client;

import io.iocluster.http.Certainty;
import io.iocluster.http.client.server.ScriptedHttp2Connection.Stream;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * One way in which a connection or a stream ends: what the target does, when it does it, and what must be known about the call afterwards.
 * Built by {@link ConnectionEnds} and not changed later.
 */
final class ConnectionEnd {

    /** A protocol on the wire. */
    enum Protocol {
        HTTP1("HTTP/1.1"),
        TLS("HTTP/1.1 over TLS"),
        HTTP2("HTTP/2");

        final String text;

        Protocol(String text) {
            this.text = text;
        }
    }

    /** The call that sees the end. */
    enum Call {
        GET("GET", 0),
        POST("POST", 16),
        LARGE_POST("POST", 1_000_000);

        final String method;
        final int bodyBytes;

        Call(String method, int bodyBytes) {
            this.method = method;
            this.bodyBytes = bodyBytes;
        }

        @Override
        public String toString() {
            return bodyBytes > 1_000 ? method + " of 1 MB" : method;
        }
    }

    /** When the target acts. */
    enum Trigger {
        /** The connection is accepted. */
        ACCEPT,
        /** The head of the request has arrived, and nothing of its body was read. */
        HEAD,
        /** The head and a part of the body have arrived. */
        PART,
        /** The request has arrived completely. */
        COMPLETE,
        /** The connection is idle. The client's kernel knows what the target did before the client writes the call. */
        IDLE
    }

    /** What the caller does. */
    enum Caller {
        WAITS,
        /** Sets a timeout that expires after the target has acted. */
        TIMES_OUT,
        /** Cancels the call after the target has acted. */
        CANCELS
    }

    /** Whether the executor sends the request once more, on another connection or stream. */
    enum Repeat {
        NEVER("no"),
        IF_IDEMPOTENT("if idempotent, on a reused connection"),
        ALWAYS("yes");

        final String text;

        Repeat(String text) {
            this.text = text;
        }
    }

    /** Whether the next call uses the connection. */
    enum Reuse {
        YES("yes"),
        NO("no"),
        EITHER("–");

        final String text;

        Reuse(String text) {
            this.text = text;
        }
    }

    /** Where the call goes. */
    enum Origin {
        TARGET,
        UNKNOWN_NAME,
        CLOSED_PORT,
        SILENT_PORT,
        REFUSING_PROXY
    }

    /** What the target does on a connection. */
    @FunctionalInterface
    interface WireAction {
        void play(ScriptedConnection connection) throws IOException, InterruptedException;
    }

    /** What the target does on a stream. */
    @FunctionalInterface
    interface StreamAction {
        void play(Stream stream) throws IOException, InterruptedException;
    }

    final Set<Protocol> protocols;
    final String event;
    Origin origin = Origin.TARGET;
    Trigger trigger = Trigger.COMPLETE;
    Caller caller = Caller.WAITS;
    Set<Call> calls = EnumSet.allOf(Call.class);
    List<String> alpn;
    Map<Integer, Integer> http2Settings = Map.of();
    int siblings = 1;
    WireAction wire = connection -> {};
    StreamAction stream;
    boolean stopsReading;
    boolean everyTime;
    /** Whether all calls of the connection end. */
    boolean endsConnection;

    /** The status of the answer; 0 if the call fails or is cancelled. */
    int status;

    /** Whether the call may also be answered on a new connection, because the client may see the end before it writes. */
    boolean mayBeAnswered;

    String body = "ok";
    Set<ErrorCode> codes = Set.of();
    Set<Certainty> certainties = Set.of();
    Repeat repeat = Repeat.NEVER;
    Reuse reuse = Reuse.NO;
    /** The client must send RST_STREAM with one of these codes; empty if the test does not check it. */
    Set<Http2Error> clientReset = Set.of();

    private ConnectionEnd(Set<Protocol> protocols, String event) {
        this.protocols = protocols;
        this.event = event;
    }

    static ConnectionEnd on(String event, Protocol... protocols) {
        return new ConnectionEnd(EnumSet.copyOf(List.of(protocols)), event);
    }

    ConnectionEnd at(Trigger when, Call... seenBy) {
        trigger = when;
        if (when == Trigger.HEAD || when == Trigger.PART) {
            calls = EnumSet.of(Call.LARGE_POST);
        }
        if (seenBy.length > 0) {
            calls = EnumSet.copyOf(List.of(seenBy));
        }
        return this;
    }

    ConnectionEnd to(Origin where) {
        origin = where;
        return this;
    }

    /** The target does this on the connection, whatever the protocol. */
    ConnectionEnd does(WireAction action) {
        wire = action;
        return this;
    }

    /** The target does this and ends the connection with it, whatever the protocol. */
    ConnectionEnd ends(WireAction action) {
        endsConnection = true;
        return does(action);
    }

    /** The target does this on the stream. */
    ConnectionEnd onStream(StreamAction action) {
        stream = action;
        return this;
    }

    ConnectionEnd endingTheConnection() {
        endsConnection = true;
        return this;
    }

    /** The target reads nothing more from the connection or, in HTTP/2, from the stream. */
    ConnectionEnd stopsReading() {
        stopsReading = true;
        return this;
    }

    /** The target does it for each request that it receives, not only for the first. */
    ConnectionEnd everyTime() {
        everyTime = true;
        return this;
    }

    ConnectionEnd withAlpn(String... offered) {
        alpn = List.of(offered);
        return this;
    }

    ConnectionEnd withHttp2Setting(int id, int value) {
        http2Settings = Map.of(id, value);
        return this;
    }

    ConnectionEnd withSiblings(int count) {
        siblings = count;
        return this;
    }

    ConnectionEnd whileTheCaller(Caller what) {
        caller = what;
        if (what == Caller.TIMES_OUT && trigger != Trigger.HEAD && trigger != Trigger.PART) {
            calls = EnumSet.of(Call.POST);
        }
        return this;
    }

    /** The answer has this status and the usual body. */
    ConnectionEnd answered(int expected) {
        status = expected;
        return this;
    }

    ConnectionEnd answered(int expected, String expectedBody) {
        body = expectedBody;
        return answered(expected);
    }

    /** Fails with one of the codes. There are several if the kernel may report the events in different orders. */
    ConnectionEnd fails(Certainty certainty, ErrorCode... expected) {
        return fails(EnumSet.of(certainty), expected);
    }

    ConnectionEnd fails(Set<Certainty> expectedCertainties, ErrorCode... expected) {
        certainties = expectedCertainties;
        codes = EnumSet.copyOf(List.of(expected));
        return this;
    }

    /** Or it is answered on a new connection, if the client sees the end before it writes the request. */
    ConnectionEnd orAnswered() {
        mayBeAnswered = true;
        return this;
    }

    ConnectionEnd repeated(Repeat when) {
        repeat = when;
        return this;
    }

    ConnectionEnd reused(Reuse whether) {
        reuse = whether;
        return this;
    }

    ConnectionEnd clientResets(Http2Error... expected) {
        clientReset = EnumSet.copyOf(List.of(expected));
        return this;
    }

    /** Returns whether the target does not process the request to which this happens. */
    boolean leavesUnprocessed() {
        return repeat == Repeat.ALWAYS || certainties.equals(Set.of(Certainty.NOT_PROCESSED));
    }

    boolean isRepeated(Call call, boolean reusedConnection) {
        return switch (repeat) {
            case NEVER -> false;
            case IF_IDEMPOTENT -> reusedConnection && call == Call.GET;
            case ALWAYS -> true;
        };
    }

    /** Returns the cells of the documentation's table after that of the event. */
    String resultCells() {
        String on = protocols.size() == Protocol.values().length
                ? "all"
                : protocols.stream().map(protocol -> protocol.text).collect(Collectors.joining(", "));
        return String.join(" | ", on, outcome(), known(), repeat.text, reuse.text);
    }

    private String known() {
        if (caller == Caller.CANCELS) {
            return "–";
        }
        return codes.isEmpty()
                ? inWords(Certainty.ANSWERED)
                : certainties.stream().map(ConnectionEnd::inWords).collect(Collectors.joining(" or "));
    }

    private static String inWords(Certainty certainty) {
        return certainty.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    private String outcome() {
        if (caller == Caller.CANCELS) {
            return "cancelled";
        }
        String orAnswered = mayBeAnswered ? "answered or " : "";
        return codes.isEmpty()
                ? "answered"
                : orAnswered
                        + Arrays.stream(ErrorCode.values())
                                .filter(codes::contains)
                                .map(code -> "`" + code.wireName() + "`")
                                .collect(Collectors.joining(" or "));
    }

    @Override
    public String toString() {
        return event;
    }
}
