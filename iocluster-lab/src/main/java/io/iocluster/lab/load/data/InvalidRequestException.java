package io.iocluster.lab.load.data;

import java.io.IOException;

/** A request of an experiment cannot be made with the data of its feeders. The message is for the user. */
public final class InvalidRequestException extends IOException {

    private static final long serialVersionUID = 1;

    private final String key;
    private final String problem;

    /**
     * Creates the exception.
     *
     * @param key the wrong key, such as {@code requests[0].body}
     * @param problem what is wrong with it; it follows the key
     */
    InvalidRequestException(String key, String problem) {
        super(key + " " + problem);
        this.key = key;
        this.problem = problem;
    }

    /** Returns the wrong key, such as {@code requests[0].body}. */
    public String key() {
        return key;
    }

    /** Returns what is wrong with the key; it follows the key in the message. */
    public String problem() {
        return problem;
    }
}
