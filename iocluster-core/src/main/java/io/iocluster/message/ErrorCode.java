package io.iocluster.message;

import java.util.Locale;

/**
 * Why a call was not answered. The names are a contract with those who read answers: {@code docs/errors.md} explains each,
 * and a test holds the page to this list.
 */
public enum ErrorCode {
    // What is wrong with the envelope: rejected, or a dead letter where it cannot be answered.
    MALFORMED_ENVELOPE("the bytes are no JSON object, not UTF-8, too large or nested too deep"),
    INVALID_ENVELOPE("a field has the wrong type or a value out of its range"),
    UNKNOWN_FIELD("the envelope has a field that the contract does not know"),
    INVALID_METHOD("the method is not one of GET HEAD POST PUT PATCH DELETE OPTIONS"),
    INVALID_URL("the URL is missing, relative, ambiguous or not in canonical spelling"),
    INVALID_HEADER("a header's name or value cannot be sent"),
    FORBIDDEN_HEADER("the header belongs to the node"),
    TOO_MANY_HEADERS("the headers are too many or too large together"),
    INVALID_BODY("the body is given twice or is not base64"),
    REQUEST_TOO_LARGE("the request body is over the node's limit"),
    INVALID_TIMEOUT("a timeout or deadline is zero, negative or over the node's limit"),
    UNKNOWN_CREDENTIAL("the node holds no credential of that name for that host"),
    REPLY_TO_NOT_ALLOWED("the node may not answer to that topic or queue"),

    // What the egress policy forbids: rejected.
    SCHEME_NOT_ALLOWED("the URL's scheme is not allowed"),
    PORT_NOT_ALLOWED("the URL's port is not allowed"),
    HOST_NOT_ALLOWED("the URL's host is not allowed"),
    ADDRESS_NOT_ALLOWED("the URL's address, or one its name resolves to, is not allowed"),

    // What went wrong on the way: failed.
    DNS_FAILED("the host's name could not be resolved"),
    CONNECT_TIMEOUT("no connection within the connect timeout"),
    CONNECT_REFUSED("the target refused the connection"),
    CONNECT_FAILED("the connection could not be made"),
    TLS("the TLS handshake failed, or the certificate is not trusted"),
    TIMEOUT("no complete answer within the attempt's timeout"),
    CONNECTION_CLOSED("the connection ended before the answer was complete"),
    PROTOCOL_ERROR("the target's bytes are no valid HTTP answer"),
    ANSWER_TOO_LARGE("the answer does not fit the answer topic or queue"),
    OUT_OF_MEMORY_BUDGET("the node's budget of bytes in flight had no room for the answer's body"),
    WORKER_LOST("the worker that made the call died"),
    INTERNAL("a defect in the node; its log has the details"),

    // Expired.
    DEADLINE_EXCEEDED("the call's deadline passed");

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final String meaning;

    ErrorCode(String meaning) {
        this.meaning = meaning;
    }

    /** As answers, dead letters and metrics write it. */
    public String wireName() {
        return wireName;
    }

    /** One line for people. */
    public String meaning() {
        return meaning;
    }
}
