package io.iocluster.message;

/** One HTTP header line; a repeated name is several of these, in order. */
public record Header(String name, String value) {}
