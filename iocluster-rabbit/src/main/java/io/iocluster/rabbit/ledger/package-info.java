/** Tracks delivery tags and acknowledges the contiguous ones together. */
package io.iocluster.rabbit.ledger;
