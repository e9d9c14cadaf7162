package io.iocluster.transport;

/**
 * A broker's source of requests and sink for answers. The creator of a transport closes the source before the sink, so
 * that the last confirmations still settle their messages.
 */
public interface Transport {

    /** Returns a transport with these parts. */
    static Transport of(String name, RequestSource source, ResponseSink sink) {
        return new ComposedTransport(name, source, sink);
    }

    /** Returns its name in configuration and metrics: {@code kafka}, {@code rabbit}, {@code memory}. */
    String name();

    /** Returns the source, always the same object. */
    RequestSource source();

    /** Returns the sink, always the same object. */
    ResponseSink sink();
}
