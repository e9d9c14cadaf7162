package io.iocluster.http.client;

import static io.iocluster.http.client.ResponseAcceptanceTest.Others.CURL;
import static io.iocluster.http.client.ResponseAcceptanceTest.Others.CURL_AND_GO;
import static io.iocluster.http.client.ResponseAcceptanceTest.Others.DIFFERENTLY;
import static io.iocluster.http.client.ResponseAcceptanceTest.Others.GO;
import static io.iocluster.http.client.ResponseAcceptanceTest.Others.NONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.Failure;
import io.iocluster.http.HttpResult.Response;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.iocluster.testkit.target.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests which HTTP/1.1 responses are accepted. Each row says what curl 7.88 and the net/http of Go 1.26 did with the same bytes. A response that
 * both accept is accepted, except if it is a way to hide one response in another, and then the message says so.
 */
@Timeout(60)
class ResponseAcceptanceTest extends ExecutorFixture {

    private static final String OK_BODY = "Content-Length: 2\n\nok";
    private static final String OK_CHUNKS = "2\nok\n0\n\n";

    /** Which other clients accept a response. */
    enum Others {
        CURL_AND_GO,
        CURL,
        GO,
        /** curl and Go accept it but read different bodies. */
        DIFFERENTLY,
        NONE
    }

    /**
     * A response and what the call ends with.
     *
     * @param closes whether the target closes the connection after the response
     * @param status 0 if the response is refused
     * @param header the value of the header X-A, or null if the row does not check it
     * @param message a part of the failure's message
     */
    private record Row(
            Others others,
            String name,
            String method,
            byte[] bytes,
            boolean closes,
            int status,
            String body,
            String header,
            ErrorCode code,
            String message) {

        Row closing() {
            return new Row(others, name, method, bytes, true, status, body, header, code, message);
        }

        Row to(String newMethod) {
            return new Row(others, name, newMethod, bytes, closes, status, body, header, code, message);
        }

        Row withHeader(String value) {
            return new Row(others, name, method, bytes, closes, status, body, value, code, message);
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Row> statusLines() {
        return Stream.of(
                accepted(CURL_AND_GO, "empty reason", "HTTP/1.1 200 \n" + OK_BODY)
                        .closing(),
                accepted(CURL_AND_GO, "no reason no space", "HTTP/1.1 200\n" + OK_BODY)
                        .closing(),
                accepted(NONE, "tab separators", "HTTP/1.1\t200\tOK\n" + OK_BODY)
                        .closing(),
                accepted(CURL_AND_GO, "latin1 reason", "HTTP/1.1 200 d\u00e9j\u00e0\n" + OK_BODY)
                        .closing(),
                accepted(CURL, "lower-case version", "http/1.1 200 OK\n" + OK_BODY)
                        .closing(),
                accepted(CURL_AND_GO, "HTTP/1.0 with a length", "HTTP/1.0 200 OK\n" + OK_BODY)
                        .closing(),
                accepted(CURL_AND_GO, "HTTP/1.0 until close", "HTTP/1.0 200 OK\n\nok")
                        .closing(),
                accepted(CURL_AND_GO, "HTTP/1.0 keep-alive", "HTTP/1.0 200 OK\nConnection: keep-alive\n" + OK_BODY),
                refused(
                                DIFFERENTLY,
                                "HTTP/1.0 chunked",
                                "HTTP/1.0 200 OK\nTransfer-Encoding: chunked\n\n" + OK_CHUNKS,
                                "only allowed in HTTP/1.1")
                        .closing(),
                accepted(GO, "HTTP/1.2", "HTTP/1.2 200 OK\n" + OK_BODY).closing(),
                accepted(CURL_AND_GO, "HTTP/2.0 text", "HTTP/2.0 200 OK\n" + OK_BODY)
                        .closing(),
                accepted(CURL, "HTTP/2 text", "HTTP/2 200 OK\n" + OK_BODY).closing(),
                refused(GO, "HTTP/0.9 version", "HTTP/0.9 200 OK\n" + OK_BODY, "does not begin with HTTP/1.1")
                        .closing(),
                refused(NONE, "HTTP/1 version", "HTTP/1 200 OK\n" + OK_BODY, "does not begin with HTTP/1.1")
                        .closing(),
                refused(NONE, "HTTP/1.10", "HTTP/1.10 200 OK\n" + OK_BODY, "does not begin with HTTP/1.1")
                        .closing(),
                refused(NONE, "ICY of Shoutcast", "ICY 200 OK\n" + OK_BODY, "does not begin with HTTP/1.1")
                        .closing(),
                cutOff(NONE, "HTTP/0.9", "<html>hello</html>").closing(),
                accepted(NONE, "leading blank line", "\nHTTP/1.1 200 OK\n" + OK_BODY)
                        .closing(),
                accepted(NONE, "leading spaces", " HTTP/1.1 200 OK\n" + OK_BODY).closing(),
                refused(NONE, "version only", "HTTP/1.1\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(NONE, "status glued", "HTTP/1.1200 OK\n" + OK_BODY, "does not begin with HTTP/1.1")
                        .closing(),
                refused(GO, "status 000", "HTTP/1.1 000 X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(NONE, "status 0", "HTTP/1.1 0 X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(GO, "status 099", "HTTP/1.1 099 X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(NONE, "status 99", "HTTP/1.1 99 X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                accepted(CURL_AND_GO, "status 299", "HTTP/1.1 299 X\n" + OK_BODY, 299, "ok")
                        .closing(),
                accepted(CURL_AND_GO, "status 600", "HTTP/1.1 600 X\n" + OK_BODY, 600, "ok")
                        .closing(),
                accepted(CURL_AND_GO, "status 999", "HTTP/1.1 999 X\n" + OK_BODY, 999, "ok")
                        .closing(),
                refused(NONE, "status 1000", "HTTP/1.1 1000 X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(NONE, "status 0200", "HTTP/1.1 0200 X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(NONE, "status 20x", "HTTP/1.1 20x X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(CURL, "status 200x", "HTTP/1.1 200x X\n" + OK_BODY, "from 100 to 999")
                        .closing(),
                refused(CURL, "status 200OK glued", "HTTP/1.1 200OK\n" + OK_BODY, "from 100 to 999")
                        .closing());
    }

    private static Stream<Row> bodylessResponses() {
        return Stream.of(
                accepted(CURL_AND_GO, "204 without a length", "HTTP/1.1 204 No Content\n\n", 204, ""),
                accepted(CURL_AND_GO, "204 length 0", "HTTP/1.1 204 No Content\nContent-Length: 0\n\n", 204, ""),
                accepted(CURL_AND_GO, "204 with length and body", "HTTP/1.1 204 No Content\n" + OK_BODY, 204, "")
                        .closing(),
                accepted(
                                CURL_AND_GO,
                                "204 chunked",
                                "HTTP/1.1 204 No Content\nTransfer-Encoding: chunked\n\n0\n\n",
                                204,
                                "")
                        .closing(),
                accepted(CURL_AND_GO, "205 length 0", "HTTP/1.1 205 Reset Content\nContent-Length: 0\n\n", 205, ""),
                accepted(CURL_AND_GO, "205 body", "HTTP/1.1 205 Reset Content\n" + OK_BODY, 205, "ok")
                        .closing(),
                accepted(CURL_AND_GO, "304 without a length", "HTTP/1.1 304 Not Modified\n\n", 304, ""),
                accepted(CURL_AND_GO, "304 length", "HTTP/1.1 304 Not Modified\nContent-Length: 500\n\n", 304, ""),
                accepted(
                        CURL_AND_GO,
                        "304 chunked",
                        "HTTP/1.1 304 Not Modified\nTransfer-Encoding: chunked\n\n",
                        304,
                        ""),
                accepted(CURL_AND_GO, "HEAD length", "HTTP/1.1 200 OK\nContent-Length: 500\n\n", 200, "")
                        .to("HEAD"),
                accepted(CURL_AND_GO, "HEAD chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n", 200, "")
                        .to("HEAD"),
                accepted(CURL_AND_GO, "HEAD none", "HTTP/1.1 200 OK\n\n", 200, "")
                        .to("HEAD"),
                accepted(CURL_AND_GO, "HEAD with body", "HTTP/1.1 200 OK\n" + OK_BODY, 200, "")
                        .to("HEAD")
                        .closing(),
                refused(
                                CURL,
                                "HEAD CL differ",
                                "HTTP/1.1 200 OK\nContent-Length: 5, 6\n\n",
                                "different values (response smuggling)")
                        .to("HEAD")
                        .closing(),
                accepted(
                                CURL_AND_GO,
                                "HEAD CL+TE",
                                "HTTP/1.1 200 OK\nContent-Length: 5\nTransfer-Encoding: chunked\n\n",
                                200,
                                "")
                        .to("HEAD")
                        .closing(),
                refused(
                                CURL,
                                "HEAD te gzip chunked",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n",
                                "Transfer-Encoding other than chunked")
                        .to("HEAD")
                        .closing(),
                accepted(CURL_AND_GO, "100 then 200", "HTTP/1.1 100 Continue\n\nHTTP/1.1 200 OK\n" + OK_BODY),
                accepted(
                        CURL_AND_GO,
                        "103 then 200",
                        "HTTP/1.1 103 Early Hints\nLink: </x>\n\nHTTP/1.1 200 OK\n" + OK_BODY),
                accepted(
                        CURL_AND_GO,
                        "100 with CL",
                        "HTTP/1.1 100 Continue\nContent-Length: 0\n\nHTTP/1.1 200 OK\n" + OK_BODY),
                accepted(
                        CURL_AND_GO,
                        "102 with TE",
                        "HTTP/1.1 102 P\nTransfer-Encoding: chunked\n\nHTTP/1.1 200 OK\n" + OK_BODY),
                accepted(CURL_AND_GO, "199 then 200", "HTTP/1.1 199 X\n\nHTTP/1.1 200 OK\n" + OK_BODY));
    }

    private static Stream<Row> lengths() {
        return Stream.of(
                accepted(CURL, "CL list same", "HTTP/1.1 200 OK\nContent-Length: 2, 2\n\nok"),
                accepted(CURL_AND_GO, "CL lines same", "HTTP/1.1 200 OK\nContent-Length: 2\n" + OK_BODY),
                refused(
                                CURL,
                                "CL list differ",
                                "HTTP/1.1 200 OK\nContent-Length: 2, 3\n\nok!",
                                "different values (response smuggling)")
                        .closing(),
                refused(
                                CURL,
                                "CL lines differ",
                                "HTTP/1.1 200 OK\nContent-Length: 2\nContent-Length: 3\n\nok!",
                                "different values (response smuggling)")
                        .closing(),
                refused(
                                CURL,
                                "CL same number 2,02",
                                "HTTP/1.1 200 OK\nContent-Length: 2\nContent-Length: 02\n\nok",
                                "different values (response smuggling)")
                        .closing(),
                refused(CURL, "CL empty list item", "HTTP/1.1 200 OK\nContent-Length: 2,\n\nok", "not a number")
                        .closing(),
                accepted(CURL_AND_GO, "CL leading zeros", "HTTP/1.1 200 OK\nContent-Length: 0002\n\nok"),
                refused(CURL, "CL plus", "HTTP/1.1 200 OK\nContent-Length: +2\n\nok", "not a number")
                        .closing(),
                refused(NONE, "CL negative", "HTTP/1.1 200 OK\nContent-Length: -2\n\nok", "not a number")
                        .closing(),
                refused(CURL, "CL hex", "HTTP/1.1 200 OK\nContent-Length: 0x2\n\nok", "not a number")
                        .closing(),
                refused(CURL, "CL trailing garbage", "HTTP/1.1 200 OK\nContent-Length: 2x\n\nok", "not a number")
                        .closing(),
                refused(CURL, "CL inner space", "HTTP/1.1 200 OK\nContent-Length: 2 2\n\nok", "not a number")
                        .closing(),
                refused(NONE, "CL empty", "HTTP/1.1 200 OK\nContent-Length:\n\nok", "not a number")
                        .closing(),
                refused(CURL, "CL huge", "HTTP/1.1 200 OK\nContent-Length: 99999999999999999999\n\nok", "not a number")
                        .closing(),
                refused(
                                CURL,
                                "CL 1.0 differ",
                                "HTTP/1.0 200 OK\nContent-Length: 2\nContent-Length: 3\n\nok!",
                                "different values (response smuggling)")
                        .closing(),
                accepted(CURL_AND_GO, "CL spaces around", "HTTP/1.1 200 OK\nContent-Length:   2  \n\nok"),
                cutOff(NONE, "CL short body close", "HTTP/1.1 200 OK\nContent-Length: 5\n\nok")
                        .closing(),
                accepted(CURL_AND_GO, "no CL until close", "HTTP/1.1 200 OK\n\nok")
                        .closing(),
                accepted(CURL_AND_GO, "no CL keep-alive until close", "HTTP/1.1 200 OK\nConnection: keep-alive\n\nok")
                        .closing(),
                refused(
                                CURL_AND_GO,
                                "CL name space colon",
                                "HTTP/1.1 200 OK\nContent-Length : 2\n\nok",
                                "no colon directly after a name")
                        .closing(),
                accepted(CURL_AND_GO, "extra bytes after body", "HTTP/1.1 200 OK\nContent-Length: 2\n\nokEXTRA"));
    }

    private static Stream<Row> transferCodings() {
        return Stream.of(
                refused(
                                CURL_AND_GO,
                                "TE+CL",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nContent-Length: 2\n\n" + OK_CHUNKS,
                                "both Transfer-Encoding and Content-Length")
                        .closing(),
                refused(
                                CURL_AND_GO,
                                "CL+TE exact",
                                "HTTP/1.1 200 OK\nContent-Length: 12\nTransfer-Encoding: chunked\n\n" + OK_CHUNKS,
                                "both Transfer-Encoding and Content-Length")
                        .closing(),
                refused(
                                NONE,
                                "TE gzip, chunked",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, chunked\n\n" + OK_CHUNKS,
                                "Transfer-Encoding other than chunked")
                        .closing(),
                refused(
                                NONE,
                                "TE gzip",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: gzip\n\nok",
                                "Transfer-Encoding other than chunked")
                        .closing(),
                accepted(CURL, "TE identity", "HTTP/1.1 200 OK\nTransfer-Encoding: identity\n\nok")
                        .closing(),
                accepted(CURL, "TE identity + CL", "HTTP/1.1 200 OK\nTransfer-Encoding: identity\n" + OK_BODY)
                        .closing(),
                accepted(
                                CURL,
                                "TE identity, chunked",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: identity, chunked\n\n" + OK_CHUNKS)
                        .closing(),
                refused(
                                CURL,
                                "TE chunked, identity",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked, identity\n\n" + OK_CHUNKS,
                                "chunked must be the last")
                        .closing(),
                refused(
                                CURL,
                                "TE chunked, chunked",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked, chunked\n\n" + OK_CHUNKS,
                                "more than once")
                        .closing(),
                refused(
                                CURL,
                                "TE two lines chunked",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n"
                                        + OK_CHUNKS,
                                "more than once")
                        .closing(),
                refused(
                                NONE,
                                "TE unknown",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: xchunked\n\n" + OK_CHUNKS,
                                "Transfer-Encoding other than chunked")
                        .closing(),
                accepted(CURL, "TE empty", "HTTP/1.1 200 OK\nTransfer-Encoding:\n\nok")
                        .closing(),
                accepted(CURL, "TE empty + CL", "HTTP/1.1 200 OK\nTransfer-Encoding:\n" + OK_BODY)
                        .closing(),
                refused(
                                NONE,
                                "TE chunked ;q",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked;q=1\n\n" + OK_CHUNKS,
                                "Transfer-Encoding other than chunked")
                        .closing(),
                accepted(CURL, "TE trailing comma", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked,\n\n" + OK_CHUNKS)
                        .closing(),
                refused(
                                CURL_AND_GO,
                                "TE space colon",
                                "HTTP/1.1 200 OK\nTransfer-Encoding : chunked\n\n" + OK_CHUNKS,
                                "no colon directly after a name")
                        .closing(),
                refused(
                                DIFFERENTLY,
                                "TE obs-fold",
                                "HTTP/1.1 200 OK\nTransfer-Encoding:\n chunked\n\n" + OK_CHUNKS,
                                "on a continued line")
                        .closing());
    }

    private static Stream<Row> chunks() {
        return Stream.of(
                accepted(CURL_AND_GO, "chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n" + OK_CHUNKS),
                accepted(CURL_AND_GO, "chunk ext", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2;a=b\nok\n0;c\n\n"),
                accepted(
                        CURL_AND_GO,
                        "chunk ext quoted",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2;a=\"b;c\"\nok\n0\n\n"),
                accepted(CURL, "chunk ext space", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2 ; a=b\nok\n0\n\n"),
                accepted(
                        CURL_AND_GO,
                        "chunk leading zeros",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0000000002\nok\n000\n\n"),
                accepted(
                        NONE,
                        "chunk 20 leading zeros",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0000000000000000000" + OK_CHUNKS),
                accepted(
                        CURL_AND_GO,
                        "chunk trailing spaces",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2   \nok\n0  \n\n"),
                refused(
                                NONE,
                                "chunk leading space",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n " + OK_CHUNKS,
                                "Invalid character in chunk size")
                        .closing(),
                accepted(
                        CURL_AND_GO,
                        "chunk upper hex",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nA\n0123456789\n0\n\n",
                        200,
                        "0123456789"),
                refused(
                                NONE,
                                "chunk 0x",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0x" + OK_CHUNKS,
                                "Invalid character in chunk size")
                        .closing(),
                refused(
                                NONE,
                                "chunk plus",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n+" + OK_CHUNKS,
                                "Invalid character in chunk size")
                        .closing(),
                refused(
                                CURL,
                                "chunk 2 2",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2 " + OK_CHUNKS,
                                "Invalid character in chunk size")
                        .closing(),
                refused(
                                NONE,
                                "chunk empty size",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n\nok\n0\n\n",
                                "Empty chunk size")
                        .closing(),
                refused(
                                NONE,
                                "chunk overflow",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\nFFFFFFFFFFFFFFFFF\nok\n0\n\n",
                                "Chunk size overflow")
                        .closing(),
                refused(
                                NONE,
                                "chunk wrong length",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nok\n0\n\n",
                                "must be terminated by a CR LF")
                        .closing(),
                cutOff(NONE, "chunk no final CRLF", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n")
                        .closing(),
                cutOff(NONE, "chunk no last chunk", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n")
                        .closing(),
                accepted(
                        CURL_AND_GO,
                        "chunk trailer",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\nX-T: v\n\n"),
                accepted(
                        CURL_AND_GO,
                        "chunk trailer CL",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\nContent-Length: 7\n\n"),
                refused(
                                NONE,
                                "chunk trailer bad",
                                "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\nno colon\n\n",
                                "no colon directly after a name")
                        .closing(),
                refused(
                                CURL,
                                "chunk bare LF size",
                                raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\r\n0\r\n\r\n"),
                                "Line Feed must be preceded by Carriage Return")
                        .closing(),
                refused(
                                CURL,
                                "chunk bare LF after data",
                                raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\n0\r\n\r\n"),
                                "must be terminated by a CR LF")
                        .closing(),
                refused(
                                CURL,
                                "chunk bare LF all",
                                raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nok\n0\n\n"),
                                "Line Feed must be preceded by Carriage Return")
                        .closing(),
                refused(
                                CURL,
                                "chunk bare CR ext",
                                raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a\rb\r\nok\r\n0\r\n\r\n"),
                                "Invalid chunk extension")
                        .closing());
    }

    private static Stream<Row> headers() {
        return Stream.of(
                accepted(CURL_AND_GO, "bare LF all", raw("HTTP/1.1 200 OK\nContent-Length: 2\n\nok")),
                accepted(
                                CURL_AND_GO,
                                "bare LF one header",
                                raw("HTTP/1.1 200 OK\r\nX-A: b\nContent-Length: 2\r\n\r\nok"))
                        .withHeader("b"),
                refused(
                                CURL,
                                "bare CR in value",
                                raw("HTTP/1.1 200 OK\r\nX-A: b\rX-B: c\r\nContent-Length: 2\r\n\r\nok"),
                                "control character")
                        .closing(),
                refused(
                                CURL,
                                "CR CR LF",
                                raw("HTTP/1.1 200 OK\r\r\nContent-Length: 2\r\r\n\r\nok"),
                                "Illegal character")
                        .closing(),
                refused(NONE, "NUL in value", "HTTP/1.1 200 OK\nX-A: a\u0000b\n" + OK_BODY, "control character")
                        .closing(),
                refused(CURL, "ctl in value", "HTTP/1.1 200 OK\nX-A: a\u0001b\n" + OK_BODY, "control character")
                        .closing(),
                refused(CURL, "DEL in value", "HTTP/1.1 200 OK\nX-A: a\u007fb\n" + OK_BODY, "control character")
                        .closing(),
                accepted(CURL_AND_GO, "latin1 value", "HTTP/1.1 200 OK\nX-A: caf\u00e9\n" + OK_BODY)
                        .withHeader("caf\u00e9"),
                accepted(CURL_AND_GO, "utf8 value", "HTTP/1.1 200 OK\nX-A: caf\u00c3\u00a9\n" + OK_BODY)
                        .withHeader("caf\u00c3\u00a9"),
                refused(
                                CURL_AND_GO,
                                "name space colon",
                                "HTTP/1.1 200 OK\nX-A : b\n" + OK_BODY,
                                "no colon directly after a name")
                        .closing(),
                refused(
                                CURL_AND_GO,
                                "name inner space",
                                "HTTP/1.1 200 OK\nX A: b\n" + OK_BODY,
                                "no colon directly after a name")
                        .closing(),
                refused(CURL, "name empty", "HTTP/1.1 200 OK\n: b\n" + OK_BODY, "no colon directly after a name")
                        .closing(),
                refused(CURL, "name non-token", "HTTP/1.1 200 OK\nX(A): b\n" + OK_BODY, "not allowed in names")
                        .closing(),
                refused(CURL, "name latin1", "HTTP/1.1 200 OK\nX\u00e9: b\n" + OK_BODY, "not allowed in names")
                        .closing(),
                refused(
                                NONE,
                                "no colon",
                                "HTTP/1.1 200 OK\nno colon here\n" + OK_BODY,
                                "no colon directly after a name")
                        .closing(),
                accepted(CURL_AND_GO, "no value", "HTTP/1.1 200 OK\nX-A:\n" + OK_BODY)
                        .withHeader(""),
                accepted(CURL_AND_GO, "only spaces value", "HTTP/1.1 200 OK\nX-A:    \n" + OK_BODY)
                        .withHeader(""),
                accepted(CURL_AND_GO, "no space after colon", "HTTP/1.1 200 OK\nX-A:b\n" + OK_BODY)
                        .withHeader("b"),
                accepted(CURL_AND_GO, "obs-fold", "HTTP/1.1 200 OK\nX-A: a\n b\n\tc\n" + OK_BODY)
                        .withHeader("a b c"),
                accepted(CURL_AND_GO, "obs-fold empty", "HTTP/1.1 200 OK\nX-A:\n b\n" + OK_BODY)
                        .withHeader("b"),
                refused(
                                NONE,
                                "first line folded",
                                "HTTP/1.1 200 OK\n X-A: a\n" + OK_BODY,
                                "no colon directly after a name")
                        .closing(),
                accepted(CURL_AND_GO, "fold of blanks only", "HTTP/1.1 200 OK\nX-A: a\n  \n" + OK_BODY)
                        .closing()
                        .withHeader("a"),
                refused(GO, "folded CL", "HTTP/1.1 200 OK\nContent-Length:\n 2\n\nok", "on a continued line")
                        .closing(),
                accepted(
                        CURL_AND_GO,
                        "a security policy and five cookies",
                        "HTTP/1.1 200 OK\nContent-Security-Policy: " + "p".repeat(4_000) + "\n"
                                + ("Set-Cookie: c=" + "v".repeat(900) + "\n").repeat(5) + OK_BODY),
                accepted(
                        CURL_AND_GO,
                        "100 cookies",
                        "HTTP/1.1 200 OK\n" + "Set-Cookie: c=v; Path=/\n".repeat(100) + OK_BODY),
                accepted(
                        CURL_AND_GO,
                        "a header of 63 KiB",
                        "HTTP/1.1 200 OK\nX-Large: " + "v".repeat(63 * 1024) + "\n" + OK_BODY),
                accepted(
                        CURL_AND_GO,
                        "a reason phrase of 5,000 characters",
                        "HTTP/1.1 200 " + "r".repeat(5_000) + "\n" + OK_BODY),
                overLimit(
                        "a header of 65 KiB",
                        "HTTP/1.1 200 OK\nX-Large: " + "v".repeat(65 * 1024) + "\n" + OK_BODY,
                        "http.max-response-headers"),
                overLimit(
                        "1,000 cookies",
                        "HTTP/1.1 200 OK\n" + "Set-Cookie: c=v; Path=/\n".repeat(1_000) + OK_BODY,
                        "http.max-response-header-count"),
                overLimit(
                        "1,000 trailers",
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n" + "T: v\n".repeat(1_000) + "\n",
                        "http.max-response-header-count"));
    }

    @ParameterizedTest
    @MethodSource({"statusLines", "bodylessResponses", "lengths", "transferCodings", "chunks", "headers"})
    void acceptsWhatCurlAndGoAcceptUnlessItHidesAResponse(Row row) {
        ScriptedServer server = server(connection -> {
            while (connection.read() != null) {
                connection.sendBytes(row.bytes);
                if (row.closes) {
                    return;
                }
            }
        });
        TestExecutor executor = executor();
        // The second call shows whether the first one left anything behind.
        for (int i = 0; i < 2; i++) {
            check(row, executor.await(TestExecutor.request(row.method, server.port(), "/", null)));
        }
    }

    private static void check(Row row, HttpResult result) {
        if (row.status > 0) {
            assertThat(result).isInstanceOfSatisfying(Response.class, response -> {
                assertThat(response.status()).isEqualTo(row.status);
                assertThat(TestExecutor.text(response)).isEqualTo(row.body);
                if (row.header != null) {
                    assertThat(response.headers()).contains(new Header("x-a", row.header));
                }
            });
            return;
        }
        assertThat(result).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.code()).isEqualTo(row.code);
            assertThat(failure.message()).contains(row.message);
            if (row.others == CURL_AND_GO) {
                assertThat(failure.message()).containsAnyOf("response smuggling", "http.max-response-header");
            }
        });
    }

    private static Row accepted(Others others, String name, String response) {
        return accepted(others, name, response, 200, "ok");
    }

    private static Row accepted(Others others, String name, String response, int status, String body) {
        return new Row(others, name, "GET", bytes(response), false, status, body, null, null, null);
    }

    private static Row refused(Others others, String name, String response, String message) {
        return new Row(others, name, "GET", bytes(response), false, 0, null, null, ErrorCode.PROTOCOL_ERROR, message);
    }

    private static Row overLimit(String name, String response, String setting) {
        return refused(CURL_AND_GO, name, response, setting);
    }

    private static Row cutOff(Others others, String name, String response) {
        return new Row(others, name, "GET", bytes(response), false, 0, null, null, ErrorCode.CONNECTION_CLOSED, "");
    }

    /** Returns a response whose line feeds are sent as they are. */
    private static String raw(String response) {
        return response.replace("\n", "\0LF");
    }

    /** Returns the bytes of a response. Sends each line feed as CRLF, except in {@link #raw} text. */
    private static byte[] bytes(String response) {
        return response.replace("\n", "\r\n").replace("\0LF", "\n").getBytes(StandardCharsets.ISO_8859_1);
    }
}
