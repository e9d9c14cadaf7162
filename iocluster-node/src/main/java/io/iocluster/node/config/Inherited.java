package io.iocluster.node.config;

/** What a key inherits: a value that was bound already, and the path that it stands at. */
record Inherited(Object value, String path) {}
