package io.iocluster.message;

import java.util.Locale;

/**
 * The reasons why a call was not answered. The names are part of the answer contract: {@code docs/errors.md} explains
 * each, and a test compares that page with this list.
 */
public enum ErrorCode {
    // Invalid envelopes: rejected, or a dead letter if the message cannot be answered.
    MALFORMED_ENVELOPE(Outcome.REJECTED, "the bytes are not a JSON object, not UTF-8, too large or nested too deep"),
    INVALID_ENVELOPE(Outcome.REJECTED, "a field has the wrong type or a value out of its range"),
    UNKNOWN_FIELD(Outcome.REJECTED, "the envelope has a field that the contract does not know"),
    INVALID_METHOD(Outcome.REJECTED, "the method is not one of GET HEAD POST PUT PATCH DELETE OPTIONS"),
    INVALID_URL(Outcome.REJECTED, "the URL is missing, relative, ambiguous or not in canonical spelling"),
    INVALID_HEADER(Outcome.REJECTED, "a header's name or value cannot be sent"),
    FORBIDDEN_HEADER(Outcome.REJECTED, "the header belongs to the node"),
    TOO_MANY_HEADERS(Outcome.REJECTED, "the headers are too many or too large together"),
    INVALID_BODY(Outcome.REJECTED, "the body is given twice, is not base64, or is not text"),
    REQUEST_TOO_LARGE(Outcome.REJECTED, "the request body is over the node's limit"),
    INVALID_TIMEOUT(Outcome.REJECTED, "a timeout or deadline is not a whole number of milliseconds of at least 1"),
    UNKNOWN_CREDENTIAL(Outcome.REJECTED, "the node holds no credential of that name for that host"),
    REPLY_TO_NOT_ALLOWED(Outcome.REJECTED, "the node may not answer to that topic or queue"),
    REPLY_TO_UNKNOWN(Outcome.REJECTED, "the topic or queue to answer to does not exist"),

    // Forbidden by the egress policy: rejected.
    SCHEME_NOT_ALLOWED(Outcome.REJECTED, "the URL's scheme is not allowed"),
    PORT_NOT_ALLOWED(Outcome.REJECTED, "the URL's port is not allowed"),
    HOST_NOT_ALLOWED(Outcome.REJECTED, "the URL's host is not allowed"),
    ADDRESS_NOT_ALLOWED(Outcome.REJECTED, "the URL's address, or one its name resolves to, is not allowed"),

    // Attempts without an HTTP status: failed.
    DNS_FAILED(Outcome.FAILED, "the host's name could not be resolved"),
    CONNECT_TIMEOUT(Outcome.FAILED, "no connection within the connect timeout"),
    CONNECT_REFUSED(Outcome.FAILED, "the target refused the connection"),
    CONNECT_FAILED(Outcome.FAILED, "the connection could not be made"),
    PROXY_FAILED(Outcome.FAILED, "the proxy did not connect to the target: it refused, or closed the connection"),
    TLS(Outcome.FAILED, "the TLS handshake failed, or the certificate is not trusted"),
    TIMEOUT(Outcome.FAILED, "no complete answer within the attempt's timeout"),
    CONNECTION_CLOSED(Outcome.FAILED, "the connection ended before the answer was complete"),
    PROTOCOL_ERROR(Outcome.FAILED, "the target's bytes are not a valid HTTP response"),
    RESPONSE_TOO_LARGE(Outcome.FAILED, "the answer's body is over the node's limit"),
    CREDENTIAL_UNAVAILABLE(Outcome.FAILED, "the token that the call's credential needs could not be fetched"),
    ANSWER_TOO_LARGE(Outcome.FAILED, "the answer does not fit the answer topic or queue"),
    ANSWER_NOT_PUBLISHED(
            Outcome.FAILED, "the answer could not be published where it belongs; the dead letter holds it"),
    DELAYED_RETRY_TOO_LARGE(Outcome.FAILED, "the request does not fit the topic or queue of delayed retries"),
    OUT_OF_MEMORY_BUDGET(Outcome.FAILED, "the node's budget of bytes in flight had no room for the answer's body"),
    DESTINATION_FULL(Outcome.FAILED, "too many calls wait for the destination"),
    APP_OVER_QUOTA(Outcome.FAILED, "the app that sent the call is over its quota, and too many of its calls wait"),
    BREAKER_OPEN(Outcome.FAILED, "the destination keeps failing, and too many calls wait for it to recover"),
    NO_USABLE_ANSWER(Outcome.FAILED, "none of the envelope's calls had a usable answer"),
    INCOMPLETE_RESULTS(Outcome.FAILED, "not all of the envelope's calls were answered"),
    WORKER_LOST(Outcome.FAILED, "the worker that made the call died"),
    DELIVERY_LIMIT(Outcome.FAILED, "the message was delivered too often without an answer"),
    INTERNAL(Outcome.FAILED, "a defect in the node; its log has the details"),

    // Expired.
    DEADLINE_EXCEEDED(Outcome.EXPIRED, "the call's deadline passed");

    private final String wireName = name().toLowerCase(Locale.ROOT).replace('_', '-');
    private final Outcome outcome;
    private final String description;

    ErrorCode(Outcome outcome, String description) {
        this.outcome = outcome;
        this.description = description;
    }

    /** Returns the name used in answers, dead letters and metrics. */
    public String wireName() {
        return wireName;
    }

    /** Returns the outcome of a call with this code: rejected, failed or expired. */
    public Outcome outcome() {
        return outcome;
    }

    /** Returns a human-readable description of one line. */
    public String description() {
        return description;
    }
}
