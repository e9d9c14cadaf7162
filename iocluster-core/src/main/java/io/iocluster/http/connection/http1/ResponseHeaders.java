package io.iocluster.http.connection.http1;

import io.iocluster.http.connection.HeaderValues;
import io.iocluster.http.connection.ProtocolViolationException;
import io.netty.handler.codec.DefaultHeaders.NameValidator;
import io.netty.handler.codec.DefaultHeaders.ValueValidator;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;

/**
 * Headers or trailers of one response. Counts and checks each header when it arrives, because many short headers need far more memory than
 * their bytes. Confined to one event loop.
 */
final class ResponseHeaders extends DefaultHttpHeaders {

    /** Longer numbers may not fit into a long. */
    private static final int MAX_LENGTH_DIGITS = 18;

    /** Number of hash slots. Enough for the headers of most responses. */
    private static final int USUAL_COUNT = 16;

    private final int maxCount;
    private int count;
    private boolean transferEncoding;
    private String length;

    @SuppressWarnings("unchecked")
    private ResponseHeaders(int maxCount, int sizeHint) {
        // ResponseDecoder checks the names, and add() the values.
        super(NameValidator.NOT_NULL, (ValueValidator<CharSequence>) ValueValidator.NO_VALIDATION, sizeHint);
        this.maxCount = maxCount;
    }

    /** Creates headers that throw {@link ProtocolViolationException} when there are too many. */
    static HttpHeadersFactory factory(int maxCount) {
        return new HttpHeadersFactory() {
            @Override
            public HttpHeaders newHeaders() {
                return new ResponseHeaders(maxCount, USUAL_COUNT);
            }

            @Override
            public HttpHeaders newEmptyHeaders() {
                return new ResponseHeaders(maxCount, 1);
            }
        };
    }

    /** Adds a header that the decoder has read. The decoder joins continued lines by a space (RFC 9112, section 5.2). */
    @Override
    public HttpHeaders add(CharSequence name, Object value) {
        if (++count > maxCount) {
            throw new ProtocolViolationException(
                    "more than " + maxCount + " headers; see http.max-response-header-count");
        }
        String text = (String) value;
        check(name, text);
        // The decoder has removed the blanks around a line, but not those of continued lines.
        return super.add(name, HeaderValues.withoutOuterBlanks(text));
    }

    private void check(CharSequence name, String value) {
        if (HeaderValues.hasControlCharacter(value)) {
            throw new ProtocolViolationException("the value of the header " + name + " has a control character");
        }
        if (HttpHeaderNames.CONTENT_LENGTH.contentEqualsIgnoreCase(name)) {
            checkNotFolded(name, value);
            checkLength(value);
        } else if (HttpHeaderNames.TRANSFER_ENCODING.contentEqualsIgnoreCase(name)) {
            checkNotFolded(name, value);
            transferEncoding = true;
        }
    }

    /** Returns whether there is a {@code Transfer-Encoding}. */
    boolean hasTransferEncoding() {
        return transferEncoding;
    }

    /** Refuses a folded value, because clients disagree on whether the continued line belongs to the header, which says where the response ends. */
    private static void checkNotFolded(CharSequence name, String value) {
        if (value.startsWith(" ")) {
            throw new ProtocolViolationException("the value of " + name
                    + " is on a continued line, which other clients read differently (response smuggling)");
        }
    }

    /** Allows a repeated length (RFC 9110, section 8.6), in both versions of HTTP/1. */
    private void checkLength(String value) {
        if (length == null && isLength(value)) {
            length = value;
            return;
        }
        for (String each : value.split(",", -1)) {
            String current = each.strip();
            if (!isLength(current)) {
                throw new ProtocolViolationException(
                        "Content-Length is not a number of at most " + MAX_LENGTH_DIGITS + " digits");
            }
            if (length != null && !length.equals(current)) {
                throw new ProtocolViolationException("Content-Length has different values (response smuggling)");
            }
            length = current;
        }
    }

    private static boolean isLength(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= MAX_LENGTH_DIGITS;
    }
}
