package io.iocluster.node.config.binding;

/** A value that a key inherits: it is already bound, at {@code path}. */
record InheritedValue(Object value, String path) {}
