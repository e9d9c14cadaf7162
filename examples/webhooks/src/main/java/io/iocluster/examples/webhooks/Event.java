package io.iocluster.examples.webhooks;

/**
 * An event for one subscriber.
 *
 * @param id unique; the subscriber uses it to recognize a duplicate
 * @param url the subscriber's URL
 * @param json the payload
 */
record Event(String id, String subscriber, String url, String json) {}
