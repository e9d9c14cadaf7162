package io.iocluster.message;

/** The result of decoding a message as a request envelope. */
public sealed interface DecodedRequest {

    /** An envelope in which every field has the right type. URL, method and headers are not yet checked. */
    record Valid(RequestEnvelope envelope) implements DecodedRequest {}

    /**
     * A JSON object that is not a valid envelope but can be answered.
     *
     * @param envelope the fields that could be read
     * @param message human-readable; {@linkplain BoundedText bounded}
     */
    record Invalid(RequestEnvelope envelope, ErrorCode code, String message) implements DecodedRequest {

        public Invalid {
            message = BoundedText.truncate(message);
        }
    }

    /**
     * Bytes that are not an envelope and cannot be answered.
     *
     * @param message human-readable; quotes nothing of the bytes
     */
    record Malformed(String message) implements DecodedRequest {}
}
