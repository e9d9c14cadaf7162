package io.iocluster.http.client;

import static io.iocluster.http.Certainty.ANSWERED_IN_PART;
import static io.iocluster.http.Certainty.NOT_PROCESSED;
import static io.iocluster.http.Certainty.NOT_SENT;
import static io.iocluster.http.Certainty.UNKNOWN;
import static io.iocluster.http.client.ConnectionEnd.Call.LARGE_POST;
import static io.iocluster.http.client.ConnectionEnd.Call.POST;
import static io.iocluster.http.client.ConnectionEnd.Caller.CANCELS;
import static io.iocluster.http.client.ConnectionEnd.Caller.TIMES_OUT;
import static io.iocluster.http.client.ConnectionEnd.Protocol.HTTP1;
import static io.iocluster.http.client.ConnectionEnd.Protocol.HTTP2;
import static io.iocluster.http.client.ConnectionEnd.Protocol.TLS;
import static io.iocluster.http.client.ConnectionEnd.Repeat.ALWAYS;
import static io.iocluster.http.client.ConnectionEnd.Repeat.IF_IDEMPOTENT;
import static io.iocluster.http.client.ConnectionEnd.Reuse.EITHER;
import static io.iocluster.http.client.ConnectionEnd.Reuse.YES;
import static io.iocluster.http.client.ConnectionEnd.Trigger.ACCEPT;
import static io.iocluster.http.client.ConnectionEnd.Trigger.HEAD;
import static io.iocluster.http.client.ConnectionEnd.Trigger.IDLE;
import static io.iocluster.http.client.ConnectionEnd.Trigger.PART;
import static io.iocluster.http.client.ConnectionEnd.on;
import static io.iocluster.http.client.server.ScriptedHttp2Connection.ANY_STREAM;
import static io.iocluster.http.client.server.ScriptedHttp2Connection.INITIAL_WINDOW_SIZE;
import static io.iocluster.http.client.server.ScriptedHttp2Connection.MAX_CONCURRENT_STREAMS;
import static io.iocluster.message.ErrorCode.CONNECTION_CLOSED;
import static io.iocluster.message.ErrorCode.CONNECT_FAILED;
import static io.iocluster.message.ErrorCode.CONNECT_REFUSED;
import static io.iocluster.message.ErrorCode.CONNECT_TIMEOUT;
import static io.iocluster.message.ErrorCode.DNS_FAILED;
import static io.iocluster.message.ErrorCode.PROTOCOL_ERROR;
import static io.iocluster.message.ErrorCode.PROXY_FAILED;
import static io.iocluster.message.ErrorCode.TIMEOUT;

import io.iocluster.http.Certainty;
import io.iocluster.http.client.ConnectionEnd.Origin;
import io.iocluster.http.client.ConnectionEnd.StreamAction;
import io.iocluster.http.client.ConnectionEnd.WireAction;
import io.iocluster.http.client.server.ScriptedHttp2Connection.Stream;
import io.iocluster.message.ErrorCode;
import io.iocluster.testkit.target.ScriptedServer.ScriptedConnection;
import io.netty.handler.codec.http2.Http2Error;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table of every way in which a connection or a stream can end. {@code docs/egress.md} has the same events, and {@link
 * ConnectionEndTest} plays each.
 */
final class ConnectionEnds {

    /** The head of the documentation's tables. */
    static final String MARKDOWN_HEADER = "| event | protocol | outcome | known | sent again | connection used again |";

    private static final Set<Certainty> NOT_SENT_OR_UNKNOWN = EnumSet.of(NOT_SENT, UNKNOWN);
    private static final Set<Certainty> UNKNOWN_OR_IN_PART = EnumSet.of(UNKNOWN, ANSWERED_IN_PART);

    private static final String OK = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok";
    private static final String HALF = "HTTP/1.1 200 OK\nContent-Length: 10\n\nhalf";
    private static final String HALF_CHUNKED = "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n4\nhalf\n";
    private static final String UNTIL_CLOSE = "HTTP/1.1 200 OK\nConnection: close\n\nok";

    /** FIN; over TLS without close_notify. */
    private static final WireAction FIN = connection -> {
        connection.finish();
        connection.dropUntilClosed();
    };

    private static final WireAction CLOSE_NOTIFY = connection -> {
        connection.closeNotify();
        FIN.play(connection);
    };

    private static final WireAction RST = ScriptedConnection::reset;

    private ConnectionEnds() {}

    /** Returns the rows by phase, in the order of the documentation. */
    static Map<String, List<ConnectionEnd>> byPhase() {
        Map<String, List<ConnectionEnd>> phases = new LinkedHashMap<>();
        phases.put("Before the connection is open", beforeTheConnection());
        phases.put("While the connection is idle", whileIdle());
        phases.put("While the request is sent", duringTheRequest());
        phases.put("Before the response", beforeTheResponse());
        phases.put("During the response", duringTheResponse());
        phases.put("When the caller stops waiting", whenTheCallerStops());
        return phases;
    }

    /** Returns the rows of the documentation's table for a phase. Events with the same result share a row. */
    static List<String> toMarkdown(List<ConnectionEnd> phase) {
        Map<String, List<String>> eventsByResult = new LinkedHashMap<>();
        phase.forEach(end -> eventsByResult
                .computeIfAbsent(end.resultCells(), cells -> new ArrayList<>())
                .add(end.event));
        return eventsByResult.entrySet().stream()
                .map(row -> "| " + String.join("<br>", row.getValue()) + " | " + row.getKey() + " |")
                .toList();
    }

    private static List<ConnectionEnd> beforeTheConnection() {
        return List.of(
                on("the name has no address", HTTP1, TLS, HTTP2)
                        .to(Origin.UNKNOWN_NAME)
                        .fails(NOT_SENT, DNS_FAILED)
                        .reused(EITHER),
                on("the port is closed", HTTP1, TLS, HTTP2)
                        .to(Origin.CLOSED_PORT)
                        .fails(NOT_SENT, CONNECT_REFUSED)
                        .reused(EITHER),
                on("nothing answers the SYN until the connect timeout", HTTP1, TLS, HTTP2)
                        .to(Origin.SILENT_PORT)
                        .fails(NOT_SENT, CONNECT_TIMEOUT)
                        .reused(EITHER),
                on("the proxy refuses the tunnel", TLS, HTTP2)
                        .to(Origin.REFUSING_PROXY)
                        .fails(NOT_SENT, PROXY_FAILED)
                        .reused(EITHER),
                on("RST after the SYN", HTTP1)
                        .at(ACCEPT)
                        .ends(RST)
                        .fails(NOT_SENT_OR_UNKNOWN, CONNECT_FAILED, CONNECTION_CLOSED)
                        .orAnswered(),
                on("FIN after the SYN", HTTP1)
                        .at(ACCEPT)
                        .ends(FIN)
                        .fails(NOT_SENT_OR_UNKNOWN, CONNECTION_CLOSED)
                        .orAnswered(),
                on("RST before the TLS handshake", TLS, HTTP2)
                        .at(ACCEPT)
                        .ends(RST)
                        .fails(NOT_SENT, CONNECT_FAILED, ErrorCode.TLS),
                on("FIN before the TLS handshake", TLS, HTTP2)
                        .at(ACCEPT)
                        .ends(FIN)
                        .fails(NOT_SENT, ErrorCode.TLS),
                on("the target offers only other protocols by ALPN", TLS, HTTP2)
                        .withAlpn("other")
                        .everyTime()
                        .at(ACCEPT)
                        .ends(ScriptedConnection::protocol)
                        .fails(NOT_SENT, ErrorCode.TLS),
                on("the target selects no protocol by ALPN", TLS)
                        .withAlpn()
                        .answered(200)
                        .does(ConnectionEnds::answer)
                        .reused(YES),
                on("the target selects HTTP/2 and sends HTTP/1.1", HTTP2)
                        .at(ACCEPT)
                        .ends(connection -> {
                            connection.protocol();
                            connection.send("HTTP/1.1 400 Bad Request\nContent-Length: 0\n\n");
                            connection.dropUntilClosed();
                        })
                        .fails(NOT_SENT_OR_UNKNOWN, PROTOCOL_ERROR),
                on("silence after the SYN until the timeout", HTTP1)
                        .at(ACCEPT)
                        .ends(ScriptedConnection::dropUntilClosed)
                        .whileTheCaller(TIMES_OUT)
                        .fails(UNKNOWN, TIMEOUT),
                on("silence in place of the TLS handshake until the timeout", TLS, HTTP2)
                        .at(ACCEPT)
                        .ends(ScriptedConnection::dropUntilClosed)
                        .whileTheCaller(TIMES_OUT)
                        .fails(NOT_SENT, TIMEOUT),
                on("silence after the TLS handshake until the timeout", HTTP2)
                        .at(ACCEPT)
                        .ends(connection -> {
                            connection.protocol();
                            connection.dropUntilClosed();
                        })
                        .whileTheCaller(TIMES_OUT)
                        .fails(NOT_SENT_OR_UNKNOWN, TIMEOUT));
    }

    /** The request is never written on the connection that has ended, so each call is answered on a new one. */
    private static List<ConnectionEnd> whileIdle() {
        return List.of(
                on("FIN, over TLS without close_notify", HTTP1, TLS, HTTP2)
                        .at(IDLE)
                        .ends(ScriptedConnection::finish)
                        .answered(200),
                on("close_notify", TLS, HTTP2)
                        .at(IDLE)
                        .ends(ScriptedConnection::closeNotify)
                        .answered(200),
                on("close_notify, then FIN", TLS, HTTP2)
                        .at(IDLE)
                        .ends(connection -> {
                            connection.closeNotify();
                            connection.finish();
                        })
                        .answered(200),
                on("RST", HTTP1, TLS, HTTP2).at(IDLE).ends(RST).answered(200),
                on("408, then FIN", HTTP1, TLS)
                        .at(IDLE)
                        .ends(connection -> {
                            connection.send("HTTP/1.1 408 Request Timeout\nContent-Length: 0\nConnection: close\n\n");
                            connection.finish();
                        })
                        .answered(200),
                on("bytes of a response to no request", HTTP1, TLS)
                        .at(IDLE)
                        .ends(connection -> connection.send("HTTP/1.1 200 OK\nContent-Length: 100\n\nstolen"))
                        .answered(200),
                on("GOAWAY", HTTP2)
                        .at(IDLE)
                        .onStream(last -> last.connection().goAway(last.id(), Http2Error.NO_ERROR))
                        .answered(200),
                on("GOAWAY, then FIN", HTTP2)
                        .at(IDLE)
                        .onStream(last -> {
                            last.connection().goAway(last.id(), Http2Error.NO_ERROR);
                            wire(last).finish();
                        })
                        .endingTheConnection()
                        .answered(200));
    }

    private static List<ConnectionEnd> duringTheRequest() {
        return List.of(
                on("FIN after the head", HTTP1, TLS, HTTP2).at(HEAD).ends(FIN).fails(UNKNOWN, CONNECTION_CLOSED),
                on("FIN after a part of the body", HTTP1, TLS, HTTP2)
                        .at(PART)
                        .ends(FIN)
                        .fails(UNKNOWN, CONNECTION_CLOSED),
                on("close_notify and FIN after the head", TLS, HTTP2)
                        .at(HEAD)
                        .ends(CLOSE_NOTIFY)
                        .fails(UNKNOWN, CONNECTION_CLOSED),
                on("close_notify and FIN after a part of the body", TLS, HTTP2)
                        .at(PART)
                        .ends(CLOSE_NOTIFY)
                        .fails(UNKNOWN, CONNECTION_CLOSED),
                on("RST after the head", HTTP1, TLS, HTTP2).at(HEAD).ends(RST).fails(UNKNOWN, CONNECTION_CLOSED),
                on("RST after a part of the body", HTTP1, TLS, HTTP2)
                        .at(PART)
                        .ends(RST)
                        .fails(UNKNOWN, CONNECTION_CLOSED),
                on("the target stops reading until the timeout", HTTP1, TLS)
                        .at(PART)
                        .stopsReading()
                        .whileTheCaller(TIMES_OUT)
                        .fails(UNKNOWN, TIMEOUT),
                on("the target gives no window for the rest of the body until the timeout", HTTP2)
                        .at(PART)
                        .stopsReading()
                        .whileTheCaller(TIMES_OUT)
                        .fails(UNKNOWN, TIMEOUT)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("the target gives no window for the body until the timeout", HTTP2)
                        .withHttp2Setting(INITIAL_WINDOW_SIZE, 0)
                        .at(HEAD, POST, LARGE_POST)
                        .stopsReading()
                        .whileTheCaller(TIMES_OUT)
                        .fails(UNKNOWN, TIMEOUT)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("an answer after the head; the target reads nothing more", HTTP1, TLS)
                        .at(HEAD)
                        .does(connection -> connection.send("HTTP/1.1 401 Unauthorized\nContent-Length: 2\n\nok"))
                        .stopsReading()
                        .answered(401),
                on("an answer after a part of the body; the target reads nothing more", HTTP1, TLS)
                        .at(PART)
                        .does(connection -> connection.send("HTTP/1.1 413 Too Large\nContent-Length: 2\n\nok"))
                        .stopsReading()
                        .answered(413),
                on("an answer with `Connection: close` after the head, then FIN", HTTP1, TLS)
                        .at(HEAD)
                        .ends(connection -> {
                            earlyAnswerAndClose(connection);
                            connection.finish();
                        })
                        .stopsReading()
                        .answered(413),
                on("an answer with `Connection: close` after the head, then RST", HTTP1, TLS)
                        .at(HEAD)
                        .ends(connection -> {
                            earlyAnswerAndClose(connection);
                            connection.reset();
                        })
                        .answered(413),
                on("an answer after the head; the target gives no window for the body", HTTP2)
                        .at(HEAD)
                        .onStream(stream -> earlyAnswer(stream, "401"))
                        .stopsReading()
                        .answered(401)
                        .clientResets(Http2Error.NO_ERROR, Http2Error.CANCEL)
                        .reused(YES),
                on("an answer after the head, then RST_STREAM NO_ERROR", HTTP2)
                        .at(HEAD)
                        .onStream(stream -> {
                            earlyAnswer(stream, "413");
                            stream.reset(Http2Error.NO_ERROR);
                        })
                        .stopsReading()
                        .answered(413)
                        .reused(YES),
                on("an answer after a part of the body, then RST_STREAM NO_ERROR", HTTP2)
                        .at(PART)
                        .onStream(stream -> {
                            earlyAnswer(stream, "413");
                            stream.reset(Http2Error.NO_ERROR);
                        })
                        .stopsReading()
                        .answered(413)
                        .reused(YES),
                on("RST_STREAM NO_ERROR without an answer after a part of the body", HTTP2)
                        .at(PART)
                        .onStream(stream -> stream.reset(Http2Error.NO_ERROR))
                        .stopsReading()
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .reused(YES),
                on("RST_STREAM REFUSED_STREAM after a part of the body", HTTP2)
                        .at(PART)
                        .onStream(stream -> stream.reset(Http2Error.REFUSED_STREAM))
                        .stopsReading()
                        .answered(200)
                        .repeated(ALWAYS)
                        .reused(YES),
                on("GOAWAY below the stream after a part of the body", HTTP2)
                        .at(PART)
                        .onStream(stream -> goAwayBelow(stream, Http2Error.NO_ERROR))
                        .stopsReading()
                        .answered(200)
                        .repeated(ALWAYS));
    }

    private static List<ConnectionEnd> beforeTheResponse() {
        return List.of(
                on("FIN, over TLS without close_notify", HTTP1, TLS, HTTP2)
                        .ends(FIN)
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .repeated(IF_IDEMPOTENT),
                on("close_notify, then FIN", TLS, HTTP2)
                        .ends(CLOSE_NOTIFY)
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .repeated(IF_IDEMPOTENT),
                on("close_notify", TLS, HTTP2)
                        .ends(connection -> {
                            connection.closeNotify();
                            connection.dropUntilClosed();
                        })
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .repeated(IF_IDEMPOTENT),
                on("RST", HTTP1, TLS, HTTP2)
                        .ends(RST)
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .repeated(IF_IDEMPOTENT),
                on("an interim response (103), then FIN", HTTP1, TLS)
                        .ends(connection -> {
                            connection.send("HTTP/1.1 103 Early Hints\nLink: x\n\n");
                            FIN.play(connection);
                        })
                        .fails(UNKNOWN, CONNECTION_CLOSED),
                on("an interim response (103), then RST_STREAM INTERNAL_ERROR", HTTP2)
                        .onStream(stream -> {
                            stream.headers(false, ":status", "103", "link", "x");
                            stream.reset(Http2Error.INTERNAL_ERROR);
                        })
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .reused(YES),
                on("an interim response (103) that ends the stream", HTTP2)
                        .onStream(stream -> stream.headers(true, ":status", "103"))
                        .fails(UNKNOWN, PROTOCOL_ERROR)
                        .reused(YES),
                on("GOAWAY NO_ERROR below the stream", HTTP2)
                        .onStream(stream -> goAwayBelow(stream, Http2Error.NO_ERROR))
                        .answered(200)
                        .repeated(ALWAYS),
                on("GOAWAY INTERNAL_ERROR below the stream", HTTP2)
                        .onStream(stream -> goAwayBelow(stream, Http2Error.INTERNAL_ERROR))
                        .answered(200)
                        .repeated(ALWAYS),
                on("GOAWAY ENHANCE_YOUR_CALM below the stream", HTTP2)
                        .onStream(stream -> goAwayBelow(stream, Http2Error.ENHANCE_YOUR_CALM))
                        .answered(200)
                        .repeated(ALWAYS),
                on("GOAWAY below the stream, then FIN", HTTP2)
                        .onStream(stream -> {
                            goAwayBelow(stream, Http2Error.NO_ERROR);
                            wire(stream).finish();
                        })
                        .endingTheConnection()
                        .answered(200)
                        .repeated(ALWAYS),
                on("GOAWAY with the highest stream number, then GOAWAY below the stream", HTTP2)
                        .onStream(stream -> {
                            stream.connection().goAway(ANY_STREAM, Http2Error.NO_ERROR);
                            goAwayBelow(stream, Http2Error.NO_ERROR);
                        })
                        .answered(200)
                        .repeated(ALWAYS),
                on("GOAWAY at the stream, then the answer", HTTP2)
                        .onStream(stream -> {
                            stream.connection().goAway(stream.id(), Http2Error.NO_ERROR);
                            answer(stream);
                        })
                        .answered(200),
                on("GOAWAY above the stream, then the answer", HTTP2)
                        .onStream(stream -> {
                            stream.connection().goAway(stream.id() + 2, Http2Error.ENHANCE_YOUR_CALM);
                            answer(stream);
                        })
                        .answered(200),
                on("GOAWAY with the highest stream number, then the answer", HTTP2)
                        .onStream(stream -> {
                            stream.connection().goAway(ANY_STREAM, Http2Error.NO_ERROR);
                            answer(stream);
                        })
                        .answered(200),
                on("GOAWAY at the stream, then FIN", HTTP2)
                        .onStream(stream -> {
                            stream.connection().goAway(stream.id(), Http2Error.NO_ERROR);
                            FIN.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .repeated(IF_IDEMPOTENT),
                on("GOAWAY above the stream, then RST", HTTP2)
                        .onStream(stream -> {
                            stream.connection().goAway(ANY_STREAM, Http2Error.INTERNAL_ERROR);
                            RST.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(UNKNOWN, CONNECTION_CLOSED)
                        .repeated(IF_IDEMPOTENT),
                on("RST_STREAM REFUSED_STREAM", HTTP2)
                        .onStream(stream -> stream.reset(Http2Error.REFUSED_STREAM))
                        .answered(200)
                        .repeated(ALWAYS)
                        .reused(YES),
                on("RST_STREAM REFUSED_STREAM each time", HTTP2)
                        .onStream(stream -> stream.reset(Http2Error.REFUSED_STREAM))
                        .everyTime()
                        .fails(NOT_PROCESSED, CONNECTION_CLOSED)
                        .repeated(ALWAYS)
                        .reused(YES),
                on("RST_STREAM HTTP_1_1_REQUIRED", HTTP2)
                        .withAlpn("h2", "http/1.1")
                        .onStream(stream -> stream.reset(Http2Error.HTTP_1_1_REQUIRED))
                        .answered(200)
                        .repeated(ALWAYS)
                        .reused(EITHER),
                unprocessedOrNot(Http2Error.NO_ERROR),
                unprocessedOrNot(Http2Error.CANCEL),
                unprocessedOrNot(Http2Error.INTERNAL_ERROR),
                unprocessedOrNot(Http2Error.ENHANCE_YOUR_CALM),
                unprocessedOrNot(Http2Error.PROTOCOL_ERROR));
    }

    private static ConnectionEnd unprocessedOrNot(Http2Error code) {
        return on("RST_STREAM " + code, HTTP2)
                .onStream(stream -> stream.reset(code))
                .fails(UNKNOWN, CONNECTION_CLOSED)
                .reused(YES);
    }

    private static List<ConnectionEnd> duringTheResponse() {
        return List.of(
                cut("the status line", "HTTP/1.1 20", FIN, "FIN").fails(UNKNOWN, CONNECTION_CLOSED),
                cut("the headers", "HTTP/1.1 200 OK\nContent-Le", FIN, "FIN")
                        .fails(UNKNOWN_OR_IN_PART, CONNECTION_CLOSED),
                cut("the headers", "HTTP/1.1 200 OK\nContent-Le", RST, "RST")
                        .fails(UNKNOWN_OR_IN_PART, CONNECTION_CLOSED),
                cut("a body with `Content-Length`", HALF, FIN, "FIN").fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                cut("a body with `Content-Length`", HALF, RST, "RST").fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                cut("a chunked body", HALF_CHUNKED, FIN, "FIN").fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                cut("a chunked body", HALF_CHUNKED, RST, "RST").fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                cut("the trailers", HALF_CHUNKED + "0\nx-check", FIN, "FIN").fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("FIN after a body without length", HTTP1)
                        .ends(connection -> {
                            connection.send(UNTIL_CLOSE);
                            FIN.play(connection);
                        })
                        .answered(200),
                on("close_notify after a body without length", TLS)
                        .ends(connection -> {
                            connection.send(UNTIL_CLOSE);
                            CLOSE_NOTIFY.play(connection);
                        })
                        .answered(200),
                on("FIN without close_notify after a body without length", TLS)
                        .ends(connection -> {
                            connection.send(UNTIL_CLOSE);
                            FIN.play(connection);
                        })
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("RST after a body without length", HTTP1, TLS)
                        .ends(connection -> {
                            connection.send(UNTIL_CLOSE);
                            RST.play(connection);
                        })
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("RST after the whole response", HTTP1, TLS)
                        .ends(connection -> {
                            connection.send(OK);
                            RST.play(connection);
                        })
                        .answered(200),
                on("FIN after the whole response", HTTP1, TLS)
                        .ends(connection -> {
                            connection.send(OK);
                            FIN.play(connection);
                        })
                        .answered(200),
                on("more bytes after the whole response", HTTP1, TLS)
                        .ends(connection -> {
                            connection.send(OK + OK);
                            connection.dropUntilClosed();
                        })
                        .answered(200),
                on("FIN after the head", HTTP2)
                        .onStream(stream -> {
                            stream.headers(false, ":status", "200");
                            FIN.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("FIN after half of the body", HTTP2)
                        .onStream(stream -> {
                            half(stream);
                            FIN.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("close_notify after half of the body", HTTP2)
                        .onStream(stream -> {
                            half(stream);
                            CLOSE_NOTIFY.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("RST after half of the body", HTTP2)
                        .onStream(stream -> {
                            half(stream);
                            RST.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("GOAWAY and FIN after half of the body", HTTP2)
                        .onStream(stream -> {
                            half(stream);
                            stream.connection().goAway(stream.id(), Http2Error.NO_ERROR);
                            FIN.play(wire(stream));
                        })
                        .endingTheConnection()
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                on("GOAWAY below the stream after half of the body", HTTP2)
                        .onStream(stream -> {
                            half(stream);
                            goAwayBelow(stream, Http2Error.NO_ERROR);
                        })
                        .fails(ANSWERED_IN_PART, CONNECTION_CLOSED),
                resetAfterHalf(Http2Error.NO_ERROR),
                resetAfterHalf(Http2Error.INTERNAL_ERROR),
                resetAfterHalf(Http2Error.CANCEL),
                resetAfterHalf(Http2Error.REFUSED_STREAM),
                onStream("RST_STREAM NO_ERROR after the whole response", stream -> {
                            answer(stream);
                            stream.reset(Http2Error.NO_ERROR);
                        })
                        .answered(200),
                onStream("trailers after the body", stream -> {
                            stream.headers(false, ":status", "200", "trailer", "x-check");
                            stream.data(false, "ok");
                            stream.headers(true, "x-check", "1");
                        })
                        .answered(200),
                onStream("no trailers, although they were announced", stream -> {
                            stream.headers(false, ":status", "200", "trailer", "x-check");
                            stream.data(true, "ok");
                        })
                        .answered(200),
                onStream("a body that is shorter than its `content-length`", stream -> {
                            stream.headers(false, ":status", "200", "content-length", "10");
                            stream.data(true, "half");
                        })
                        .fails(ANSWERED_IN_PART, PROTOCOL_ERROR),
                onStream("a body that is longer than its `content-length`", stream -> {
                            stream.headers(false, ":status", "200", "content-length", "2");
                            stream.data(true, "okok");
                        })
                        .fails(ANSWERED_IN_PART, PROTOCOL_ERROR),
                onStream("no body in place of its `content-length`", stream -> {
                            stream.headers(true, ":status", "200", "content-length", "10");
                        })
                        .fails(UNKNOWN_OR_IN_PART, PROTOCOL_ERROR));
    }

    /** A response of HTTP/1.1 that ends with FIN or RST before it is complete. */
    private static ConnectionEnd cut(String where, String part, WireAction end, String name) {
        return on(name + " in " + where, HTTP1, TLS).ends(connection -> {
            connection.send(part);
            end.play(connection);
        });
    }

    private static ConnectionEnd resetAfterHalf(Http2Error code) {
        return onStream("RST_STREAM " + code + " after half of the body", stream -> {
                    half(stream);
                    stream.reset(code);
                })
                .fails(ANSWERED_IN_PART, CONNECTION_CLOSED);
    }

    private static ConnectionEnd onStream(String event, StreamAction action) {
        return on(event, HTTP2).onStream(action).reused(YES);
    }

    private static List<ConnectionEnd> whenTheCallerStops() {
        return List.of(
                on("timeout before the response", HTTP1, TLS)
                        .whileTheCaller(TIMES_OUT)
                        .fails(UNKNOWN, TIMEOUT),
                on("timeout before the response", HTTP2)
                        .whileTheCaller(TIMES_OUT)
                        .fails(UNKNOWN, TIMEOUT)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("timeout during the body of the response", HTTP1, TLS)
                        .does(connection -> connection.send(HALF))
                        .whileTheCaller(TIMES_OUT)
                        .fails(ANSWERED_IN_PART, TIMEOUT),
                on("timeout during the body of the response", HTTP2)
                        .onStream(ConnectionEnds::half)
                        .whileTheCaller(TIMES_OUT)
                        .fails(ANSWERED_IN_PART, TIMEOUT)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("timeout while the call waits for a stream", HTTP2)
                        .withHttp2Setting(MAX_CONCURRENT_STREAMS, 2)
                        .withSiblings(2)
                        .whileTheCaller(TIMES_OUT)
                        .fails(NOT_SENT, TIMEOUT)
                        .reused(YES),
                on("cancel in the TLS handshake", TLS, HTTP2)
                        .at(ACCEPT)
                        .ends(ScriptedConnection::dropUntilClosed)
                        .whileTheCaller(CANCELS),
                on("cancel while the request is sent", HTTP1, TLS)
                        .at(PART)
                        .stopsReading()
                        .whileTheCaller(CANCELS),
                on("cancel while the request is sent", HTTP2)
                        .at(PART)
                        .stopsReading()
                        .whileTheCaller(CANCELS)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("cancel before the response", HTTP1, TLS).whileTheCaller(CANCELS),
                on("cancel before the response", HTTP2)
                        .whileTheCaller(CANCELS)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("cancel during the body of the response", HTTP1, TLS)
                        .does(connection -> connection.send(HALF))
                        .whileTheCaller(CANCELS),
                on("cancel during the body of the response", HTTP2)
                        .onStream(ConnectionEnds::half)
                        .whileTheCaller(CANCELS)
                        .clientResets(Http2Error.CANCEL)
                        .reused(YES),
                on("cancel while the call waits for a stream", HTTP2)
                        .withHttp2Setting(MAX_CONCURRENT_STREAMS, 2)
                        .withSiblings(2)
                        .whileTheCaller(CANCELS)
                        .reused(YES));
    }

    private static ScriptedConnection wire(Stream stream) {
        return stream.connection().connection();
    }

    private static void answer(ScriptedConnection connection) throws IOException {
        connection.send(OK);
    }

    private static void answer(Stream stream) throws IOException {
        stream.headers(false, ":status", "200");
        stream.data(true, "ok");
    }

    private static void half(Stream stream) throws IOException {
        stream.headers(false, ":status", "200", "content-length", "10");
        stream.data(false, "half");
    }

    private static void earlyAnswer(Stream stream, String status) throws IOException {
        stream.headers(false, ":status", status);
        stream.data(true, "ok");
    }

    private static void earlyAnswerAndClose(ScriptedConnection connection) throws IOException {
        connection.send("HTTP/1.1 413 Content Too Large\nContent-Length: 2\nConnection: close\n\nok");
    }

    private static void goAwayBelow(Stream stream, Http2Error code) throws IOException {
        stream.connection().goAway(Math.max(0, stream.id() - 2), code);
    }
}
