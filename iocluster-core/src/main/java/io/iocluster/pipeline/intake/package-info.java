/**
 * Accepts messages from the source: acquires a permit, decodes and validates the envelope, computes the deadline, and passes the call to
 * its destination. It also tells the source how many messages fit, and notices when none fits for too long.
 */
package io.iocluster.pipeline.intake;
