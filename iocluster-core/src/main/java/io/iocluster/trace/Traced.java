package io.iocluster.trace;

/** Something that may belong to a trace. */
@FunctionalInterface
public interface Traced {

    /** Something that belongs to none. */
    Traced UNTRACED = () -> null;

    /** The trace as W3C Trace Context writes it, unchecked; null for none. From any thread; may be looked up at each call. */
    String traceparent();
}
