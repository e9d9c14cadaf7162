package io.iocluster.transport;

/** A transport that consists of an existing source and an existing sink. */
record ComposedTransport(String name, RequestSource source, ResponseSink sink) implements Transport {}
