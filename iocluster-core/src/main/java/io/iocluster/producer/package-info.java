/**
 * The apps that send calls: their names, their counts and their quotas. {@link io.iocluster.producer.AppRegistry} finds the app of each
 * message. A name is a claim of the sender, and not authenticated.
 */
package io.iocluster.producer;
