package io.iocluster.transport;

/**
 * One broker, as the pipeline sees it: where requests come from and where answers go. Whoever makes a transport closes
 * its source first and its sink after, so that the last confirmations still count.
 */
public interface Transport {

    /** The word for it in configuration and metrics: {@code kafka}, {@code rabbit}, {@code memory}. */
    String name();

    /** The one source; always the same object. */
    RequestSource source();

    /** The one sink; always the same object. */
    ResponseSink sink();
}
