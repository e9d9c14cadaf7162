package io.iocluster.message;

/** One HTTP header line. A repeated header is a sequence of these, in order. */
public record Header(String name, String value) {}
