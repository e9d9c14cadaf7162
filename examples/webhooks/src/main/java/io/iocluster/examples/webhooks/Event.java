package io.iocluster.examples.webhooks;

/**
 * Something that happened, to be told to one subscriber.
 *
 * @param id nobody else's; the subscriber knows a repeat by it
 * @param url of the subscriber
 * @param json what happened
 */
record Event(String id, String subscriber, String url, String json) {}
