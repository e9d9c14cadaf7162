package io.iocluster.examples.attribution;

/**
 * Somebody who may know where a launch comes from, and says so by a 2xx status.
 *
 * @param url ends where the launch's number goes
 */
record Source(String name, String url) {}
