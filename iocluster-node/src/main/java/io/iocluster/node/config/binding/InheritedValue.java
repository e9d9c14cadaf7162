package io.iocluster.node.config.binding;

/** What a key inherits: a value that was bound already, and the path that it stands at. */
record InheritedValue(Object value, String path) {}
