package io.iocluster.examples.attribution;

/**
 * A server that may know the origin of a launch, and answers 200 with {@code {"match": true}} if it does.
 *
 * @param url the prefix to which the number of the launch is appended
 */
record Source(String name, String url) {}
