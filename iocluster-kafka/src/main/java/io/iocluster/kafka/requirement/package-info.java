/**
 * Verifies that the Kafka clients can be created with the configured properties: that the optional classes that the
 * properties need are on the class path, and that the login is configured. Nothing here connects to a server. {@link
 * io.iocluster.kafka.requirement.ClientRequirements} is the entry. A new mechanism or codec gets its check here.
 */
package io.iocluster.kafka.requirement;
