package io.iocluster.message;

/** What came of reading a message as a request envelope. */
public sealed interface DecodedRequest {

    /** An envelope in which every field has a value of its type; URL, method and headers are still to be checked. */
    record Valid(RequestEnvelope envelope) implements DecodedRequest {}

    /**
     * A JSON object that says enough to be answered and not enough to be called.
     *
     * @param envelope what could be read of it
     * @param message for people; {@linkplain BoundedText bounded}
     */
    record Invalid(RequestEnvelope envelope, ErrorCode code, String message) implements DecodedRequest {

        public Invalid {
            message = BoundedText.truncate(message);
        }
    }

    /**
     * No envelope at all.
     *
     * @param message for people; holds nothing of the bytes
     */
    record Malformed(String message) implements DecodedRequest {}
}
