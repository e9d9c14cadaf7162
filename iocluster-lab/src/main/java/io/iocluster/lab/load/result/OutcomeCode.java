package io.iocluster.lab.load.result;

/** Codes of calls that ended without an answer of the system under test. */
public final class OutcomeCode {

    /** There was no answer when the run ended. */
    public static final String UNANSWERED = "unanswered";

    /** There was no answer by the call's deadline. */
    public static final String NO_ANSWER = "no-answer";

    /** The broker did not confirm the request by the call's deadline. */
    public static final String NOT_CONFIRMED = "not-confirmed";

    /** The broker refused the request. */
    public static final String NOT_ENQUEUED = "not-enqueued";

    /** The call was not sent, because the maximum of calls without an answer was reached. */
    public static final String CLIENT_FULL = "client-full";

    /** The message with the call's id is not a valid answer. */
    public static final String UNREADABLE_ANSWER = "unreadable-answer";

    /** Plain HTTP: there was no connection. */
    public static final String CONNECT_FAILED = "connect-failed";

    /** Plain HTTP: the connection ended before the response. */
    public static final String CONNECTION_CLOSED = "connection-closed";

    /** The generator failed to send the call; its log has the details. */
    public static final String GENERATOR_ERROR = "generator-error";

    private OutcomeCode() {}
}
