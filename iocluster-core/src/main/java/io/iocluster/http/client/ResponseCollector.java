package io.iocluster.http.client;

import io.iocluster.http.BodyBudget;
import io.iocluster.http.HttpResult;
import io.iocluster.http.HttpResult.AttemptTiming;
import io.iocluster.http.client.BodyCollector.AppendResult;
import io.iocluster.message.ErrorCode;
import io.iocluster.message.Header;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.Iterator;
import java.util.List;

/**
 * Collects the status, headers and body of one response within the executor's limits. Confined to the event loop;
 * closed by its attempt.
 */
final class ResponseCollector implements AutoCloseable {

    private static final int MIN_STATUS = 100;
    private static final int MAX_STATUS = 999;

    /**
     * Maximum number of small parts of a body. A small part uses as much CPU as a large one, so half a mebibyte in chunks of one
     * byte occupies the event loop for most of a second. A stream of small events stays far below this number.
     */
    static final int MAX_SMALL_PARTS = 4_096;

    static final int SMALL_PART_BYTES = 64;

    private final NettyHttpExecutor executor;
    private final BodyBudget budget;

    private int status;
    private List<Header> headers = List.of();
    private long announcedLength = -1;
    private BodyCollector body;
    /** How the body is compressed; null if it is stored unchanged. */
    private ContentCoding coding;

    private BodyDecompressor decompressor;
    private AppendResult bodyResult = AppendResult.APPENDED;
    private long parts;
    private long partBytes;

    ResponseCollector(NettyHttpExecutor executor, BodyBudget budget) {
        this.executor = executor;
        this.budget = budget;
    }

    /** Why a response cannot be used. */
    record Problem(ErrorCode code, String message) {

        private static Problem of(ErrorCode code) {
            return new Problem(code, code.description());
        }

        private static Problem protocolError(String message) {
            return new Problem(ErrorCode.PROTOCOL_ERROR, message);
        }
    }

    /** Stores the status. Returns why the response cannot be used, or null. */
    Problem setStatus(int received) {
        status = received;
        return status < MIN_STATUS || status > MAX_STATUS
                ? Problem.protocolError("the response has an invalid status: " + status)
                : null;
    }

    /** Returns whether the status has arrived. */
    boolean hasStatus() {
        return status != 0;
    }

    /** Stores the headers. Returns why the response cannot be used, or null. */
    Problem setHeaders(HttpHeaders received) {
        if (received.size() > executor.maxResponseHeaderCount()) {
            return Problem.protocolError("the response has more than " + executor.maxResponseHeaderCount()
                    + " headers; see http.max-response-header-count");
        }
        if (hasUnsupportedTransferCoding(received)) {
            return Problem.protocolError("the response has a Transfer-Encoding other than chunked");
        }
        headers = executor.headerReader().read(received);
        announcedLength = length(received.get(HttpHeaderNames.CONTENT_LENGTH));
        coding = ContentCoding.of(status, received);
        return null;
    }

    /**
     * Returns whether the response has a transfer coding that the HTTP client does not decode. It would remain in the body, although the
     * answer omits the hop-by-hop header that names it.
     */
    private static boolean hasUnsupportedTransferCoding(HttpHeaders received) {
        Iterator<String> lines = received.valueStringIterator(HttpHeaderNames.TRANSFER_ENCODING);
        while (lines.hasNext()) {
            for (String each : lines.next().split(",", -1)) {
                String coding = each.strip();
                if (!coding.isEmpty() && !coding.equalsIgnoreCase("chunked") && !coding.equalsIgnoreCase("identity")) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long length(String announced) {
        if (announced == null || announced.length() > 10) {
            return -1;
        }
        try {
            return Long.parseLong(announced);
        } catch (NumberFormatException invalid) {
            return -1;
        }
    }

    /** Appends a part of the body. Returns false if no further part is needed. The caller releases the part. */
    boolean append(ByteBuf part) {
        if (bodyResult != AppendResult.APPENDED) {
            return false;
        }
        partBytes += part.readableBytes();
        if (++parts > MAX_SMALL_PARTS + partBytes / SMALL_PART_BYTES) {
            bodyResult = AppendResult.TOO_MANY_PARTS;
            return false;
        }
        if (body == null) {
            body = new BodyCollector(executor.maxResponseBody(), budget, coding == null ? announcedLength : -1);
            if (coding != null) {
                startDecompression();
            }
        }
        bodyResult = decompressor == null ? body.append(part) : decompressor.append(part);
        return bodyResult == AppendResult.APPENDED;
    }

    /** Called only for a response with a body. A response to HEAD keeps its headers, because it describes a body that is not sent. */
    private void startDecompression() {
        decompressor = new BodyDecompressor(coding, body, executor.maxResponseBody());
        headers.removeIf(header ->
                header.name().equals("content-encoding") || header.name().equals("content-length"));
    }

    /** Ends the body. Returns why the response cannot be used, or null. */
    Problem finish() {
        return switch (bodyResult) {
            case OVER_BUDGET -> Problem.of(ErrorCode.OUT_OF_MEMORY_BUDGET);
            case TRUNCATED -> executor.failsOnLargeBody() ? Problem.of(ErrorCode.RESPONSE_TOO_LARGE) : null;
            case TOO_MANY_PARTS ->
                Problem.protocolError("the response body has more than " + MAX_SMALL_PARTS + " parts of fewer than "
                        + SMALL_PART_BYTES + " bytes on average");
            case CORRUPT -> corruptBody();
            case APPENDED -> decompressor == null || decompressor.finish() ? null : corruptBody();
        };
    }

    private Problem corruptBody() {
        return Problem.protocolError("the response body is corrupt or incomplete " + coding.wireName());
    }

    HttpResult.Response toResponse(AttemptTiming timing) {
        byte[] bytes = body == null ? BodyCollector.EMPTY : body.takeArray();
        return new HttpResult.Response(status, headers, bytes, bodyResult == AppendResult.TRUNCATED, timing);
    }

    /** Releases the decompressor's memory. */
    @Override
    public void close() {
        if (decompressor != null) {
            decompressor.close();
        }
    }
}
