package io.iocluster.transport;

/** A transport of two parts that exist. */
record ComposedTransport(String name, RequestSource source, ResponseSink sink) implements Transport {}
