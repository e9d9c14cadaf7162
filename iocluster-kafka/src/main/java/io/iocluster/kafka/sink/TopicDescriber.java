package io.iocluster.kafka.sink;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.CompletionStage;

/** Asks the broker about topics. Thread-safe. */
interface TopicDescriber {

    /**
     * The broker's description of a topic.
     *
     * @param problem why the topic cannot be written to, or null
     * @param missing whether the problem is that it does not exist
     * @param maxBytes largest accepted message
     */
    record Description(String problem, boolean missing, long maxBytes) {}

    /** Opens the connection, unless it is open. Called by one thread; may block. */
    void open();

    /** Returns whether {@link #open} has returned. */
    boolean isOpen();

    /**
     * Describes topics with few requests. Does not block.
     *
     * @return the descriptions by name, without the topics about which the broker did not answer; never exceptional
     */
    CompletionStage<Map<String, Description>> describe(Collection<String> topics);

    void close();
}
